package dev.tenure.sharding.workflow;

import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.signal.SignalWrites;
import dev.tenure.persistence.visibility.Attributes;
import dev.tenure.persistence.visibility.WorkflowChange;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.persistence.visibility.WorkflowWrites;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.kernel.Wake;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.lifecycle.WorkflowPhase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What lists and wake-ups know of a workflow, and when they must be told: when it starts, comes to
 * rest, moves again or closes; never for a step.
 */
final class Rows {
  private final WorkflowId id;
  private final int shard;

  /** As the row stands, empty while that is not known: then the next commit writes it. */
  private Optional<Standing> written = Optional.empty();

  /** The newest signal that was seen in the inbox, and the one that the row knows as seen. */
  private long signalsSeen;

  private long signalsWritten;

  private record Standing(Status status, Wake wake) {}

  Rows(WorkflowId id, int shard) {
    this.id = id;
    this.shard = shard;
  }

  /** A row that others touched since it was written says something else than it should. */
  void sawSignal(long position) {
    if (position <= signalsSeen) return;
    signalsSeen = position;
    written = Optional.empty();
  }

  /** An earlier owner received it, and said so in the row with the same commit. */
  void consumedBefore(long position) {
    signalsSeen = Math.max(signalsSeen, position);
    signalsWritten = Math.max(signalsWritten, position);
  }

  /** Whether signals were seen that the row does not know as seen. */
  boolean isBehind() {
    return signalsSeen > signalsWritten;
  }

  /** What goes with a commit, given the state that it leaves. */
  List<SideRow> of(List<Event> events, List<SideRow> repair, WorkflowState state, Instant now) {
    List<SideRow> rows = repair;
    boolean attributes = false;
    boolean starts = false;
    boolean anotherRun = false;
    boolean renewed = false;
    boolean startsAgain = false;
    for (int i = 0; i < events.size(); i++) {
      Event event = events.get(i);
      if (event instanceof Event.SignalConsumed consumed) {
        sawSignal(consumed.arrival().position());
        written = Optional.empty();
        rows = with(rows, SignalWrites.consume(id, consumed.arrival().position()));
      }
      if (event instanceof Event.AttributesChanged) attributes = true;
      if (event instanceof Event.Started) starts = true;
      if (event instanceof Event.ContinuedAsNew) renewed = true;
      if (event instanceof Event.StartedAgain) startsAgain = true;
      if (event instanceof Event.Repinned) anotherRun = true;
    }
    if (starts) {
      // A history that nobody goes on with yet: its code must be brought there.
      boolean atOnce =
          events.getLast() instanceof Event.Forked || events.getLast() instanceof Event.Started;
      return with(rows, WorkflowWrites.start(started(state, atOnce, now)));
    }
    if (startsAgain) {
      for (SideRow row : WorkflowWrites.startAgain(started(state, true, now)))
        rows = with(rows, row);
      return rows;
    }
    anotherRun |= renewed;
    // Nothing is in flight, and yet it must be awake: the code of the next run has not begun.
    Standing standing = new Standing(state.status(), renewed ? Wake.NOW : state.wakeAt());
    boolean closes = state.phase() == WorkflowPhase.CLOSED;
    if (!closes
        && !attributes
        && !anotherRun
        && written.isPresent()
        && written.get().equals(standing)) return rows;
    written = Optional.of(standing);
    signalsWritten = signalsSeen;
    WorkflowChange change =
        closes
            ? WorkflowChange.closes(id, standing.status, state.endedAt().orElse(now))
            : WorkflowChange.rests(id, standing.status, wakeAt(standing.wake, now), signalsSeen);
    if (attributes) change = change.with(new Attributes(state.attributes()));
    for (SideRow row : WorkflowWrites.change(change)) rows = with(rows, row);
    if (anotherRun)
      rows =
          with(rows, WorkflowWrites.run(id, state.start().runId(), state.start().type().version()));
    return rows;
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
