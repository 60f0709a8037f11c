package dev.tenure.sharding.activity;

import dev.tenure.sharding.branch.IdempotencyKeys;
import dev.tenure.sharding.branch.TraceMdc;
import dev.tenure.sharding.code.Interceptors;
import dev.tenure.sharding.payload.Exceptions;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.workflow.ActivityContext;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.StepInterceptor;
import dev.tenure.workflow.Trace;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Runs activities on virtual threads, each type within its own limits. It decides nothing: how an
 * attempt came out goes to the owner, who retries or not. An attempt that is stopped is
 * interrupted, and its result is dropped.
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
  private final Interceptors interceptors;
  private final Map<String, Lane<?, ?>> lanes = new ConcurrentHashMap<>();
  private final Map<ActivityTask.Key, Running> running = new ConcurrentHashMap<>();

  /** Of the attempts, those that run and have a time limit. */
  private final Set<Running> timed = ConcurrentHashMap.newKeySet();

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

  public Activities(
      Collection<? extends ActivityRegistration<?, ?>> registrations, PayloadCodec codec) {
    this(registrations, codec, Interceptors.NONE, Threads.VIRTUAL);
  }

  public Activities(
      Collection<? extends ActivityRegistration<?, ?>> registrations,
      PayloadCodec codec,
      Interceptors interceptors,
      Threads threads) {
    this.codec = codec;
    this.interceptors = interceptors;
    for (ActivityRegistration<?, ?> one : registrations)
      if (lanes.putIfAbsent(one.definition().name(), new Lane<>(one, threads)) != null)
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

  /**
   * @param begins asked for the time when the code begins to run
   * @param done told how it came out, once, unless the attempt is stopped
   */
  public Taken offer(ActivityTask task, Supplier<Instant> begins, Consumer<Outcome> done) {
    Lane<?, ?> lane = lanes.get(task.activity());
    if (lane == null) return Taken.UNKNOWN;
    Running attempt = new Running(task, begins, done);
    // The same attempt may be handed out again by a new owner on this node: the old one is over.
    Running before = running.put(task.key(), attempt);
    if (before != null) before.stop();
    boolean taken = lane.queue.offer(task.workflow(), () -> run(lane, attempt));
    if (!taken) running.remove(task.key(), attempt);
    return taken ? Taken.YES : Taken.NOT_NOW;
  }

  public void stop(WorkflowId workflow, String runId, OperationId operation, int attempt) {
    Running one = running.remove(new ActivityTask.Key(workflow, runId, operation, attempt));
    if (one != null) one.stop();
  }

  private <I, O> void run(Lane<I, O> lane, Running attempt) {
    // Before it begins, so that the check for overdue activities does not miss it.
    if (attempt.task.attemptLimit().isPresent()) timed.add(attempt);
    if (!attempt.begin()) {
      timed.remove(attempt);
      return;
    }
    Outcome outcome = outcome(lane, attempt);
    attempt.over();
    timed.remove(attempt);
    running.remove(attempt.task.key(), attempt);
    if (attempt.end()) attempt.done.accept(outcome);
  }

  /**
   * Gives up attempts that have been running for too long; to be called regularly. An attempt that
   * ignores its interrupt still counts as running: the limit is on the code that really runs.
   *
   * @return whether anything runs that may become overdue
   */
  public boolean stopOverdue(Instant now) {
    for (Running attempt : timed) if (attempt.isOverdue(now)) giveUp(attempt);
    return !timed.isEmpty();
  }

  private void giveUp(Running attempt) {
    timed.remove(attempt);
    if (!attempt.end()) return;
    attempt.stop();
    running.remove(attempt.task.key(), attempt);
    attempt.done.accept(new Outcome.TimedOut("Attempt " + attempt.attempt() + " took too long."));
  }

  @SuppressWarnings("unchecked")
  private <I, O> Outcome outcome(Lane<I, O> lane, Running attempt) {
    var definition = lane.registration.definition();
    String what = " of activity " + attempt.task.operation();
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(lane.registration.loader());
    try (TraceMdc logged = attempt.logged()) {
      I input = (I) codec.read(attempt.task.input(), definition.input().type(), "the input" + what);
      var body = lane.registration.body();
      O result = interceptors.around(attempt::call, () -> body.run(attempt, input)).run();
      Payload written = codec.writeKept(result, definition.output().type(), "the result" + what);
      // Whether values of its type can be read is a property of the type: the first one tells.
      if (!lane.isReadable && result != null) {
        codec.read(written, definition.output().type(), "the result" + what);
        lane.isReadable = true;
      }
      return new Outcome.Succeeded(written);
    } catch (Throwable thrown) {
      return new Outcome.Failed(Exceptions.toFailure(thrown));
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** How many run or wait. */
  public int size() {
    return running.size();
  }

  @Override
  public void close() {
    running.values().forEach(Running::stop);
    running.clear();
  }

  private static final class Lane<I, O> {
    private final ActivityRegistration<I, O> registration;
    private final Queue queue;

    /** A result of it was read back. */
    private volatile boolean isReadable;

    private Lane(ActivityRegistration<I, O> registration, Threads threads) {
      this.registration = registration;
      this.queue =
          new Queue(
              registration.definition().name(),
              registration.runningMax(),
              registration.waitingMax(),
              threads);
    }
  }

  private static final class Running implements ActivityContext {
    private final ActivityTask task;
    private final Supplier<Instant> begins;
    private final Consumer<Outcome> done;
    private Thread thread;
    private boolean told;
    private volatile boolean stopped;
    private volatile Optional<Instant> limit = Optional.empty();

    private Running(ActivityTask task, Supplier<Instant> begins, Consumer<Outcome> done) {
      this.task = task;
      this.begins = begins;
      this.done = done;
    }

    private synchronized boolean begin() {
      if (stopped) return false;
      thread = Thread.currentThread();
      limit = task.attemptLimit().map(span -> begins.get().plus(span));
      return true;
    }

    private TraceMdc logged() {
      return TraceMdc.under(task.workflow(), task.runId(), task.trace());
    }

    private StepInterceptor.Call call() {
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

    private boolean isOverdue(Instant now) {
      return limit.isPresent() && !now.isBefore(limit.get());
    }

    /** Whether the owner waits for the result, and has not got one yet. */
    private synchronized boolean end() {
      if (stopped || told) return false;
      told = true;
      return true;
    }

    private synchronized void over() {
      thread = null;
    }

    private synchronized void stop() {
      stopped = true;
      if (thread != null) thread.interrupt();
    }

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
    public Optional<Trace> trace() {
      return task.trace();
    }

    @Override
    public Optional<Instant> deadline() {
      Optional<Instant> all = task.deadline();
      if (limit.isEmpty() || all.isEmpty()) return limit.or(() -> all);
      return limit.get().isBefore(all.get()) ? limit : all;
    }

    @Override
    public boolean isCancelled() {
      return stopped;
    }
  }
}
