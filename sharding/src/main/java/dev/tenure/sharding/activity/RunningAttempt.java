package dev.tenure.sharding.activity;

import dev.tenure.sharding.branch.IdempotencyKeys;
import dev.tenure.sharding.branch.TraceMdc;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.workflow.ActivityContext;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.StepInterceptor;
import dev.tenure.workflow.Trace;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Effect;
import dev.tenure.workflow.operation.ActivityCall;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** An attempt that waits for its turn or runs, and what its code may ask. */
final class RunningAttempt implements ActivityContext {
  /** What the attempt is doing. */
  enum Phase {
    /** It waits for its turn. */
    WAITING,
    /** It asks the record or the verifier. Nothing was called. */
    PROVING,
    /** Its code runs. */
    CALLING,
    /** Its code was given up or has failed, and the verifier is asked. */
    SETTLING,
    /** Its outcome is told, or nobody wants it any more. */
    OVER
  }

  final ActivityTask task;
  private final PayloadCodec codec;
  private volatile Activities.Asker asker;
  private Thread thread;
  private boolean orphan;
  private volatile Phase phase = Phase.WAITING;
  private volatile boolean stopped;
  private volatile boolean givenUp;
  private final AttemptClocks clocks;

  /** By the clock that only measures. */
  private volatile Optional<Long> limit = Optional.empty();

  /** By the clock that only measures. */
  private volatile Optional<Long> silentAt = Optional.empty();

  /** Gives back the place of a question. */
  private Runnable leaves = () -> {};

  /** Whether this node proves what the call did; of a task, its workflow's owner does. */
  final boolean isProvenHere;

  RunningAttempt(
      ActivityTask task,
      boolean isProvenHere,
      PayloadCodec codec,
      AttemptClocks clocks,
      Activities.Asker asker) {
    this.clocks = clocks;
    this.isProvenHere = isProvenHere;
    this.task = task;
    this.codec = codec;
    this.asker = asker;
  }

  // --- its phases

  Phase phase() {
    return phase;
  }

  /** Whether its outcome is told: nothing more comes from it. */
  boolean hasTold() {
    return phase == Phase.OVER;
  }

  /** Enters the first phase on this thread. False when nobody wants the attempt any more. */
  synchronized boolean begin(Phase first, Optional<Duration> span) {
    if (stopped || phase != Phase.WAITING || orphan) return false;
    thread = Thread.currentThread();
    enter(first, span);
    return true;
  }

  /** Its code is to run now. False when nobody wants that any more, or its owner has ended. */
  synchronized boolean calls(Optional<Duration> span) {
    if (stopped || orphan || phase == Phase.OVER) return false;
    enter(Phase.CALLING, span);
    lives();
    return true;
  }

  /** As {@link #begin}, in a place that is given back when the attempt is over. */
  synchronized boolean asks(Optional<Duration> span, Runnable place) {
    if (!begin(Phase.PROVING, span)) return false;
    leaves = place;
    return true;
  }

  private void enter(Phase next, Optional<Duration> span) {
    phase = next;
    limit = span.map(clocks::endOf);
    if (limit.isPresent()) asker.isTimed();
    silentAt = Optional.empty();
  }

  /**
   * The code has come back, or is given up: from now on the verifier is asked. Only one of the two
   * gets true.
   */
  synchronized boolean settles(Optional<Duration> span) {
    if (phase != Phase.CALLING || stopped) return false;
    enter(Phase.SETTLING, span);
    return true;
  }

  /** The thread has left the attempt: an interrupt would reach what it does next. */
  synchronized void leaves() {
    if (thread == Thread.currentThread()) thread = null;
  }

  /** Another thread goes on with the attempt. */
  synchronized void runsHere() {
    thread = Thread.currentThread();
  }

  /** Tells the outcome, if nobody has told one. */
  boolean tell(Outcome outcome) {
    Activities.Asker receiver;
    synchronized (this) {
      if (stopped || phase == Phase.OVER) return false;
      receiver = isOver();
    }
    receiver.ended(outcome);
    return true;
  }

  private Activities.Asker isOver() {
    phase = Phase.OVER;
    leaves.run();
    return asker;
  }

  /** Tells that the call had no effect, or may be repeated. */
  void tellAbsent() {
    Activities.Asker receiver;
    synchronized (this) {
      if (stopped || phase == Phase.OVER) return;
      receiver = isOver();
    }
    receiver.absent();
  }

  /** The workflow does not want the result any more. */
  synchronized void stop() {
    stopped = true;
    leaves.run();
    interrupt();
  }

  /** Its code is asked to stop; what it says from now on may come too late. */
  synchronized void interrupt() {
    givenUp = true;
    if (thread != null) thread.interrupt();
  }

