package dev.tenure.node.command.remote;

import dev.tenure.client.ActivityRecord;
import dev.tenure.client.Incident;
import dev.tenure.client.IncidentFilter;
import dev.tenure.client.IncidentGroup;
import dev.tenure.client.TenureClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./tenure incident}: what stands still and needs a person, over the API of a server. */
@Command(
    name = "incident",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      IncidentCommand.ListIncidents.class,
      IncidentCommand.Describe.class,
      ResolveIncidents.class
    },
    description = "Finds workflows that stand still, says why, and lets them go on.")
public final class IncidentCommand {
  /** Of evidence in a table. */
  private static final int EVIDENCE_CHARACTERS = 60;

  /** Which of them. */
  static final class Which {
    @Option(names = "--kind", paramLabel = "KIND", description = "Of this kind, like drift.")
    private Optional<String> kind = Optional.empty();

    @Option(
        names = "--type",
        paramLabel = "TYPE",
        description = "Of workflows of this type, in any version.")
    private Optional<String> type = Optional.empty();

    @Option(
        names = "--cause",
        paramLabel = "FINGERPRINT",
        description = "Of this cause, as incident list --by-cause shows it.")
    private Optional<String> cause = Optional.empty();

    IncidentFilter filter() {
      return new IncidentFilter(kind, type, cause);
    }
  }

  @Command(name = "list", description = "Lists incidents, the newest first, or by their cause.")
  static final class ListIncidents extends ListingCommand {
    @Mixin private Which which;

    @Option(names = "--by-cause", description = "One line for each cause, with how many there are.")
    private boolean byCause;

    @Override
    Exit run(TenureClient tenure) {
      if (byCause && isQuiet())
        throw new CommandError("a cause has no id: leave out -q or --by-cause");
      IncidentFilter filter = which.filter();
      if (byCause)
        print(
            tenure.incidents().groups(filter),
            List.of("COUNT", "KIND", "TYPE", "CAUSE", "SINCE", "EVIDENCE"),
            IncidentGroup::type,
            group -> group.document().toString(),
            ListIncidents::row);
      else
        print(
            tenure.incidents().list(filter),
            List.of("ID", "TYPE", "KIND", "CAUSE", "SINCE", "OPERATION"),
            Incident::workflowId,
            incident -> incident.document().toString(),
            ListIncidents::row);
      return Exit.DONE;
    }

    private static List<String> row(Incident incident) {
      return List.of(
          incident.workflowId(),
          incident.type() + " v" + incident.version(),
          incident.kind(),
          incident.fingerprint(),
          incident.since().toString(),
          incident.operation().orElse(""));
    }

    private static List<String> row(IncidentGroup group) {
      String line = group.evidence().lines().findFirst().orElse("");
      return List.of(
          Long.toString(group.count()),
          group.kind(),
          group.type(),
          group.fingerprint(),
          group.since().toString(),
          line.length() > EVIDENCE_CHARACTERS
              ? line.substring(0, EVIDENCE_CHARACTERS) + "…"
              : line);
    }
  }

  @Command(name = "describe", description = "Says why workflows stand still.")
  static final class Describe extends RemoteCommand {
    @Parameters(
        paramLabel = "ID",
        arity = "1..*",
        description = "The workflows; - reads ids from standard input.")
    private List<String> ids;

    @Override
    Exit run(TenureClient tenure) {
      return forEach(ids, id -> print(id, tenure.workflow(id).incident()));
    }

    private void print(String id, Optional<Incident> found) {
      Incident incident =
          found.orElseThrow(
              () ->
                  new CommandError(
                      Exit.NOT_FOUND, "workflow \"%s\" has no incident".formatted(id)));
      if (output.isJson()) {
        output.line(incident.document().toString());
        return;
      }
      List<List<String>> rows = new ArrayList<>();
      rows.add(List.of("type", incident.type() + " v" + incident.version()));
      rows.add(List.of("run", incident.runId()));
      rows.add(List.of("kind", incident.kind()));
      rows.add(List.of("cause", incident.fingerprint()));
      rows.add(List.of("since", incident.since().toString()));
      incident.operation().ifPresent(operation -> rows.add(List.of("operation", operation)));
      incident.activity().ifPresent(activity -> rows.addAll(rows(activity)));
      output.table(List.of("id", Output.harmless(incident.workflowId())), rows);
      output.line("");
      output.line(incident.evidence());
    }

    private static List<List<String>> rows(ActivityRecord activity) {
      List<List<String>> rows = new ArrayList<>();
      rows.add(List.of("activity", activity.activity()));
      rows.add(List.of("key", activity.key()));
      rows.add(List.of("status", activity.status()));
      activity.result().ifPresent(result -> rows.add(List.of("result", result.toString())));
      rows.add(List.of("attempt", Integer.toString(activity.attempt())));
      activity.error().ifPresent(error -> rows.add(List.of("error", error.toString())));
      activity
          .verdict()
          .ifPresent(said -> rows.add(List.of("verifier", said.answer() + ": " + said.evidence())));
      return rows;
    }
  }
}
