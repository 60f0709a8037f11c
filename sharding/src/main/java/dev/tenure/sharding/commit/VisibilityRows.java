package dev.tenure.sharding.commit;

import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.visibility.Attributes;
import dev.tenure.persistence.visibility.WorkflowChange;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.sharding.mailbox.SeenSignals;
import dev.tenure.sharding.message.IncomingSignal;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.kernel.Wake;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.lifecycle.WorkflowPhase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Keeps the workflow's row, which lists and wake-ups are made from. The row is written when the
 * workflow starts, comes to rest, moves again or closes; never for a step.
 */
public final class VisibilityRows {
  private final WorkflowId id;
  private final int shard;

  /** The row as it is stored; empty while that is not known. Then the next commit writes it. */
  private Optional<Standing> written = Optional.empty();

  private final SeenSignals seen;

  /** The position in the inbox up to which no signal concerns an open wait, as the row says. */
  private long signalsWritten;

  private record Standing(Status status, Wake wake) {}

  VisibilityRows(WorkflowId id, int shard, SeenSignals seen) {
    this.id = id;
    this.shard = shard;
    this.seen = seen;
  }

  /** Earlier owners received signals, and wrote that into the row with the same commits. */
  void begins(WorkflowState state) {
    signalsWritten = state.newestSignal();
  }

  /**
   * The row was found due, so it may say less than the owner knows. The next commit writes it even
   * if nothing is new: the stored row may be computed up to a later signal.
   */
  public void wasDue() {
    signalsWritten = Math.min(signalsWritten, 0);
    written = Optional.empty();
  }

  /** Whether the row keeps the workflow due for signals that no wait needs. */
  public boolean isBehind(WorkflowState state) {
    return seen.settled(state) > signalsWritten;
  }

  /**
   * What goes with a commit, given the state that it leaves.
   *
   * @param more whether the code asked for more than the commit holds: that is on no record, so the
   *     workflow must be awake to ask for it again (I8)
   * @param taken a signal that it takes and that is not in the inbox
   */
  List<SideRow> of(
      List<Event> events,
      List<Command.Arrival> returned,
      List<SideRow> repair,
      boolean more,
      WorkflowState state,
      Instant now,
      Optional<IncomingSignal> taken) {
    List<SideRow> rows = repair;
    boolean attributes = false;
    boolean starts = false;
    boolean anotherRun = false;
    boolean renewed = false;
    boolean startsAgain = false;
    for (int i = 0; i < events.size(); i++) {
      Event event = events.get(i);
      if (event instanceof Event.SignalConsumed consumed) {
        written = Optional.empty();
        if (taken.isPresent() && taken.get().is(consumed.arrival()))
          rows = with(rows, taken.get().takenBy(shard, now));
        else if (!isReturned(consumed, events))
          rows = with(rows, new SideRow.SignalConsumed(id, consumed.arrival().position()));
      }
      if (event instanceof Event.AttributesChanged) attributes = true;
      if (event instanceof Event.Started) starts = true;
      if (event instanceof Event.ContinuedAsNew) renewed = true;
      if (event instanceof Event.StartedAgain) startsAgain = true;
      if (event instanceof Event.Repinned) anotherRun = true;
    }
    for (Command.Arrival signal : returned) {
      written = Optional.empty();
      seen.saw(signal.signal(), signal.position());
      if (!isConsumed(signal, events) || taken.isPresent() && taken.get().is(signal))
        rows = with(rows, new SideRow.SignalReturned(id, shard, signal));
    }
    if (starts) {
      seen.workflowBegins();
      // A history that no owner has taken up yet: its code must be brought to its end.
      boolean atOnce =
          renewed
              || more
              || events.getLast() instanceof Event.Forked
              || events.getLast() instanceof Event.Started;
      return with(rows, new SideRow.WorkflowStarted(started(state, atOnce, now)));
    }
    if (startsAgain) {
      seen.startedAgain(state.newestSignal());
      return with(rows, new SideRow.WorkflowStartedAgain(started(state, true, now)));
    }
    anotherRun |= renewed;
    // Nothing is in flight, but the code of the next run has not begun, so the workflow must be in
    // memory.
    Standing standing = new Standing(state.status(), renewed || more ? Wake.NOW : state.wakeAt());
    boolean closes = state.phase() == WorkflowPhase.CLOSED;
    long settled = seen.settled(state);
    if (settled != signalsWritten) written = Optional.empty();
    if (!closes
        && !attributes
        && !anotherRun
        && written.isPresent()
        && written.get().equals(standing)) return rows;
    written = Optional.of(standing);
    signalsWritten = settled;
    WorkflowChange change =
        closes
            ? closes(standing.status, state, now)
            : WorkflowChange.rests(id, standing.status, wakeAt(standing.wake, now), settled);
    if (taken.isPresent()) change = change.taking(taken.get().position());
    if (attributes) change = change.with(new Attributes(state.attributes()));
    if (anotherRun)
      change =
          change.with(
              new WorkflowChange.Run(state.start().runId(), state.start().type().version()));
    return with(rows, new SideRow.WorkflowChanged(change));
  }

  private WorkflowChange closes(Status status, WorkflowState state, Instant now) {
    WorkflowChange change = WorkflowChange.closes(id, status, state.endedAt().orElse(now));
    OptionalLong emptyUpTo = seen.emptyUpTo(state);
    return emptyUpTo.isPresent() ? change.withEmptyInbox(emptyUpTo.getAsLong()) : change;
  }

  /** A signal that one commit takes and gives back stays where it is. */
  private static boolean isReturned(Event.SignalConsumed consumed, List<Event> events) {
    for (Event event : events)
      if (event instanceof Event.SignalReturned returned
          && returned.position() == consumed.arrival().position()) return true;
    return false;
  }

  private static boolean isConsumed(Command.Arrival returned, List<Event> events) {
    for (Event event : events)
      if (event instanceof Event.SignalConsumed consumed
          && consumed.arrival().position() == returned.position()) return true;
    return false;
  }

  private WorkflowRow started(WorkflowState state, boolean atOnce, Instant now) {
    Standing standing = new Standing(state.status(), atOnce ? Wake.NOW : state.wakeAt());
    written = Optional.of(standing);
    boolean closed = state.phase() == WorkflowPhase.CLOSED;
    return new WorkflowRow(
        id,
        shard,
        state.start().runId(),
        state.start().type(),
        standing.status,
        wakeAt(standing.wake, now),
        state.startedAt(),
        closed ? Optional.of(state.endedAt().orElse(now)) : Optional.empty(),
        state.start().origin().map(origin -> origin.parent()),
        new Attributes(state.attributes()));
  }

  private static Optional<Instant> wakeAt(Wake wake, Instant now) {
    return switch (wake) {
      case Wake.Now w -> Optional.of(now);
      case Wake.At at -> Optional.of(at.instant());
      case Wake.Never n -> Optional.empty();
    };
  }

  private static List<SideRow> with(List<SideRow> rows, SideRow row) {
    if (rows.isEmpty()) return List.of(row);
    List<SideRow> more = new ArrayList<>(rows);
    more.add(row);
    return more;
  }
}
