package dev.tenure.simulation;

import dev.tenure.workflow.audit.Violation;
import dev.tenure.workflow.kernel.WorkflowState;
import java.time.Duration;
import java.time.Instant;

/** In the calm, what is due by the store's clock happens soon (I8), whatever clocks nodes have. */
final class Lateness {
  /** A node may lose its leases first, and the next one has to wait for them. */
  private static final Duration LATEST = Duration.ofMinutes(2);

  private Lateness() {}

  /**
   * @param state before the commit that is stored now
   */
  static void require(String id, WorkflowState state, Instant promptSince, Instant now) {
    if (!state.runs() || state.isHeld() || !promptSince.isBefore(now.minus(LATEST))) return;
    state
        .nextDue()
        .filter(due -> later(due, state.at()).plus(LATEST).isBefore(now))
        .ifPresent(
            due -> {
              throw new Violation("I8", id + " was due at " + due + ", and moves at " + now);
            });
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
