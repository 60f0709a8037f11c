package dev.tenure.sharding.workflow;

import dev.tenure.persistence.activity.ActivityKey;
import dev.tenure.persistence.activity.ActivityRecord;
import dev.tenure.persistence.activity.ActivityStatus;
import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.message.Description;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.kernel.Limits;
import dev.tenure.workflow.operation.AttemptRef;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The requests of people about activities whose outcome cannot be told. */
final class ActivityRepairs {
  /** Of a result in an error; the record has it in full. */
  private static final int RESULT_CHARS_MAX = 512;

  private final Host host;
  private final Workflows workflows;

  ActivityRepairs(Host host, Workflows workflows) {
    this.host = host;
    this.workflows = workflows;
  }

  CompletionStage<List<ActivityRecord>> records(WorkflowId id, int limit) {
    if (limit < 1 || limit > Workflows.ACTIVITY_RECORDS_MAX)
      throw new IllegalArgumentException(
          "%d records: choose from 1 to %d".formatted(limit, Workflows.ACTIVITY_RECORDS_MAX));
    return host.reading(() -> host.storage.activities().of(id, limit));
  }

  CompletionStage<Optional<ActivityRecord>> record(
      WorkflowId id, String runId, OperationId operation) {
    String call = ActivityKey.operationOf(runId, operation);
    return host.reading(() -> host.storage.activities().ofOperation(id, call));
  }

  /** The outcome with its result as it is stored; it fails when that cannot travel to the owner. */
  CompletionStage<Outcome> received(WorkflowId id, Outcome outcome) {
    if (!(outcome instanceof Outcome.Succeeded(Payload value)))
      return CompletableFuture.completedStage(outcome);
    Payload stored = host.codec.received(value);
    if (stored.size() > Limits.PAYLOAD_BYTES_MAX)
      return CompletableFuture.failedStage(
          new WorkflowError.OverLimit(
              id,
              "PAYLOAD_BYTES_MAX",
              stored.size(),
              Limits.PAYLOAD_BYTES_MAX,
              "Keep the value elsewhere and pass a reference."));
    return CompletableFuture.completedStage(new Outcome.Succeeded(stored));
  }

  CompletionStage<Boolean> retry(WorkflowId id, RepairTarget target, String note) {
    return meant(id, target)
        .thenCompose(attempt -> workflows.order(id, new Command.Retry(attempt, note)));
  }

  CompletionStage<Boolean> conclude(
      WorkflowId id, RepairTarget target, Outcome outcome, String note) {
    return received(id, outcome)
        .thenCompose(
            kept ->
                meant(id, target)
                    .thenCompose(attempt -> withoutProof(id, attempt, kept))
                    .thenCompose(
                        attempt -> workflows.order(id, new Command.Conclude(attempt, kept, note))));
  }

  /**
   * Fails when the record proves how the call came out: the node that made it, or its verifier, has
   * reported after the incident was raised. A person's word does not take the place of that.
   */
  private CompletionStage<AttemptRef> withoutProof(
      WorkflowId id, AttemptRef attempt, Outcome outcome) {
    return host.reading(
        () -> {
          Optional<ActivityRecord> proof =
              host.storage
                  .activities()
                  .ofOperation(id, ActivityKey.operationOf(attempt.runId(), attempt.operation()))
                  .filter(record -> record.status() == ActivityStatus.COMPLETED)
                  .filter(record -> record.result().isPresent() || deniesEffect(outcome));
          if (proof.isPresent())
            throw new WorkflowError.OnRecord(id, attempt.operation(), shown(proof.get()));
          return attempt;
        });
  }

  private static boolean deniesEffect(Outcome outcome) {
    return outcome instanceof Outcome.Failed(Failure failure)
        && failure.outside() == Failure.OutsideEffect.NONE;
  }

  private static String shown(ActivityRecord record) {
    return record
        .result()
        .map(result -> Failure.cut(PayloadCodec.jsonOf(result), RESULT_CHARS_MAX))
        .orElse("it took effect, and its result cannot be had");
  }

  /**
   * The attempt that is meant. It is read once: the order is sent again when no answer comes, and
   * must not meet an attempt that was made since.
   */
  CompletionStage<AttemptRef> meant(WorkflowId id, RepairTarget target) {
    if (target.named().isPresent()) return CompletableFuture.completedStage(target.named().get());
    return workflows
        .describe(id, Optional.of(target.operation()))
        .thenApply(
            now -> {
              requireOpen(now);
              return now.open().stream()
                  .filter(open -> open.id().equals(target.operation().value()))
                  .findFirst()
                  .map(open -> target.filledFrom(now.runId(), open.attempt()))
                  .orElseThrow(() -> notOpen(id, target.operation()));
            });
  }

  private static void requireOpen(Description workflow) {
    if (workflow.outcome().isPresent())
      throw new WorkflowError.HasEnded(workflow.id(), workflow.status(), workflow.outcome().get());
  }

  private static WorkflowError notOpen(WorkflowId id, OperationId operation) {
    return new WorkflowError.NotOpen(
        id,
        "operation %s is not open: it came out before, or never was. A fork runs it again."
            .formatted(operation));
  }

  CompletionStage<Boolean> verifyAgain(WorkflowId id, OperationId operation, String note) {
    return workflows.describe(id).thenCompose(now -> verifyAgain(now, operation, note));
  }

  private CompletionStage<Boolean> verifyAgain(
      Description workflow, OperationId operation, String note) {
    WorkflowId id = workflow.id();
    requireOpen(workflow);
    if (workflow.incident().isEmpty()) return CompletableFuture.completedStage(false);
    Incident incident = workflow.incident().get();
    boolean meant =
        incident instanceof Incident.Indeterminate
            && incident.about().equals(Optional.of(operation));
    if (!meant)
      return CompletableFuture.failedStage(
          new WorkflowError.NotOpen(
              id,
              "its incident is not that the outcome of %s cannot be told, but: %s"
                  .formatted(operation, incident.message())));
    return workflows.resolveIncident(id, note);
  }
}
