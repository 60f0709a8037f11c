package dev.tenure.http.fault;

import static dev.tenure.http.fault.ErrorCode.*;

import dev.tenure.http.json.InvalidJsonError;
import dev.tenure.http.schema.FieldError;
import dev.tenure.persistence.merging.SignalOutcomeUnknown;
import dev.tenure.persistence.merging.SignalQueueFullError;
import dev.tenure.persistence.signal.InvalidSignalError;
import dev.tenure.persistence.signal.SignalCapabilityError;
import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.persistence.visibility.InvalidCursorError;
import dev.tenure.sharding.task.TaskDeskBusyError;
import dev.tenure.sharding.workflow.WorkflowError;
import dev.tenure.workflow.InvalidTextError;
import dev.tenure.workflow.LimitExceededException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

/** Translates failures of the engine into errors of the API. */
public final class Faults {
  private static final Duration SOON = Duration.ofSeconds(1);

  private Faults() {}

  /** The fault; empty for an unexpected failure, of which only the correlation id may be told. */
  public static Optional<ApiFault> of(Throwable thrown) {
    Throwable failure = unwrapped(thrown);
    return Optional.ofNullable(
        switch (failure) {
          case ApiFault fault -> fault;
          case WorkflowError error -> of(error);
          case StorageException error -> of(error);
          case InvalidJsonError error ->
              ApiFault.of(INVALID_JSON, error.getMessage())
                  .at(List.of(new FieldError(error.pointer(), error.getMessage())));
          case InvalidTextError error -> ApiFault.of(INVALID_REQUEST, error.getMessage());
          case InvalidSignalError error -> ApiFault.of(INVALID_REQUEST, error.getMessage());
          case InvalidCursorError error -> ApiFault.of(INVALID_CURSOR, error.getMessage());
          case LimitExceededException error ->
              ApiFault.of(LIMIT_EXCEEDED, error.getMessage()).with("limit", error.limit());
          case SignalQueueFullError error ->
              ApiFault.of(OVERLOADED, error.getMessage()).retryAfter(SOON);
          case TaskDeskBusyError error ->
              ApiFault.of(OVERLOADED, error.getMessage())
                  .with("limit", error.limit())
                  .retryAfter(SOON);
          case SignalCapabilityError error -> ApiFault.of(NOT_IMPLEMENTED, error.getMessage());
          case SignalOutcomeUnknown error ->
              ApiFault.of(
                      SIGNAL_OUTCOME_UNKNOWN,
                      "Send it again with the same signalId: it will be stored once.")
                  .retryAfter(SOON);
          default -> null;
        });
  }

  static ApiFault of(WorkflowError error) {
    return switch (error) {
      case WorkflowError.NotFound e -> ApiFault.of(WORKFLOW_NOT_FOUND, e.getMessage());
      case WorkflowError.NoSuchRun e -> ApiFault.of(WORKFLOW_NOT_FOUND, e.getMessage());
      case WorkflowError.AlreadyStarted e ->
          ApiFault.of(WORKFLOW_ALREADY_EXISTS, e.getMessage())
              .with("runId", e.runId())
              .with("workflowStatus", StatusWord.of(e.status()));
      case WorkflowError.StillRunning e -> ApiFault.of(RESULT_TIMEOUT, e.getMessage());
      case WorkflowError.HasEnded e ->
          ApiFault.of(WORKFLOW_CLOSED, e.getMessage())
              .with("workflowStatus", StatusWord.of(e.status()));
      case WorkflowError.UpdateConflict e ->
          ApiFault.of(IDEMPOTENCY_KEY_REUSED, e.getMessage()).with("updateId", e.updateId());
      case WorkflowError.NotNow e -> ApiFault.of(WORKFLOW_NOT_IN_STATE, e.getMessage());
      case WorkflowError.NotOpen e -> ApiFault.of(WORKFLOW_NOT_IN_STATE, e.getMessage());
      case WorkflowError.OnRecord e ->
          ApiFault.of(ACTIVITY_ON_RECORD, e.getMessage()).with("operation", e.operation());
      case WorkflowError.NoSuchOperation e ->
          ApiFault.of(OPERATION_NOT_FOUND, e.getMessage()).with("operation", e.operation());
      case WorkflowError.NotForkable e -> ApiFault.of(WORKFLOW_NOT_IN_STATE, e.getMessage());
      case WorkflowError.OverLimit e ->
          ApiFault.of(LIMIT_EXCEEDED, e.getMessage()).with("limit", e.limit());
      case WorkflowError.Unreachable e ->
          ApiFault.of(WORKFLOW_UNREACHABLE, e.getMessage()).retryAfter(SOON);
      case WorkflowError.NoSuchQuery e -> ApiFault.of(QUERY_NOT_FOUND, e.getMessage());
      case WorkflowError.QueryFailed e -> ApiFault.of(QUERY_FAILED, e.getMessage());
    };
  }

  /** Leaves out the database's own message: it may name rows and their content. */
  static ApiFault of(StorageException error) {
    return switch (error) {
      case StorageException.Unavailable e ->
          ApiFault.of(STORAGE_UNAVAILABLE, "Nothing was done; send it again.").retryAfter(SOON);
      case StorageException.OutcomeUnknown e ->
          ApiFault.of(
                  STORAGE_OUTCOME_UNKNOWN,
                  "It may have been done. Send it again with the same key.")
              .retryAfter(SOON);
      case StorageException.Refused e ->
          ApiFault.of(LIMIT_EXCEEDED, "The database cannot hold this; nothing was stored.");
    };
  }

  /**
   * Why a signal was not accepted; empty when it was.
   *
   * @param correlationIds names one occurrence, for a person who reads the log
   */
  public static Optional<ApiFault> of(SignalResult result, Supplier<String> correlationIds) {
    return Optional.ofNullable(
        switch (result) {
          case SignalResult.Accepted accepted -> null;
          case SignalResult.Duplicate duplicate -> null;
          case SignalResult.UnknownWorkflow unknown ->
              ApiFault.of(
                  WORKFLOW_NOT_FOUND, "There is no workflow \"" + unknown.workflowId() + "\".");
          case SignalResult.Closed closed ->
              ApiFault.of(
                  WORKFLOW_CLOSED,
                  "Workflow \""
                      + closed.workflowId()
                      + "\" has ended: its code would not receive the signal.");
          case SignalResult.Indeterminate lost ->
              ApiFault.of(
                      SIGNAL_ACCEPTANCE_INDETERMINATE,
                      "Its payload is stored and the record of its acceptance is not. Nothing was"
                          + " stored now; send it again only after an operator has looked.")
                  .with("workflowId", lost.workflowId().value())
                  .with("signalName", lost.signalName())
                  .with("signalId", lost.signalId())
                  .with("correlationId", correlationIds.get());
          case SignalResult.InboxFull full ->
              ApiFault.of(
                      INBOX_FULL,
                      "%d signals wait for workflow \"%s\" already: send it again when it read some."
                          .formatted(full.maxPending(), full.workflowId()))
                  .with("limit", "MAX_PENDING")
                  .retryAfter(SOON);
          case SignalResult.InvalidSignal invalid -> ApiFault.of(INVALID_REQUEST, invalid.reason());
        });
  }

  private static Throwable unwrapped(Throwable thrown) {
    Throwable failure = thrown;
    while ((failure instanceof CompletionException || failure instanceof ExecutionException)
        && failure.getCause() != null) {
      failure = failure.getCause();
    }
    return failure;
  }
}
