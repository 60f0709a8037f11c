package dev.tenure.node.command.remote;

import dev.tenure.workflow.TypeRef;
import dev.tenure.workflow.UpdateRejectedException;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowFailure;
import java.util.ArrayList;
import java.util.List;

/** Keeps what it is given until it is shut; one that is shut on nothing fails. */
@Workflow(name = "chest")
public class Chest {
  public List<Object> run(WorkflowContext ctx, String owner) {
    List<Object> things = new ArrayList<>();
    ctx.onQuery("owner", () -> owner);
    ctx.onUpdate(
        "put",
        TypeRef.of(Integer.class),
        thing -> {
          if (thing < 0) throw new UpdateRejectedException("less than nothing");
        },
        thing -> {
          things.add(thing);
          return things.size();
        });
    Object last = ctx.awaitSignal("shut", Object.class);
    if (things.isEmpty()) throw WorkflowFailure.permanent("empty", "nothing in it");
    things.add(last);
    return things;
  }
}
