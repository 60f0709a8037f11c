package dev.tenure.node.command.remote;

import dev.tenure.client.TenureClient;
import dev.tenure.client.WorkflowFilter;
import dev.tenure.client.WorkflowStatus;
import dev.tenure.client.WorkflowSummary;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "list", description = "Lists workflows, those that started last first.")
final class ListWorkflows extends ListingCommand {
  @Option(
      names = "--status",
      paramLabel = "STATUS",
      split = ",",
      completionCandidates = StatusWords.class,
      description = "Any of these: ${COMPLETION-CANDIDATES}.")
  private List<String> statuses = List.of();

  @Option(names = "--type", paramLabel = "TYPE", description = "Of this type, in any version.")
  private Optional<String> type = Optional.empty();

  @Option(names = "--parent", paramLabel = "ID", description = "Children of this workflow.")
  private Optional<String> parent = Optional.empty();

  @Option(
      names = "--attribute",
      paramLabel = "NAME=VALUE",
      description = "With this attribute; may be given several times.")
  private Map<String, String> attributes = new LinkedHashMap<>();

  @Option(
      names = "--started-from",
      paramLabel = "TIME",
      description = "Started at this moment or later, like 2026-01-31T12:00:00Z.")
  private Optional<Instant> from = Optional.empty();

  @Option(
      names = "--started-before",
      paramLabel = "TIME",
      description = "Started before this moment.")
  private Optional<Instant> before = Optional.empty();

  @Override
  Exit run(TenureClient tenure) {
    print(
        tenure.list(filter()),
        List.of("ID", "TYPE", "STATUS", "STARTED", "CLOSED"),
        WorkflowSummary::workflowId,
        row -> row.document().toString(),
        ListWorkflows::row);
    return Exit.DONE;
  }

  private static List<String> row(WorkflowSummary workflow) {
    return List.of(
        workflow.workflowId(),
        TypeText.of(workflow.type(), workflow.version()),
        workflow.status().word(),
        workflow.startedAt().toString(),
        workflow.closedAt().map(Instant::toString).orElse(""));
  }

  private WorkflowFilter filter() {
    Set<WorkflowStatus> wanted =
        statuses.stream().map(ListWorkflows::status).collect(Collectors.toSet());
    Map<String, Object> values = new LinkedHashMap<>();
    attributes.forEach((name, value) -> values.put(name, Value.attribute(value)));
    return new WorkflowFilter(wanted, type, parent, values, from, before);
  }

  private static WorkflowStatus status(String word) {
    return Arrays.stream(WorkflowStatus.values())
        .filter(status -> status.word().equals(word) && status != WorkflowStatus.UNKNOWN)
        .findFirst()
        .orElseThrow(
            () ->
                new CommandError(
                    "there is no status \"%s\"; there are %s".formatted(word, new StatusWords())));
  }

  static final class StatusWords extends ArrayList<String> {
    private static final long serialVersionUID = 1L;

    StatusWords() {
      for (WorkflowStatus status : WorkflowStatus.values()) {
        if (status != WorkflowStatus.UNKNOWN) add(status.word());
      }
    }
  }
}
