package dev.tenure.node.command.remote;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tenure.client.TenureClient;
import dev.tenure.client.WorkflowHandle;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What workflows are told from outside their code, one or many. */
final class Orders {
  private Orders() {}

  abstract static class Order extends RemoteCommand {
    @Parameters(
        paramLabel = "ID",
        arity = "1..*",
        description = "The workflows; - reads ids from standard input.")
    private List<String> ids;

    /** False when it stood so before. */
    abstract boolean give(WorkflowHandle<JsonNode> workflow);

    abstract String done();

    @Override
    final Exit run(TenureClient tenure) {
      return forEach(
          ids,
          id -> {
            boolean applied = give(tenure.workflow(id));
            output.say(
                Value.JSON.createObjectNode().put("workflowId", id).put("applied", applied),
                "workflow \"%s\" %s%s"
                    .formatted(id, done(), applied ? "" : " (it stood so before)"));
          });
    }
  }

  abstract static class ReasonedOrder extends Order {
    @Option(
        names = "--reason",
        paramLabel = "TEXT",
        defaultValue = "",
        description = "Why; it stands in the history.")
    String reason;
  }

  @Command(name = "cancel", description = "Asks workflows to cancel; their code may clean up.")
  static final class Cancel extends ReasonedOrder {
    @Override
    boolean give(WorkflowHandle<JsonNode> workflow) {
      return workflow.cancel(reason);
    }

    @Override
    String done() {
      return "was asked to cancel";
    }
  }

  @Command(
      name = "terminate",
      description = "Ends workflows at once, without a word to their code.")
  static final class Terminate extends ReasonedOrder {
    @Override
    boolean give(WorkflowHandle<JsonNode> workflow) {
      return workflow.terminate(reason);
    }

    @Override
    String done() {
      return "is terminated";
    }
  }

  @Command(name = "pause", description = "Holds workflows until they are resumed.")
  static final class Pause extends ReasonedOrder {
    @Override
    boolean give(WorkflowHandle<JsonNode> workflow) {
      return workflow.pause(reason);
    }

    @Override
    String done() {
      return "is paused";
    }
  }

  @Command(name = "resume", description = "Lets workflows go on after a pause.")
  static final class Resume extends Order {
    @Override
    boolean give(WorkflowHandle<JsonNode> workflow) {
      return workflow.resume();
    }

    @Override
    String done() {
      return "goes on";
    }
  }
}
