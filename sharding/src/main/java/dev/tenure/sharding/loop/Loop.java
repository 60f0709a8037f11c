package dev.tenure.sharding.loop;

import dev.tenure.sharding.activity.AttemptClocks;
import dev.tenure.sharding.branch.ExecutionGate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;

/**
 * Runs one task at a time, in the order that a {@link Choice} gives, on a clock that moves only
 * when the caller moves it. The code of workflows runs on threads of its own; while it runs, the
 * loop starts no other task, so that the same choices make the same run.
 */
public final class Loop implements ExecutionGate, InstantSource {
  /** Chooses which of the tasks that are due runs next. */
  @FunctionalInterface
  public interface Choice {
    Choice OLDEST = count -> 0;

    int among(int count);
  }

  /** The workflow's code did not come to a wait in time. */
  public static final class StalledException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StalledException(Duration limit) {
      super(
          "The code of a workflow or of a step did not come back within %s of real time."
              .formatted(limit));
    }
  }

  private record Task(String what, Runnable body) {}

  private record Running(String what, long since) {}

  private record Timer(Instant at, long number, Task task) {}

  /** The interval at which a thread that waits for code calls {@link #whileWaiting}'s check. */
  private static final long GLANCE_MS = 50;

  private final List<Task> ready = new ArrayList<>();
  private final PriorityQueue<Timer> timers =
      new PriorityQueue<>(Comparator.comparing(Timer::at).thenComparing(Timer::number));
  private final PriorityQueue<Timer> limits =
      new PriorityQueue<>(Comparator.comparing(Timer::at).thenComparing(Timer::number));
  private final Deque<Runnable> motions = new ArrayDeque<>();
  private final Instant origin;
  private final Duration patience;
  private volatile Instant now;
  private BooleanSupplier glance = () -> false;
  private int atWork;
  private long numbers;
  private long done;
  private boolean muted;
  private volatile Running running;

  /**
   * @param patience how long code may take, in real time, before {@link StalledException}
   */
  public Loop(Instant now, Duration patience) {
    this.now = now;
    this.origin = now;
    this.patience = patience;
  }

  /**
   * Sets the check that is called from time to time while the loop waits for code. It says whether
   * an owner has to give some of that code up.
   */
  public synchronized void whileWaiting(BooleanSupplier look) {
    glance = look;
  }

  // --- the clock

  @Override
  public Instant instant() {
    return now;
  }

  /** As {@link System#nanoTime}, by this clock. */
  public long nanos() {
    return Duration.between(origin, now).toNanos() + 1;
  }

  public synchronized Optional<Instant> nextTimer() {
    return Optional.ofNullable(timers.peek()).map(Timer::at);
  }

  /** What attempts go by on a node of this loop. */
  AttemptClocks clocks(InstantSource owners) {
    return AttemptClocks.of(this::nanos, owners);
  }

  /** Turns the clock; what is due by then can be done. */
  public synchronized void passTo(Instant time) {
    if (time.isBefore(now)) throw new IllegalArgumentException(time + " is before " + now);
    now = time;
    for (PriorityQueue<Timer> each : List.of(timers, limits))
      while (!each.isEmpty() && !each.peek().at.isAfter(time)) ready.add(each.poll().task);
  }

  // --- what is to be done

  /** Adds a task that is due now. Called on any thread. */
  public synchronized void soon(String what, Runnable body) {
    ready.add(new Task(what, body));
  }

  /** Adds a task that is due after the pause. The result cancels it. */
  public synchronized Runnable after(Duration pause, String what, Runnable body) {
    Timer timer = new Timer(now.plus(pause), numbers++, new Task(what, body));
    timers.add(timer);
    return () -> forget(timer);
  }

  /**
   * As {@link #after}, for a time limit of a caller: the loop does not move its clock to reach it.
   */
  public synchronized Runnable limit(Duration pause, String what, Runnable body) {
    Timer timer = new Timer(now.plus(pause), numbers++, new Task(what, body));
    limits.add(timer);
    return () -> forget(timer);
  }

  public synchronized Optional<Instant> nextLimit() {
    return Optional.ofNullable(limits.peek()).map(Timer::at);
  }

  private synchronized void forget(Timer timer) {
    if (!timers.remove(timer)) limits.remove(timer);
  }

  public synchronized boolean hasNext() {
    return !ready.isEmpty();
  }

  /** Runs the next task, and waits until the code that the task started has come to a wait. */
  public Optional<String> doNext(Choice choice) {
    Optional<Task> task = take(choice);
    task.ifPresent(
        one -> {
          running = new Running(one.what, System.nanoTime());
          one.body.run();
          setInMotion();
          running = null;
          awaitCode();
        });
    return task.map(Task::what);
  }

  /**
   * The code starts when its owner's task has ended, so that the two never run at the same time.
   */
  @Override
  public void start(Runnable motion) {
    motions.add(motion);
  }

  private void setInMotion() {
    for (Runnable one = motions.poll(); one != null; one = motions.poll()) one.run();
  }

  private synchronized Optional<Task> take(Choice choice) {
    if (ready.isEmpty()) return Optional.empty();
    done++;
    return Optional.of(ready.remove(choice.among(ready.size())));
  }

  /** The task that has been running for longer than that, in real time. From any thread. */
  public Optional<String> hanging(Duration limit) {
    Running one = running;
    boolean hangs = one != null && System.nanoTime() - one.since > limit.toNanos();
    return hangs ? Optional.of(one.what) : Optional.empty();
  }

  /** How many tasks have run. */
  public synchronized long done() {
    return done;
  }

  // --- code at work

  @Override
  public synchronized void begins() {
    atWork++;
  }

  @Override
  public synchronized void ends() {
    atWork--;
    if (atWork == 0) notifyAll();
  }

  @Override
  public void attempt(Runnable begin) {
    soon("a step", begin);
  }

  private void awaitCode() {
    long deadline = System.nanoTime() + patience.toNanos();
    BooleanSupplier look;
    while ((look = stillAtWork()) != null) {
      if (System.nanoTime() > deadline) throw new StalledException(patience);
      // An owner has to give the code up: the tasks that are due run now, its message among them.
      if (look.getAsBoolean())
        for (Optional<Task> one = take(Choice.OLDEST); one.isPresent(); one = take(Choice.OLDEST)) {
          one.get().body.run();
          setInMotion();
        }
    }
  }

  private synchronized BooleanSupplier stillAtWork() {
    try {
      if (atWork > 0) wait(GLANCE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StalledException(patience);
    }
    return atWork == 0 ? null : glance;
  }

  // --- the end of a node

  /** Runs a task that sends no message and no answer: it plays the death of a process. */
  public void silently(Runnable task) {
    muted = true;
    try {
      task.run();
    } finally {
      muted = false;
    }
  }

  public boolean isMuted() {
    return muted;
  }
}
