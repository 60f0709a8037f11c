package dev.tenure.sharding.activity;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.sharding.code.Interceptors;
import dev.tenure.sharding.failpoint.Failpoints;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.workflow.ActivityCode;
import dev.tenure.workflow.ActivityRouting;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.ResourceVerifier;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Effect.Proof;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/**
 * Runs activities on virtual threads, each type within its own limits. It decides nothing: how an
 * attempt came out goes to the owner, who retries or not. An attempt that is stopped is
 * interrupted, and its result is dropped. The attempt at a keyed call outlives its owner: what it
 * did is recorded when the owner cannot commit it.
 */
public final class Activities implements AutoCloseable {
  /** Whether a task was taken. */
  public enum Taken {
    YES,
    /** Too many of its type wait; offer it again later. */
    NOT_NOW,
    /** Its code is not registered on this node. */
    UNKNOWN
  }

  private final PayloadCodec codec;
  private final Threads threads;
  private final AttemptClocks clocks;
  private final KeyedCall.Surroundings node;
  private final Map<String, Lane<?, ?>> lanes = new ConcurrentHashMap<>();
  private final Map<ActivityTask.Key, RunningAttempt> running = new ConcurrentHashMap<>();

  /** The attempts at tasks that this node took from queues. No owner of theirs reaches them. */
  private final Set<RunningAttempt> taken = ConcurrentHashMap.newKeySet();

  /** Of the attempts, those that some time ends. */
  private final Set<RunningAttempt> timed = ConcurrentHashMap.newKeySet();

  /** What waits for an attempt. Called on any thread. */
  public interface Asker {
    /** Some time ends the attempt from now on: {@link #stopOverdue} has to be called. */
    void isTimed();

    /** What the attempt before said last; nothing when it said nothing. */
    Payload detailsBefore();

    /** The attempt is alive, and has come so far. */
    void said(Payload details);

    /** How it came out, once, unless the attempt is stopped. */
    void ended(Outcome outcome);

    /** It is proven that the call had no effect, or it may be repeated: of what was asked only. */
    default void absent() {
      throw new IllegalStateException("An attempt that is run has an outcome.");
    }
  }

  /** Where the code of activities runs. */
  @FunctionalInterface
  public interface Threads {
    /**
     * A new thread for each attempt, so that thread locals and interrupts of one do not reach the
     * next.
     */
    Threads VIRTUAL = (name, task) -> Thread.ofVirtual().name(name).start(task);

    void start(String name, Runnable task);
  }

  /**
   * @param holds whether this node still has a tenure: a keyed call does not go out without
   * @param elsewhere whether other nodes have the code of an activity
   */
  public Activities(
      Collection<? extends ActivityRegistration<?, ?>> registrations,
      PayloadCodec codec,
      Interceptors interceptors,
      Threads threads,
      AttemptClocks clocks,
      InvocationLedger ledger,
      EffectKeeper keeper,
      Predicate<Fence> holds,
      Predicate<String> elsewhere,
      Failpoints failpoints) {
    this.codec = codec;
    this.threads = threads;
    this.clocks = clocks;
    this.node =
        new KeyedCall.Surroundings(ledger, keeper, holds, elsewhere, new RunningCode(), failpoints);
    for (ActivityRegistration<?, ?> one : registrations)
      if (lanes.putIfAbsent(one.definition().name(), new Lane<>(one, codec, interceptors, threads))
          != null)
        throw new IllegalArgumentException(
            "Two activities are registered as \"%s\".".formatted(one.definition().name()));
  }

  /** The activities whose code is on this node. */
  public SortedSet<String> names() {
    return new TreeSet<>(lanes.keySet());
  }

  /** Whether the code of an activity is here. */
  public boolean knows(String activity) {
    return lanes.containsKey(activity);
  }

  public Taken offer(ActivityTask task, Asker asker) {
    Lane<?, ?> lane = lanes.get(task.activity());
    if (lane == null) return Taken.UNKNOWN;
    RunningAttempt before = running.get(task.key());
    // The owner before on this node began it, and what was called goes on.
    if (task.isKeyed() && before != null && before.adopt(task, asker)) return Taken.YES;
    RunningAttempt attempt = new RunningAttempt(task, task.isKeyed(), codec, clocks, asker);
    // The same attempt may be handed out again by a new owner on this node: the old one is over.
    before = running.put(task.key(), attempt);
    if (before != null) before.stop();
    if (isHeldUp(task)) {
      ask(Optional.of(lane), attempt, KeyedCall::proveBeside);
      return Taken.YES;
    }
    return enter(lane, attempt) ? Taken.YES : Taken.NOT_NOW;
  }

