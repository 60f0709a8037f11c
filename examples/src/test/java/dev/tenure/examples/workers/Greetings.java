package dev.tenure.examples.workers;

import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import java.time.Duration;

/** Has a worker greet somebody. */
@Workflow(name = "greetings")
public class Greetings {
  public record Person(String name) {}

  static final ActivityDefinition<Person, String> GREET =
      ActivityDefinition.of("greet", Person.class, String.class)
          .onQueue("greetings")
          .withVisibilityTimeout(Duration.ofSeconds(30));

  public String run(WorkflowContext ctx, Person person) {
    return ctx.activity(GREET, person);
  }
}
