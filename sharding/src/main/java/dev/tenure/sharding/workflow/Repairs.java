package dev.tenure.sharding.workflow;

import dev.tenure.persistence.incident.IncidentFilter;
import dev.tenure.persistence.incident.IncidentGroup;
import dev.tenure.persistence.incident.IncidentRow;
import dev.tenure.persistence.visibility.Page;
import dev.tenure.persistence.visibility.PageRequest;
import dev.tenure.sharding.host.Host;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** The requests of people about workflows that stand still. */
final class Repairs {
  /** Each resolution replays a workflow's code: so many run at once, and the others wait. */
  static final int RESOLVED_AT_ONCE_MAX = 16;

  private final Host host;
  private final Workflows workflows;
  private final ActivityRepairs activities;

  Repairs(Host host, Workflows workflows, ActivityRepairs activities) {
    this.host = host;
    this.workflows = workflows;
    this.activities = activities;
  }

  CompletionStage<Page<IncidentRow>> incidents(IncidentFilter filter, PageRequest page) {
    return host.reading(() -> host.storage.incidents().list(filter, page));
  }

  CompletionStage<Page<IncidentGroup>> groups(IncidentFilter filter, PageRequest page) {
    return host.reading(() -> host.storage.incidents().groups(filter, page));
  }

  /**
   * Resolves one page. Resolved incidents leave the list, so the cursor names where the next page
   * begins.
   */
  CompletionStage<Page<Resolution>> resolve(
      IncidentFilter filter, Remedy remedy, String note, PageRequest page) {
    return incidents(filter, page).thenCompose(found -> resolve(found, remedy, note));
  }

  private CompletionStage<Page<Resolution>> resolve(
      Page<IncidentRow> found, Remedy remedy, String note) {
    List<CompletableFuture<Resolution>> lanes = new ArrayList<>();
    List<CompletableFuture<Resolution>> all = new ArrayList<>(found.rows().size());
    for (IncidentRow row : found.rows()) {
      CompletableFuture<Resolution> one =
          lanes.size() < RESOLVED_AT_ONCE_MAX
              ? reported(row, remedy, note)
              : lanes.removeFirst().thenCompose(before -> reported(row, remedy, note));
      lanes.add(one);
      all.add(one);
    }
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
        .thenApply(
            done -> new Page<>(all.stream().map(CompletableFuture::join).toList(), found.next()));
  }

  private CompletableFuture<Resolution> reported(IncidentRow row, Remedy remedy, String note) {
    return resolve(row, remedy, note)
        .handle((resolved, failure) -> new Resolution(row, outcome(resolved, failure)))
        .toCompletableFuture();
  }

  /** Does what is to be done about this incident, and nothing about one that came after it. */
  CompletionStage<Boolean> resolve(IncidentRow row, Remedy remedy, String note) {
    WorkflowId id = row.workflow();
    // What is resolved may be of any kind.
    if (!(remedy instanceof Remedy.VerifyAgain) && !Remedy.isFor(row))
      throw new IllegalArgumentException(
          "Workflow \"%s\": an incident of kind %s can only be resolved."
              .formatted(id, row.kind()));
    return switch (remedy) {
      case Remedy.VerifyAgain() -> workflows.resolveIncident(id, note);
      case Remedy.RunAgain() ->
          standing(row).thenCompose(meant -> workflows.retryStep(id, meant, note));
      case Remedy.Complete(Payload result) ->
          standing(row)
              .thenCompose(
                  meant -> workflows.conclude(id, meant, new Outcome.Succeeded(result), note));
      case Remedy.Fail(Failure failure) ->
          standing(row)
              .thenCompose(
                  meant -> workflows.conclude(id, meant, new Outcome.Failed(failure), note));
    };
  }

  /**
   * The attempt that the incident is about. The incident is read again after the attempt: when it
   * is still the one that was listed, no other has stood in between.
   */
  private CompletionStage<RepairTarget> standing(IncidentRow row) {
    WorkflowId id = row.workflow();
    OperationId operation = new OperationId(row.operation().orElseThrow());
    return activities
        .meant(id, RepairTarget.of(operation).inRun(row.runId()))
        .thenCompose(
            attempt ->
                incident(id)
                    .thenApply(
                        now -> {
                          if (now.map(IncidentRow::version).equals(Optional.of(row.version())))
                            return RepairTarget.of(attempt);
                          throw new WorkflowError.NotOpen(
                              id, "the incident of commit %d is over.".formatted(row.version()));
                        }));
  }

  private static Resolution.Outcome outcome(Boolean resolved, Throwable failure) {
    Throwable why = failure instanceof CompletionException e ? e.getCause() : failure;
    return switch (why) {
      case null -> resolved ? new Resolution.Resolved() : new Resolution.AlreadyResolved();
      case WorkflowError.HasEnded ended -> new Resolution.AlreadyResolved();
      case WorkflowError.NotFound purged -> new Resolution.AlreadyResolved();
      // Another person was faster: the activity came out, or runs again.
      case WorkflowError.NotOpen decided -> new Resolution.AlreadyResolved();
      case Throwable other -> new Resolution.Refused(other.getMessage());
    };
  }

  /** The one of a workflow, if it has one. */
  CompletionStage<Optional<IncidentRow>> incident(WorkflowId id) {
    return host.reading(() -> host.storage.incidents().find(id));
  }
}