  /**
   * Whether it cannot be called, because the code of an attempt before it still runs. That code may
   * hold the last place of the lane, so this one must not wait there.
   */
  private boolean isHeldUp(ActivityTask task) {
    return task.isKeyed()
        && task.proof() == Proof.NEEDED
        && !task.spec().call().idempotent()
        && node.code().isInside(task);
  }

  private boolean enter(Lane<?, ?> lane, RunningAttempt attempt) {
    if (attempt.isTimed()) timed.add(attempt);
    boolean entered = lane.queue.offer(attempt.task.workflow(), () -> run(lane, attempt));
    if (!entered) forget(attempt);
    return entered;
  }

  /**
   * Runs a task that this node took from a queue. What it did is proven by the owner of its
   * workflow, so its outcome is told as it is.
   *
   * @return what stops it; empty when it cannot be run here now
   */
  public Optional<Runnable> offerTaken(ActivityTask task, Asker asker) {
    Lane<?, ?> lane = lanes.get(task.activity());
    if (lane == null) return Optional.empty();
    RunningAttempt attempt = new RunningAttempt(task, false, codec, clocks, asker);
    taken.add(attempt);
    return enter(lane, attempt) ? Optional.of(() -> stop(attempt)) : Optional.empty();
  }

  private void stop(RunningAttempt attempt) {
    attempt.stop();
    taken.remove(attempt);
  }

  /**
   * The activities of this node that have a queue of the engine's, and how many may run at once.
   * Their calls go there because of a limit over the cluster, or from owners whose nodes lack the
   * code.
   */
  public Map<String, Integer> ofNodeQueues() {
    Map<String, Integer> own = new TreeMap<>();
    for (Map.Entry<String, Lane<?, ?>> one : lanes.entrySet()) {
      ActivityRegistration<?, ?> registration = one.getValue().registration;
      ActivityRouting<?> routing = registration.definition().routing();
      if (routing.queue().isEmpty()) own.put(one.getKey(), registration.runningMax());
    }
    return own;
  }

  /** How many more calls of an activity would run at once. */
  public int room(String activity) {
    Lane<?, ?> lane = lanes.get(activity);
    return lane == null ? 0 : lane.queue.room();
  }

  public void stop(WorkflowId workflow, String runId, OperationId operation, int attempt) {
    RunningAttempt one = running.remove(new ActivityTask.Key(workflow, runId, operation, attempt));
    if (one != null) one.stop();
  }

  /**
   * The owner of the attempt ends. What a keyed call does is recorded beside the commits, for the
   * next owner; any other attempt is stopped.
   */
  public void leave(WorkflowId workflow, String runId, OperationId operation, int attempt) {
    RunningAttempt one = running.get(new ActivityTask.Key(workflow, runId, operation, attempt));
    boolean goesOn = one != null && one.isProvenHere && one.outlives(node.keeper());
    if (!goesOn) stop(workflow, runId, operation, attempt);
  }

  /** Whether what the activity did is looked up when a workflow is recovered. */
  public boolean isChecked(String activity) {
    return mode(activity).isPresent();
  }

  /** What follows when the outside world does not agree with what the activity did. */
  public Optional<ResourceVerifier.Mode> mode(String activity) {
    Lane<?, ?> lane = lanes.get(activity);
    return lane == null
        ? Optional.empty()
        : lane.registration.code().resource().map(ActivityCode.Resource::mode);
  }

  /**
   * Finds out whether the outside world agrees with what the call is recorded to have done. Says
   * absent when nothing differs, and otherwise a failure.
   */
  public void checkResource(ActivityTask task, Payload recorded, Asker asker) {
    Lane<?, ?> lane = lanes.get(task.activity());
    RunningAttempt attempt = new RunningAttempt(task, true, codec, clocks, asker);
    ask(Optional.of(lane), attempt, (call, leaves) -> call.checkResource(recorded, leaves));
  }

  /**
   * Finds out whether a keyed call had its effect that went to a worker, without calling it. While
   * the same is being found out this does nothing: who asked first has to look again.
   */
  public void prove(ActivityTask task, Asker asker) {
    askOnce(task, asker, KeyedCall::prove);
  }

  /**
   * Finds out what the outcome means that a worker reported for a keyed call: a failure may have
   * had an effect. As {@link #prove}.
   */
  public void settle(ActivityTask task, Outcome outcome, Asker asker) {
    askOnce(task, asker, (call, leaves) -> call.settle(outcome, leaves));
  }

  /** Whether an attempt is under way on this node, or is being proven. */
  public boolean isUnderWay(WorkflowId workflow, String runId, OperationId operation, int attempt) {
    return running.containsKey(new ActivityTask.Key(workflow, runId, operation, attempt));
  }

