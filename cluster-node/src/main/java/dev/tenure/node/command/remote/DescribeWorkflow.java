package dev.tenure.node.command.remote;

import dev.tenure.client.Failure;
import dev.tenure.client.TenureClient;
import dev.tenure.client.WorkflowDescription;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "describe", description = "Says how workflows stand, and why.")
final class DescribeWorkflow extends RemoteCommand {
  @Parameters(
      paramLabel = "ID",
      arity = "1..*",
      description = "The workflows; - reads ids from standard input.")
  private List<String> ids;

  @Override
  Exit run(TenureClient tenure) {
    return forEach(ids, id -> print(tenure.workflow(id).describe()));
  }

  private void print(WorkflowDescription workflow) {
    if (output.isJson()) {
      output.line(workflow.document().toString());
      return;
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("type", TypeText.of(workflow.type(), workflow.version())));
    rows.add(List.of("status", workflow.status().word()));
    rows.add(List.of("run", workflow.runId()));
    rows.add(List.of("started", workflow.startedAt().toString()));
    row(rows, "ended", workflow.endedAt().map(Instant::toString));
    row(rows, "parent", workflow.parent());
    if (!workflow.attributes().isEmpty()) {
      rows.add(List.of("attributes", workflow.attributes().toString()));
    }
    row(rows, "cancel requested", workflow.cancelRequested());
    row(rows, "paused", workflow.pauseReason());
    row(rows, "blocked", workflow.blockReason());
    row(rows, "incident", workflow.incident().map(i -> i.kind() + ": " + i.message()));
    row(rows, "due", workflow.nextDue().map(Instant::toString));
    rows.add(
        List.of(
            "history",
            "%d commits, %d events, %d operations"
                .formatted(workflow.commits(), workflow.events(), workflow.operations())));
    output.table(List.of("id", Output.harmless(workflow.workflowId())), rows);
    if (workflow.open().isEmpty()) return;
    output.line("");
    output.table(
        List.of("OPEN", "KIND", "PHASE", "ATTEMPT", "DUE", "LAST FAILURE"),
        workflow.open().stream()
            .map(
                open ->
                    List.of(
                        open.id(),
                        open.kind(),
                        open.phase(),
                        Integer.toString(open.attempt()),
                        open.dueAt().map(Instant::toString).orElse(""),
                        open.lastFailure().map(Failure::toString).orElse("")))
            .toList());
  }

  private static void row(List<List<String>> rows, String name, Optional<String> value) {
    value.ifPresent(text -> rows.add(List.of(name, text)));
  }
}
