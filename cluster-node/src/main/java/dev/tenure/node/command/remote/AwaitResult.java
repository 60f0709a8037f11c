package dev.tenure.node.command.remote;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tenure.client.Failure;
import dev.tenure.client.TenureClient;
import dev.tenure.client.WorkflowHandle;
import dev.tenure.client.WorkflowOutcome;
import dev.tenure.client.WorkflowStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "result", description = "Waits for the end of workflows, and prints their results.")
final class AwaitResult extends RemoteCommand {
  private static final Duration ROUND = Duration.ofMinutes(5);

  @Parameters(
      paramLabel = "ID",
      arity = "1..*",
      description = "The workflows; - reads ids from standard input.")
  private List<String> ids;

  @Option(
      names = "--wait",
      paramLabel = "TIME",
      converter = Span.class,
      description = "How long to wait for each, like 30s; 0s only asks (default: until it ends).")
  private Duration wait;

  @Override
  Exit run(TenureClient tenure) {
    return forEach(
        ids,
        id -> {
          WorkflowHandle<JsonNode> workflow = tenure.workflow(id);
          WorkflowOutcome outcome =
              wait == null
                  ? ended(workflow)
                  : workflow
                      .outcome(wait)
                      .orElseThrow(
                          () ->
                              new CommandError(
                                  Exit.NOT_YET, "workflow \"%s\" has not ended".formatted(id)));
          print(output, outcome);
        });
  }

  /** Waits as long as it takes, after a start with --wait. */
  static Exit untilItEnds(Output output, WorkflowHandle<JsonNode> workflow) {
    print(output, ended(workflow));
    return Exit.DONE;
  }

  private static WorkflowOutcome ended(WorkflowHandle<JsonNode> workflow) {
    Optional<WorkflowOutcome> outcome = Optional.empty();
    while (outcome.isEmpty()) outcome = workflow.outcome(ROUND);
    return outcome.get();
  }

  private static void print(Output output, WorkflowOutcome outcome) {
    boolean completed = outcome.status() == WorkflowStatus.COMPLETED;
    if (output.isJson()) output.line(outcome.document().toString());
    else if (completed) output.line(outcome.result().map(JsonNode::toString).orElse("null"));
    if (completed) return;
    String why = outcome.failure().map(Failure::toString).or(outcome::reason).orElse("");
    throw new CommandError(
        Exit.NO_SUCCESS,
        "workflow \"%s\" is %s: %s".formatted(outcome.workflowId(), outcome.status().word(), why));
  }
}
