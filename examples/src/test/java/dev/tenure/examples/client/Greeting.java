package dev.tenure.examples.client;

import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowFailure;

/** Greets once it is told to. */
@Workflow(name = "greeting")
public final class Greeting {
  public String run(WorkflowContext ctx, String name) {
    String word = ctx.awaitSignal("word", String.class);
    if (word.isEmpty()) throw WorkflowFailure.permanent("silent", "nothing to say");
    return word + " " + name;
  }
}