  private void askOnce(
      ActivityTask task, Asker asker, BiConsumer<KeyedCall<?, ?>, Runnable> question) {
    RunningAttempt attempt = new RunningAttempt(task, true, codec, clocks, asker);
    // One that has told its outcome may not have left yet.
    RunningAttempt asking =
        running.compute(
            task.key(), (key, before) -> before == null || before.hasTold() ? attempt : before);
    if (asking == attempt) ask(Optional.ofNullable(lanes.get(task.activity())), attempt, question);
  }

  /** There is always room to wait for a turn. The limit of its time begins with the question. */
  private void ask(
      Optional<? extends Lane<?, ?>> lane,
      RunningAttempt attempt,
      BiConsumer<KeyedCall<?, ?>, Runnable> question) {
    timed.add(attempt);
    KeyedCall<?, ?> call = new KeyedCall<>(lane.map(one -> (Lane<?, ?>) one), attempt, node);
    Queue.Work work = leaves -> finish(attempt, () -> question.accept(call, leaves));
    ActivityTask task = attempt.task;
    if (lane.isPresent()) lane.get().questions.offer(task.workflow(), work);
    else threads.start("proving " + task.operation(), () -> work.run(() -> {}));
  }

  private <I, O> void run(Lane<I, O> lane, RunningAttempt attempt) {
    KeyedCall<I, O> keyed = new KeyedCall<>(Optional.of(lane), attempt, node);
    finish(attempt, attempt.isProvenHere ? keyed::run : () -> plain(lane, attempt));
  }

  private void finish(RunningAttempt attempt, Runnable work) {
    try {
      work.run();
    } catch (RuntimeException unforeseen) {
      // Its owner would wait for it until it loses its tenure.
      if (attempt.isProvenHere) attempt.tell(KeyedCall.broken(unforeseen));
      throw unforeseen;
    } finally {
      attempt.leaves();
      if (attempt.phase() != RunningAttempt.Phase.SETTLING) forget(attempt);
    }
  }

  private void plain(Lane<?, ?> lane, RunningAttempt attempt) {
    if (!attempt.begin(RunningAttempt.Phase.CALLING, attempt.task.attemptLimit())) return;
    if (!attempt.calls(attempt.task.attemptLimit())) return;
    node.failpoints().hit("activity.before-call");
    Outcome outcome = node.code().around(attempt.task, () -> lane.call(attempt));
    node.failpoints().hit("activity.after-call");
    attempt.tell(outcome);
  }

  private void forget(RunningAttempt attempt) {
    timed.remove(attempt);
    running.remove(attempt.task.key(), attempt);
    taken.remove(attempt);
  }

  /**
   * Gives up attempts that have been running for too long; to be called regularly. An attempt that
   * ignores its interrupt still counts as running: the limit is on the code that really runs.
   *
   * @return whether there is anything that may become overdue
   */
  public boolean stopOverdue() {
    for (RunningAttempt attempt : timed) if (attempt.isOverdue()) giveUp(attempt);
    return !timed.isEmpty();
  }

  private void giveUp(RunningAttempt attempt) {
    String why = "Attempt " + attempt.attempt() + " took too long.";
    switch (attempt.phase()) {
      case WAITING -> over(attempt, new Outcome.TimedOut(why));
      case PROVING, SETTLING -> over(attempt, KeyedCall.verifierSilent());
      case CALLING -> {
        if (attempt.isProvenHere) settle(attempt, why);
        else over(attempt, new Outcome.TimedOut(why));
      }
      case OVER -> timed.remove(attempt);
    }
  }

  private void over(RunningAttempt attempt, Outcome outcome) {
    boolean told = attempt.tell(outcome);
    attempt.interrupt();
    if (told) forget(attempt);
  }

  private void settle(RunningAttempt attempt, String why) {
    Lane<?, ?> lane = lanes.get(attempt.task.activity());
    KeyedCall<?, ?> call = new KeyedCall<>(Optional.of(lane), attempt, node);
    attempt.interrupt();
    if (!attempt.settles(Optional.of(KeyedCall.VERIFYING_MAX))) return;
    threads.start(
        "settling " + attempt.task.operation(),
        () -> {
          try {
            call.timedOut(why);
          } finally {
            attempt.leaves();
            forget(attempt);
          }
        });
  }

  /** How many run or wait. */
  public int size() {
    return running.size() + taken.size();
  }

  @Override
  public void close() {
    running.values().forEach(RunningAttempt::stop);
    running.clear();
    taken.forEach(RunningAttempt::stop);
    taken.clear();
  }
}
