package dev.tenure.sharding.message;

import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.kernel.Warning;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.lifecycle.OperationPhase;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationKind;
import dev.tenure.workflow.operation.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The state of a workflow, for people. */
public record Description(
    WorkflowId id,
    String runId,
    WorkflowType type,
    Status status,
    Instant startedAt,
    Optional<Instant> endedAt,
    Optional<WorkflowId> parent,
    Map<String, Attribute> attributes,
    Optional<Outcome> outcome,
    Optional<String> cancelRequested,
    Optional<String> pauseReason,
    Optional<String> blockReason,
    Optional<Incident> incident,
    Optional<Instant> nextDue,
    long version,
    long events,
    long operations,
    List<Open> open,
    List<Warning> warnings) {
  /** More open operations than this are counted, not listed. */
  public static final int OPEN_MAX = 100;

  /** The longest text of an open operation's failure, and of the place where it happened. */
  public static final int FAILURE_CHARS_MAX = 1_024;

  /** One open operation. */
  public record Open(
      String id,
      OperationKind kind,
      OperationPhase phase,
      int attempt,
      String ledger,
      Instant scheduledAt,
      Optional<Instant> dueAt,
      Optional<Failure> lastFailure) {
    public static Open of(Operation operation) {
      return new Open(
          operation.id().value(),
          operation.kind(),
          operation.phase(),
          operation.attempt(),
          operation.ledger().toString(),
          operation.scheduledAt(),
          operation.dueAt(),
          operation.lastFailure().map(Open::brief));
    }

    /**
     * Up to a hundred operations are listed in one description, so their failures are cut. The
     * history has them in full.
     */
    private static Failure brief(Failure failure) {
      return new Failure(
          failure.type(),
          Failure.cut(failure.message(), FAILURE_CHARS_MAX),
          failure.code(),
          failure.retryable(),
          Failure.cut(failure.stackText(), FAILURE_CHARS_MAX),
          failure.cause().map(Open::withoutCause));
    }

    private static Failure withoutCause(Failure cause) {
      return new Failure(
          cause.type(),
          Failure.cut(cause.message(), FAILURE_CHARS_MAX),
          cause.code(),
          cause.retryable(),
          "",
          Optional.empty());
    }
  }

  private static List<Open> open(WorkflowState state, Optional<OperationId> about) {
    Optional<Operation> first = about.flatMap(state::operation);
    return Stream.concat(
            first.stream(),
            state.openOperations().stream().filter(each -> !Optional.of(each).equals(first)))
        .limit(OPEN_MAX)
        .map(Open::of)
        .toList();
  }

  /**
   * Of a workflow whose history this engine does not read: what its row says.
   *
   * @param version of its newest commit
   * @param why the history is not read
   */
  public static Description of(WorkflowRow row, long version, String why) {
    return new Description(
        row.id(),
        row.runId(),
        row.type(),
        row.closedAt().isPresent() ? row.status() : Status.BLOCKED,
        row.startedAt(),
        row.closedAt(),
        row.parent(),
        row.attributes().values(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        row.closedAt().isPresent() ? Optional.empty() : Optional.of(why),
        Optional.empty(),
        Optional.empty(),
        version,
        0,
        0,
        List.of(),
        List.of());
  }

  /**
   * @param whereabouts where the code is that it waits for, when it is blocked
   * @param about the operation that is described first, if it is open
   */
  public static Description of(
      WorkflowState state,
      long version,
      Optional<String> whereabouts,
      Optional<OperationId> about) {
    return new Description(
        state.start().id(),
        state.start().runId(),
        state.start().type(),
        state.status(),
        state.startedAt(),
        state.endedAt(),
        state.start().origin().map(origin -> origin.parent()),
        Map.copyOf(state.attributes()),
        state.outcome(),
        state.cancelRequested(),
        state.pauseReason(),
        state.blockReason().map(why -> whereabouts.map(where -> why + " " + where).orElse(why)),
        state.incident(),
        state.nextDue(),
        version,
        state.eventCount(),
        state.operationCount(),
        open(state, about),
        state.warnings());
  }
}
