package dev.tenure.node.command.remote;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tenure.client.ForkRequest;
import dev.tenure.client.TenureClient;
import dev.tenure.client.WorkflowHandle;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What operators do with workflows that went wrong. */
final class RepairCommands {
  private RepairCommands() {}

  @Command(
      name = "retry-step",
      description = {
        "Has a step tried again now that failed or waits for its next attempt.",
        "An activity is run again although it may have had its effect."
      })
  static final class RetryStep extends RemoteCommand {
    @Parameters(
        paramLabel = "ID",
        index = "0",
        description = "The workflow; - reads ids from standard input.")
    private String id;

    @Parameters(
        paramLabel = "OPERATION",
        index = "1",
        description = "As workflow describe shows it, like charge#1.")
    private String operation;

    @Mixin private Meant meant;

    @Option(
        names = "--note",
        paramLabel = "TEXT",
        description = "Why; it stands with the incident that this resolves.")
    private Optional<String> note = Optional.empty();

    @Override
    Exit run(TenureClient tenure) {
      return forEach(
          List.of(id),
          each -> {
            boolean applied = tenure.workflow(each).retryStep(meant.at(operation), note.orElse(""));
            said(
                this,
                each,
                applied,
                operation
                    + (applied ? " is tried again" : " has an attempt under way, or was tried"));
          });
    }
  }

  @Command(
      name = "move",
      description = "Pins the runs of workflows to another version of their code, if that fits.")
  static final class Move extends RemoteCommand {
    @Parameters(
        paramLabel = "ID",
        arity = "1..*",
        description = "The workflows; - reads ids from standard input.")
    private List<String> ids;

    @Option(
        names = "--type-version",
        paramLabel = "N",
        required = true,
        description = "The version that they are to be of.")
    private int version;

    @Option(
        names = "--note",
        paramLabel = "TEXT",
        required = true,
        description = "Why; it stands in the history.")
    private String note;

    @Override
    Exit run(TenureClient tenure) {
      return forEach(
          ids,
          id -> {
            boolean applied = tenure.workflow(id).moveToVersion(version, note);
            said(this, id, applied, "is of version " + version + (applied ? "" : " already"));
          });
    }
  }

  @Command(
      name = "fork",
      description = "Starts a new workflow with another's history before an operation.")
  static final class Fork extends RemoteCommand {
    @Parameters(paramLabel = "ID", description = "Whose history it is; it stays as it is.")
    private String source;

    @Option(
        names = "--from",
        paramLabel = "OPERATION",
        required = true,
        description = "What is run again, like charge#1; all before it is copied.")
    private String from;

    @Option(
        names = "--id",
        paramLabel = "ID",
        description = "Of the new workflow (default: made up).")
    private Optional<String> id = Optional.empty();

    @Option(
        names = "--type-version",
        paramLabel = "N",
        description = "The version of its code (default: the old one's).")
    private Optional<Integer> version = Optional.empty();

    @Option(
        names = "--key",
        paramLabel = "KEY",
        description = "The same fork under the same key is done once, however often it is given.")
    private Optional<String> key = Optional.empty();

    @Override
    Exit run(TenureClient tenure) {
      ForkRequest request = new ForkRequest(from, id, version, key);
      WorkflowHandle<JsonNode> forked = tenure.workflow(source).fork(request);
      output.say(Value.JSON.createObjectNode().put("workflowId", forked.id()), forked.id());
      return Exit.DONE;
    }

    @Override
    String keyOption() {
      return "--key";
    }
  }

  private static void said(RemoteCommand command, String id, boolean applied, String words) {
    command.output.say(
        Value.JSON.createObjectNode().put("workflowId", id).put("applied", applied),
        "workflow \"%s\": %s".formatted(id, words));
  }
}
