package dev.tenure.sharding.commit;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.entry.Authorship;
import dev.tenure.persistence.entry.ChainLink;
import dev.tenure.persistence.entry.Head;
import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.entry.Snapshot;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.sharding.mailbox.SeenSignals;
import dev.tenure.sharding.message.IncomingSignal;
import dev.tenure.sharding.recovery.Suspects;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Effect;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Kernel;
import dev.tenure.workflow.kernel.Replay;
import dev.tenure.workflow.kernel.Sizes;
import dev.tenure.workflow.kernel.StateSnapshot;
import dev.tenure.workflow.kernel.WorkflowState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.IntSupplier;
import java.util.function.Predicate;

/** Folds a workflow's history into its state, and makes the next commit. */
public final class HistoryWriter {
  /** The limit for the large values that one commit keeps beside the journal. */
  private static final long APART_BYTES_MAX = 64L * 1024 * 1024;

  private final Kernel kernel;
  private final WorkflowId id;
  private final Fence fence;
  private final UUID writer;
  private final SeenSignals seen;
  private final VisibilityRows rows;
  private final RepairRows repair;
  private final RecordedActivities activities;
  private final IntSupplier level;
  private WorkflowState state = WorkflowState.none();
  private Replay replay = new Replay();

  /** The snapshot whose commit has not been read yet; until then commits are not folded. */
  private Optional<Snapshot> awaited = Optional.empty();

  /** The history of earlier owners is complete. */
  private boolean isRead;

  private long rowsRead;
  private long bytesBehindSnapshot;
  private long eventsRead;
  private boolean hasStood;
  private ChainLink link = ChainLink.NONE;
  private long version;
  private long completed;

  /**
   * @param level of formats up to which may be written now
   */
  public HistoryWriter(
      Kernel kernel,
      WorkflowId id,
      Fence fence,
      UUID writer,
      SeenSignals seen,
      RepairRows repair,
      IntSupplier level) {
    this(kernel, id, fence, writer, seen, repair, level, activity -> false);
  }

  /**
   * @param writer the name under which it writes, which no writer had before
   * @param level of formats up to which may be written now
   * @param isChecked which activities are looked up in the outside world when the run is recovered
   */
  public HistoryWriter(
      Kernel kernel,
      WorkflowId id,
      Fence fence,
      UUID writer,
      SeenSignals seen,
      RepairRows repair,
      IntSupplier level,
      Predicate<String> isChecked) {
    this.level = level;
    this.activities = new RecordedActivities(isChecked);
    this.id = id;
    this.kernel = kernel;
    this.fence = fence;
    this.writer = writer;
    this.seen = seen;
    this.rows = new VisibilityRows(id, fence.shard(), seen);
    this.repair = repair;
  }

  /** The next commit of the history. */
  public void recover(JournalEntry entry) {
    entry.requireNoSeal();
    if (version > 0) entry.requireAfter(new Head(completed, version), link);
    entry.requireOf(id);
    // The run before may have ended in the first commit that is read.
    for (Event event : state.exists() ? entry.events() : entry.newestRun()) {
      if (awaited.isEmpty()) state = kernel.evolve(state, event);
      replay.add(event);
      activities.add(event);
      if (event instanceof Event.StartedAgain again) seen.startedAgain(again.newestSignal());
    }
    isAt(entry.head(), entry.link());
    rowsRead++;
    bytesBehindSnapshot += entry.size();
    if (awaited.isPresent() && awaited.get().head().version() == version) {
      bytesBehindSnapshot = 0;
      if (!awaited.get().isOf(entry))
        throw new IllegalStateException("The snapshot was compared with another journal.");
      state = awaited.get().state().state();
      awaited = Optional.empty();
    }
  }

  /** What was read of activities whose effects are looked up. */
  public RecordedActivities activities() {
    return activities;
  }

  private void isAt(Head head, ChainLink own) {
    link = own;
    version = head.version();
    completed = head.completed();
  }

  /**
   * The snapshot, which was compared with the journal, stands for the commits up to its own. Those
   * before that are still read when the program has to learn from them; otherwise only those behind
   * it are.
   */
  public void restore(Snapshot snapshot) {
    bytesBehindSnapshot = 0;
    if (snapshot.memory().isEmpty()) {
      awaited = Optional.of(snapshot);
      return;
    }
    state = snapshot.state().state();
    replay = new Replay(snapshot.state(), snapshot.memory().get());
    isAt(snapshot.head(), snapshot.link());
  }

  /**
   * Of the newest commit, which stands.
   *
   * @param remembered what the program knows, when it can go on from that
   */
  public Snapshot snapshot(Optional<Payload> remembered) {
    return new Snapshot(
        id, new Head(completed, version), link, StateSnapshot.of(state), remembered);
  }

  /**
   * The commit stands and began another run: a program for that is built from the commit's events.
   */
  public void followsRun(JournalEntry entry) {
    replay = new Replay();
    eventsRead = 0;
    // The same state that a reader of the journal folds from there on.
    state = WorkflowState.none();
    for (Event event : entry.newestRun()) {
      state = kernel.evolve(state, event);
      replay.add(event);
      activities.add(event);
    }
  }

