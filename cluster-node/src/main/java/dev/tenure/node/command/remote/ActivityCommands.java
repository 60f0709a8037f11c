package dev.tenure.node.command.remote;

import dev.tenure.client.ActivityRecord;
import dev.tenure.client.Failure;
import dev.tenure.client.TenureClient;
import dev.tenure.client.WorkflowActivities;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What operators do with activities whose outcome cannot be told. */
final class ActivityCommands {
  private ActivityCommands() {}

  @Command(
      name = "activities",
      description = "Lists the records of a workflow's keyed activities, the newest claim first.")
  static final class ListActivities extends RemoteCommand {
    @Parameters(paramLabel = "ID", description = "The workflow.")
    private String id;

    @Option(
        names = "--limit",
        paramLabel = "N",
        defaultValue = "100",
        description = "How many at most, 1 to 1000 (default: ${DEFAULT-VALUE}).")
    private int limit;

    @Override
    Exit run(TenureClient tenure) {
      List<ActivityRecord> records = tenure.workflow(id).activities().list(limit);
      if (output.isJson()) records.forEach(record -> output.line(record.document().toString()));
      else if (!records.isEmpty())
        output.table(
            List.of("ACTIVITY", "OPERATION", "KEY", "STATUS", "ATTEMPT", "UPDATED", "EVIDENCE"),
            records.stream().map(ListActivities::row).toList());
      return Exit.DONE;
    }

    private static List<String> row(ActivityRecord record) {
      return List.of(
          record.activity(),
          record.operation(),
          record.key(),
          record.status(),
          Integer.toString(record.attempt()),
          record.updatedAt().toString(),
          record
              .verdict()
              .map(verdict -> verdict.answer() + ": " + verdict.evidence())
              .or(() -> record.error().map(Failure::toString))
              .orElse(""));
    }
  }

  @Command(
      name = "conclude",
      description = "Says how an activity came out of which that cannot be told.")
  static final class Conclude extends RemoteCommand {
    @Parameters(
        paramLabel = "ID",
        index = "0",
        description = "The workflow; - reads ids from standard input.")
    private String id;

    @Parameters(
        paramLabel = "OPERATION",
        index = "1",
        description = "As incident describe shows it, like charge#1.")
    private String operation;

    @Mixin private Meant meant;
    @Mixin private Conclusion conclusion;

    @Option(
        names = "--note",
        paramLabel = "TEXT",
        required = true,
        description = "How that is known; it stands in the history.")
    private String note;

    @Override
    Exit run(TenureClient tenure) {
      if (!conclusion.isResult() && !conclusion.isFailure())
        throw new CommandError(
            "say how it came out: --result, or --failure with --message, --code and --no-effect");
      return forEach(
          List.of(id),
          each -> {
            WorkflowActivities activities = tenure.workflow(each).activities();
            boolean applied =
                conclusion.isResult()
                    ? activities.complete(meant.at(operation), conclusion.result(), note)
                    : activities.fail(meant.at(operation), conclusion.failure(), note);
            output.say(
                Value.JSON.createObjectNode().put("workflowId", each).put("applied", applied),
                "workflow \"%s\": %s %s"
                    .formatted(
                        each, operation, conclusion.isResult() ? "is completed" : "is failed"));
          });
    }
  }
}
