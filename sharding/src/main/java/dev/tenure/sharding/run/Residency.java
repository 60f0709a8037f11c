package dev.tenure.sharding.run;

import dev.tenure.sharding.effect.PendingReplies;
import dev.tenure.sharding.host.Residents;
import dev.tenure.sharding.host.WorkflowSettings;
import dev.tenure.sharding.mailbox.PendingMessages;
import dev.tenure.sharding.message.IncomingSignal;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.program.BusyTime;
import dev.tenure.sharding.program.ProgramRun;
import dev.tenure.workflow.kernel.Wake;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.lifecycle.WorkflowPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongSupplier;

/** The state of one workflow for the check of all workflows in memory; written by its owner. */
final class Residency extends Residents.Resident {
  /**
   * A finished workflow stays in memory for a twentieth of the usual time: clients ask for its
   * result shortly after the end, and rarely later.
   */
  private static final int CLOSED_PART = 20;

  private final Owner.Self self;
  private final PendingMessages pending;
  private final LongSupplier nanos;
  private final long restNanos;
  private final long codeNanos;
  private final BusyTime busyTime = new BusyTime();
  private volatile long dueMs = Long.MAX_VALUE;
  private volatile long restsSince;

  /** The owner is idle, or about to be: it takes up the next message soon. */
  private volatile boolean isFree;

  private volatile long restFor;
  private volatile boolean isAwaited;
  private volatile ProgramRun program;

  /** When the code must have come to a wait; 0 when there is no such limit. */
  private volatile long untilNanos;

  private volatile long dueTold = Long.MAX_VALUE;
  private long idleTold;
  private long overdueTold;

  Residency(
      WorkflowSettings settings, LongSupplier nanos, Owner.Self self, PendingMessages pending) {
    this.nanos = nanos;
    this.self = self;
    this.pending = pending;
    this.restNanos = settings.restLimit().toNanos();
    this.codeNanos = settings.codeLimit().toNanos();
  }

  void watch(ProgramRun code) {
    untilNanos = 0;
    program = code;
  }

  /**
   * @param most the time after which the code counts as overdue, even if it did not run
   */
  void watch(ProgramRun code, Duration most) {
    long until = System.nanoTime() + most.toNanos();
    untilNanos = until == 0 ? 1 : until;
    program = code;
  }

  void watchNothing() {
    program = null;
  }

  /**
   * A commit stands.
   *
   * @param last whether the owner will be idle after the effects. A client that they answer may
   *     send the next signal before the owner's turn has ended.
   */
  void stands(WorkflowState state, boolean last) {
    stands(state);
    if (last) isFree = true;
  }

  /**
   * The owner takes up that something is due. If the clock went back since it was told so, it is
   * told again.
   */
  void takesUpDue(long nowMs) {
    if (nowMs < dueMs) dueTold = Long.MAX_VALUE;
  }

  void stands(WorkflowState state) {
    Optional<Instant> due = state.nextDue();
    // Rounded up to whole milliseconds, so that a timer never fires early.
    dueMs = due.map(at -> at.plusNanos(999_999).toEpochMilli()).orElse(Long.MAX_VALUE);
    // The next timer may be due in the same millisecond as the last one, and the owner must be told
    // again.
    if (dueTold != Long.MAX_VALUE) dueTold = Long.MAX_VALUE;
  }

  /**
   * The owner is idle.
   *
   * @param busy whether messages wait
   * @param awaited whether clients wait for an answer
   */
  void quiet(WorkflowState state, boolean busy, boolean awaited) {
    if (!wouldRest(state, busy)) moves();
    else if (restsSince == 0) {
      long usual = state.exists() && !isClosed(state) ? restNanos : restNanos / CLOSED_PART;
      // A client that still waits has asked again by then, and its message begins a new rest.
      restFor = awaited ? Math.max(usual, PendingReplies.PATIENCE.toNanos() + 1) : usual;
      isAwaited = awaited;
      restsSince = now();
    }
    isFree = !busy;
  }

  /**
   * @param wanted whether messages or clients wait for the owner
   */
  boolean wouldRest(WorkflowState state, boolean wanted) {
    return !wanted && (!state.exists() || !(state.wakeAt() instanceof Wake.Now) || isClosed(state));
  }

  private static boolean isClosed(WorkflowState state) {
    return state.phase() == WorkflowPhase.CLOSED;
  }

  /** The rest begins once more. */
  void restsAnew() {
    if (restsSince != 0) restsSince = now();
  }

  void moves() {
    restsSince = 0;
    isFree = false;
    awakes();
  }

  @Override
  protected boolean tell(Message message) {
    return pending.tellUnlessLeaving(message, self::tell);
  }

  /** While the owner is busy the signal is put into the inbox, so that its sender need not wait. */
  @Override
  protected boolean signal(IncomingSignal signal) {
    return !isFree && pending.toInbox(signal, this::tell) || tell(new Message.Signalled(signal));
  }

  @Override
  protected boolean rests() {
    return restsSince != 0;
  }

  @Override
  protected boolean isQuiet() {
    ProgramRun code = program;
    return restsSince != 0 && (code == null || code.busySince() == 0);
  }

  @Override
  protected long dueMs() {
    return dueMs;
  }

  @Override
  protected void look(long nowMs, boolean crowded, boolean carriers) {
    self.look(now());
    long due = dueMs;
    // Told once for each due time: a busy owner sees by itself that more is due.
    if (nowMs >= due && dueTold != due) {
      dueTold = due;
      self.tell(Message.Due.DUE);
    } else if (nowMs < due) dueTold = Long.MAX_VALUE;
    long since = restsSince;
    if (since != 0 && idleTold != since && ((crowded && !isAwaited) || now() - since >= restFor)) {
      idleTold = since;
      self.tell(Message.Idle.IDLE);
    }
    lookAtCode(carriers);
  }

  /** Measured by the process's clock, even where a test turns the owner's. */
  private void lookAtCode(boolean carriers) {
    ProgramRun code = program;
    long busySince = code == null ? 0 : code.busySince();
    if (busySince == 0 || busySince == overdueTold) return;
    long now = System.nanoTime();
    long until = untilNanos;
    boolean late = until != 0 && now - until > 0;
    if (!busyTime.exceeds(codeNanos, code, carriers, now) && !late) return;
    overdueTold = busySince;
    self.tell(new Message.Overdue(code, busySince));
  }

  private long now() {
    long at = nanos.getAsLong();
    return at == 0 ? 1 : at;
  }
}