  /**
   * The history that a program is rebuilt from. It can be taken once, because it is as long as the
   * history.
   */
  public Replay takeReplay() {
    if (!isRead) {
      eventsRead = state.eventCount();
      rows.begins(state);
      repair.begins(state);
    }
    isRead = true;
    if (awaited.isPresent())
      throw new IllegalStateException("The journal ends before the snapshot that it agreed with.");
    Replay taken = replay;
    replay = null;
    return taken;
  }

  public WorkflowState state() {
    return state;
  }

  /** How many commits of earlier owners were read. */
  public long rowsRead() {
    return rowsRead;
  }

  /** How many bytes the rows have that were read behind the snapshot. */
  public long bytesBehindSnapshot() {
    return bytesBehindSnapshot;
  }

  /** How many events the run had when it was read; none when it began in memory. */
  public long eventsRead() {
    return eventsRead;
  }

  /** The workflow's row was found due, or says that no owner could read the workflow. */
  public void wasDue(Suspects suspects) {
    rows.wasDue();
    repair.look(suspects);
  }

  /** Whether a row says less than the owner knows, so that a commit has to write it. */
  public boolean isBehind() {
    return rows.isBehind(state) || repair.isBehind();
  }

  public VisibilityRows rows() {
    return rows;
  }

  public long version() {
    return version;
  }

  /** The bytes of the next commit. Nothing is folded yet. */
  public JournalEntry.Encoded encode(List<Event> events) {
    long after = completed;
    for (Event event : events) if (cameOut(event)) after++;
    Authorship by = new Authorship(id, writer);
    return JournalEntry.encode(
        by, events, new Head(after, version + 1), fence, link, level.getAsInt());
  }

  /**
   * The next commit. Its events are folded at once, so the state is true only if the commit stands.
   *
   * @param returned the signals that its events give back
   * @param more whether the code asked for more than this commit holds
   */
  public JournalEntry next(
      JournalEntry.Encoded encoded, List<Command.Arrival> returned, boolean more, Instant now) {
    return next(encoded, List.of(), returned, more, now, Optional.empty());
  }

  /**
   * @param effects what follows when the commit stands
   * @param signal a signal that the commit takes and that is not in the inbox
   */
  public JournalEntry next(
      JournalEntry.Encoded encoded,
      List<Effect> effects,
      List<Command.Arrival> returned,
      boolean more,
      Instant now,
      Optional<IncomingSignal> signal) {
    List<Event> events = encoded.events();
    boolean hadIncident = state.incident().isPresent();
    ActivityRows calls = new ActivityRows(id, fence, now);
    for (Event event : events) {
      calls.of(event, state);
      state = kernel.evolve(state, event);
      if (cameOut(event)) completed++;
    }
    version++;
    calls.of(effects, state);
    List<SideRow> repairs = repair.of(events, hadIncident, state, version);
    List<SideRow> all = rows.of(events, returned, repairs, more, state, now, signal);
    JournalEntry entry = encoded.with(together(all, calls.rows()));
    link = entry.link();
    return entry;
  }

  /** What goes beside it, with what keeps a workflow due whose tasks came out meanwhile (I8). */
  private List<SideRow> together(List<SideRow> all, List<SideRow> calls) {
    boolean rests =
        state.isWithWorkers() && all.stream().anyMatch(SideRow.WorkflowChanged.class::isInstance);
    if (calls.isEmpty() && !rests) return all;
    List<SideRow> together = new ArrayList<>(all);
    together.addAll(calls);
    if (rests) together.add(new SideRow.ResultsAwaited(id));
    return together;
  }

  /** Whether a commit of this owner stands. */
  public boolean hasStood() {
    return hasStood;
  }

  /** The last commit stands. */
  public void stands() {
    hasStood = true;
    repair.stands();
  }

  private static boolean cameOut(Event event) {
    return event instanceof Event.Completed
        || event instanceof Event.SignalConsumed
        || event instanceof Event.ValueRecorded;
  }

  /** Why this is too large for one commit; empty when it is not. */
  static Optional<String> tooLarge(JournalEntry.Encoded encoded, int bytesMax) {
    if (encoded.bytes() > bytesMax) return tooLarge("MAX_PAYLOAD_BYTES", encoded.bytes(), bytesMax);
    long apart = 0;
    for (Event event : encoded.events()) {
      int bytes = Sizes.payloadBytes(event);
      if (bytes > Payloads.APART_BYTES) apart += bytes;
      if (event instanceof Event.ContinuedAsNew renewal)
        for (Event.CarriedUpdate update : renewal.updates())
          if (update.payload().size() > Payloads.APART_BYTES) apart += update.payload().size();
    }
    return apart > APART_BYTES_MAX
        ? tooLarge("APART_BYTES_MAX", apart, APART_BYTES_MAX)
        : Optional.empty();
  }

  private static Optional<String> tooLarge(String limit, long bytes, long max) {
    return Optional.of(
        "One commit would have %d bytes, more than %s = %d: the results that came in and what the code asks for next are too large together."
            .formatted(bytes, limit, max));
  }
}
