package dev.tenure.workflow;

import java.time.Instant;
import java.util.Optional;

/**
 * What a workflow knows about itself.
 *
 * @param deadline when its execution timeout ends it
 * @param historyEvents how long this run's history is so far, as its code sees it: each operation
 *     that it asked for, each outcome that it was told. What the code never hears of, such as
 *     attempts that failed, is not in it: so it is the same in every replay, and in a fork up to
 *     where that begins.
 * @param historyBytes of the payloads in it
 */
public record WorkflowInfo(
    WorkflowId id,
    String runId,
    WorkflowType type,
    Instant startedAt,
    Optional<WorkflowId> parent,
    Optional<Instant> deadline,
    long historyEvents,
    long historyBytes) {
  /**
   * A run of this length should continue as new. A replay reads it in a fraction of a second, and
   * the warnings come much later. The number never changes, because code decides by it and must
   * decide the same in every replay.
   */
  public static final long CONTINUE_AS_NEW_EVENTS = 10_000;

  public static final long CONTINUE_AS_NEW_BYTES = 32L * 1024 * 1024;

  /**
   * Whether the run has become so long that it should {@linkplain
   * WorkflowContext#continueAsNew(Object) continue as new} at the next place that suits it.
   */
  public boolean continueAsNewSuggested() {
    return historyEvents >= CONTINUE_AS_NEW_EVENTS || historyBytes >= CONTINUE_AS_NEW_BYTES;
  }
}