  /**
   * The owner has ended, and the attempt goes on: what was called may have its effect.
   *
   * @param keeper records the outcome from now on
   * @return whether it stays: its code runs, or it waits for its turn and may be taken over
   */
  synchronized boolean outlives(EffectKeeper keeper) {
    if (stopped || phase == Phase.PROVING || phase == Phase.OVER) return false;
    orphan = true;
    asker = new Orphaned(asker, task, keeper);
    return true;
  }

  /**
   * The next owner on this node waits for it. False when it is too late for that. What waits for
   * its turn was not called, which another owner in between would not know: it is taken over within
   * one tenure only.
   */
  synchronized boolean adopt(ActivityTask asked, Activities.Asker next) {
    if (stopped || !orphan || phase == Phase.PROVING || phase == Phase.OVER) return false;
    if (phase == Phase.WAITING && !asked.tenure().equals(task.tenure())) return false;
    orphan = false;
    asker = next;
    return true;
  }

  /** Stands in for an owner that has ended. */
  private record Orphaned(Activities.Asker before, ActivityTask task, EffectKeeper keeper)
      implements Activities.Asker {
    @Override
    public void isTimed() {
      before.isTimed();
    }

    @Override
    public Payload detailsBefore() {
      return before.detailsBefore();
    }

    @Override
    public void said(Payload details) {}

    @Override
    public void ended(Outcome outcome) {
      keeper.keep(task, outcome);
    }
  }

  boolean isOverdue() {
    return isPast(limit) || isPast(silentAt) || isKeyedPastDeadline();
  }

  /**
   * The kernel watches over the deadline of a call without a key. Proving what happened goes on
   * behind it.
   */
  private boolean isKeyedPastDeadline() {
    boolean waits = phase == Phase.WAITING && task.proof() == Effect.Proof.GIVEN;
    return isProvenHere && (waits || phase == Phase.CALLING) && isTooLate();
  }

  /** Whether the time for all attempts is over, so that none may begin. */
  boolean isTooLate() {
    return task.deadline().filter(end -> !clocks.until(end).isPositive()).isPresent();
  }

  private boolean isPast(Optional<Long> end) {
    return end.isPresent() && !clocks.until(end.get()).isPositive();
  }

  /** Whether some time ends it. */
  boolean isTimed() {
    return task.attemptLimit().isPresent()
        || isProvenHere
        || task.spec().call().heartbeatTimeout().isPresent();
  }

  TraceMdc logged() {
    return TraceMdc.under(task.workflow(), task.runId(), task.trace());
  }

  StepInterceptor.Call call() {
    return new StepInterceptor.Call(
        StepInterceptor.Kind.ACTIVITY,
        task.workflow(),
        task.runId(),
        task.operation().value(),
        task.activity(),
        task.attempt(),
        idempotencyKey(),
        task.trace());
  }

  /** What its verifier may ask from now on. */
  ActivityContext forVerifier() {
    return new VerifierContext(this, limit.map(clocks::until).map(clocks::onMachine));
  }

  /** Whether nobody waits for a proof any more. */
  boolean isProofUnwanted() {
    return stopped || phase == Phase.OVER;
  }

  // --- what its code may ask

  @Override
  public WorkflowId workflowId() {
    return task.workflow();
  }

  @Override
  public String operationId() {
    return task.operation().value();
  }

  @Override
  public int attempt() {
    return task.attempt();
  }

  @Override
  public String idempotencyKey() {
    return IdempotencyKeys.of(task.workflow(), task.runId(), task.operation());
  }

  @Override
  public String attemptKey() {
    return IdempotencyKeys.ofAttempt(task.workflow(), task.operation(), task.attempt());
  }

  @Override
  public Optional<String> declaredKey() {
    return task.spec().call().idempotencyKey().filter(key -> !key.equals(ActivityCall.OWN_KEY));
  }

  @Override
  public Optional<Trace> trace() {
    return task.trace();
  }

  @Override
  public Optional<Instant> deadline() {
    Optional<Duration> own = limit.map(clocks::until);
    Optional<Duration> all = task.deadline().map(clocks::until);
    return Stream.concat(own.stream(), all.stream())
        .min(Comparator.naturalOrder())
        .map(clocks::onMachine);
  }

  @Override
  public boolean isCancelled() {
    return stopped || givenUp;
  }

  @Override
  public void heartbeat(Object said) {
    lives();
    if (said != null)
      asker.said(codec.write(said, said.getClass(), "the details of activity " + task.operation()));
  }

  private void lives() {
    silentAt = task.spec().call().heartbeatTimeout().map(clocks::endOf);
    if (silentAt.isPresent()) asker.isTimed();
  }

  @Override
  @SuppressWarnings("unchecked")
  public <T> Optional<T> lastDetails(Class<T> type) {
    Payload before = asker.detailsBefore();
    return before.isNone()
        ? Optional.empty()
        : Optional.of((T) codec.read(before, type, "the details of activity " + task.operation()));
  }
}
