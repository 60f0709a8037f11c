package dev.tenure.sharding.code;

import dev.tenure.sharding.branch.Attempt;
import dev.tenure.sharding.branch.BranchHost;
import dev.tenure.sharding.branch.BranchScheduler;
import dev.tenure.sharding.branch.PendingStep;
import dev.tenure.sharding.branch.ReadOnlyCall;
import dev.tenure.sharding.branch.WorkClock;
import dev.tenure.sharding.branch.WorkflowThread;
import dev.tenure.sharding.branch.WorkflowThreadStopped;
import dev.tenure.sharding.context.WorkflowInvoker;
import dev.tenure.sharding.payload.CodeFault;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.sharding.program.Inquiry;
import dev.tenure.sharding.program.ProgramReports;
import dev.tenure.sharding.program.ProgramRun;
import dev.tenure.sharding.program.StepEnd;
import dev.tenure.sharding.program.StuckReason;
import dev.tenure.workflow.StepBody;
import dev.tenure.workflow.WorkflowRegistration;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Effect;
import dev.tenure.workflow.kernel.News;
import dev.tenure.workflow.kernel.Replay;
import dev.tenure.workflow.kernel.Wishes;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * One run of a workflow's code, as its owner sees it.
 *
 * <p><b>The turn.</b> The owner has the turn while it decides and commits, and {@link #give gives}
 * it away when everything is committed. A step that runs on the workflow's own thread takes the
 * turn when it ends, if the owner has given it away, and the code goes on at once to its next wait.
 * Result and wishes reach the owner together, so a sequence of steps costs one hand-over to the
 * code and one back for each commit. When the owner has the turn, the step's result waits in its
 * mailbox.
 *
 * <p><b>Why that is safe.</b> While the code has the turn the owner admits nothing else, so it
 * admits the step's result next, at the time that the code assumed. The commit may still fail; then
 * the next owner reads the history, and this run is thrown away.
 */
public final class CodeProgram implements ProgramRun, BranchHost {
  private record Own(OperationId operation, int attempt, Outcome outcome) {}

  private final CodeSetting setting;
  private final PayloadCodec codec;
  private final ProgramReports reports;
  private final BranchScheduler scheduler;
  private final WorkflowInvoker invoker;
  private final Turn turn = new Turn();
  private final AttemptThreads threads = new AttemptThreads(this);
  private final AtomicBoolean atWork = new AtomicBoolean();
  private final WorkClock work;

  /** The time of the newest event. */
  private Instant committed = Instant.MIN;

  /** Compares the code with the record after a replay. */
  private final RecordCheck record = new RecordCheck();

  private volatile Own own;
  private Runnable looked;
  private boolean replay;

  public CodeProgram(CodeSetting setting, ProgramReports reports) {
    this(setting, reports, System::nanoTime);
  }

  /**
   * @param nanos a clock that only measures, as {@link System#nanoTime}
   */
  CodeProgram(CodeSetting setting, ProgramReports reports, LongSupplier nanos) {
    this.work = new WorkClock(nanos);
    this.setting = setting;
    this.reports = reports;
    this.codec = setting.codec().forCode(setting.workflow().workflow());
    this.invoker = new WorkflowInvoker(setting.workflow(), codec, this);
    this.scheduler = new BranchScheduler(this, invoker);
  }

  @Override
  public boolean take() {
    return turn.ownerTakes();
  }

  @Override
  public void follow() {
    turn.ownerFollows();
  }

  @Override
  public Optional<Wishes> advance(List<News> news) {
    deliver(news, Optional.empty());
    return Optional.empty();
  }

  @Override
  public Optional<Wishes> replay(List<News> history, Replay recorded) {
    record.expects(recorded, scheduler.length);
    replay(history, recorded.recorded());
    return Optional.empty();
  }

  /** Replays without comparing the code with the record. */
  void replay(List<News> history, Set<OperationId> recorded) {
    deliver(history, Optional.of(recorded));
  }

  @Override
  public Replay.Comparison comparison() {
    return record.comparison();
  }

  private void deliver(List<News> news, Optional<Set<OperationId>> recorded) {
    turn.requireOwner();
    begins();
    replay = recorded.isPresent();
    setting.gate().start(() -> move(() -> scheduler.deliver(news, recorded)));
  }

  @Override
  public void give(Instant committed, List<Effect.RunStep> steps, boolean free) {
    turn.requireOwner();
    this.committed = committed;
    List<Attempt> attempts = steps.isEmpty() ? List.of() : new ArrayList<>(steps.size());
    for (Effect.RunStep step : steps) attempt(step).ifPresent(attempts::add);
    // From here on a step may end, and workflow code may run in parallel with this loop. The loop
    // must not touch shared state.
    List<WorkflowThread> hosts = attempts.isEmpty() ? List.of() : AttemptThreads.hosts(attempts);
    if (free) turn.end();
    for (int i = 0; i < attempts.size(); i++) {
      Attempt one = attempts.get(i);
      WorkflowThread host = hosts.get(i);
      setting.gate().attempt(() -> threads.start(one, host, setting.gate()));
    }
  }

  @Override
  public boolean giveUpReadOnlyCall(String why) {
    WorkflowThread thread = scheduler.running();
    ReadOnlyCall readOnly = thread == null ? null : thread.readOnly;
    if (readOnly == null || !readOnly.giveUp(why)) return false;
    scheduler.end();
    return true;
  }

  private Optional<Attempt> attempt(Effect.RunStep step) {
    return scheduler.pending(step.operation()) instanceof PendingStep<?> pending
        ? Optional.of(pending.attempt(step.attempt()))
        : Optional.empty();
  }

  @Override
  public Thread thread(String name, Runnable code) {
    return setting.threads().make(name, loader(), code);
  }

  @Override
  public void stop(OperationId operation, int attempt) {
    turn.requireOwner();
    if (scheduler.pending(operation) instanceof PendingStep<?> step) step.stop(attempt);
  }

  @Override
  public boolean stepEnded(WorkflowThread me, Attempt attempt, Outcome outcome) {
    boolean ahead = outcome instanceof Outcome.Succeeded && turn.codeTakes();
    if (!ahead) {
      tell(attempt, outcome);
      return false;
    }
    // The owner may have run since the step ended, and may have recorded another outcome, such as a
    // timeout.
    if (!attempt.step.isCurrent(attempt)) {
      turn.end();
      return false;
    }
    begins();
    Instant clock = setting.clock().instant();
    // The same time as the owner would give the commit: never before the last commit's.
    Instant at = clock.isAfter(committed) ? clock : committed;
    own = new Own(attempt.step.id, attempt.number, outcome);
    return scheduler.deliverOwn(me, new News.Completed(at, attempt.step.id, outcome));
  }

  void tell(Attempt attempt, Outcome outcome) {
    reports.stepEnded(
        this, new StepEnd(attempt.step.id, attempt.number, outcome, Optional.empty()));
  }

  @Override
  public void quiet() {
    work.quiet();
    if (!scheduler.isDestroyed()) report();
    ends();
  }

  private void report() {
    if (looked != null) {
      Runnable answer = looked;
      looked = null;
      answer.run();
    } else if (own != null) {
      Own mine = own;
      own = null;
      var ahead = new StepEnd.Ahead(scheduler.at(), scheduler.takeWishes());
      reports.stepEnded(
          this, new StepEnd(mine.operation, mine.attempt, mine.outcome, Optional.of(ahead)));
    } else {
      if (replay) scheduler.live();
      Wishes wishes = scheduler.takeWishes();
      if (record.compares(wishes, this)) reports.advanced(this, wishes);
    }
  }

  @Override
  public Optional<Inquiry.Reply> query(Inquiry inquiry) {
    turn.requireOwner();
    begins();
    setting
        .gate()
        .start(
            () ->
                move(
                    () ->
                        invoker.query(
                            scheduler,
                            inquiry,
                            reply -> looked = () -> reports.answered(this, reply))));
    return Optional.empty();
  }

  private void move(Runnable motion) {
    if (!scheduler.isDestroyed()) motion.run();
  }

  private void begins() {
    work.begins();
    if (atWork.compareAndSet(false, true)) setting.gate().begins();
  }

  private void ends() {
    if (atWork.compareAndSet(true, false)) setting.gate().ends();
  }

  @Override
  public boolean hasFailed(String updateId) {
    return record.hasFailed(updateId);
  }

  void broken(Throwable why) {
    end();
    reports.broken(this, why);
    ends();
  }

  @Override
  public <T> T readOrStop(Read<T> read) throws WorkflowThreadStopped {
    try {
      return read.read();
    } catch (WorkflowThreadStopped end) {
      throw end;
    } catch (Throwable unread) {
      throw stopsAt(CodeFault.inReading(unread));
    }
  }

  @Override
  public WorkflowThreadStopped stopsAt(Throwable why) {
    broken(why);
    return new WorkflowThreadStopped();
  }

  @Override
  public void destroy() {
    end();
    ends();
  }

  private void end() {
    scheduler.destroy();
    threads.stop();
  }

  @Override
  public long busySince() {
    return scheduler.isDestroyed() ? 0 : work.since();
  }

  @Override
  public long ranNanos() {
    return work.ranNanos();
  }

  @Override
  public Optional<StuckReason> stuckReason(long since) {
    if (since == 0 || busySince() != since) return Optional.empty();
    WorkflowThread thread = scheduler.running();
    return thread == null
        ? Optional.empty()
        : Optional.of(LostThread.stuckReason(thread, setting.spinning()));
  }

  @Override
  public Optional<Command> ownResult() {
    Own mine = own;
    return mine == null
        ? Optional.empty()
        : Optional.of(new Command.AttemptEnded(mine.operation, mine.attempt, mine.outcome));
  }

  @Override
  public WorkflowType type() {
    return setting.workflow().type();
  }

  @Override
  public WorkClock work() {
    return work;
  }

  @Override
  public BranchScheduler scheduler() {
    return scheduler;
  }

  @Override
  public <T> StepBody<T, ?> body(PendingStep<T> of, int attempt) {
    var body =
        setting.gate().body(threadName(), scheduler.start().runId(), of.id, attempt, of.body);
    return setting.interceptors().around(() -> of.call(attempt), body);
  }

  @Override
  public WorkflowRegistration<?> workflow() {
    return setting.workflow();
  }

  @Override
  public ClassLoader loader() {
    return setting.workflow().workflow().getClassLoader();
  }

  @Override
  public int newestVersion() {
    return setting.newest().getAsInt();
  }

  @Override
  public String threadName() {
    return setting.threadName();
  }

  @Override
  public PayloadCodec codec() {
    return codec;
  }
}
