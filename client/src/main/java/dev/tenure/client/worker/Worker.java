package dev.tenure.client.worker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tenure.client.Task;
import dev.tenure.client.TaskAnswer;
import dev.tenure.client.TaskClient;
import dev.tenure.client.TaskReport;
import dev.tenure.client.TenureClient;
import dev.tenure.client.TenureException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Takes tasks from a queue and runs their activities, until it is closed.
 *
 * <pre>{@code
 * Worker worker =
 *     Worker.builder()
 *         .url("https://tenure.example.com")
 *         .apiKey(key)
 *         .queue("mail")
 *         .activity("send", Mail.class, (context, mail) -> smtp.send(mail, context.idempotencyKey()))
 *         .atOnce(50)
 *         .start();
 * }</pre>
 *
 * <p>Heartbeats, repetitions and pauses are the worker's. When the server is away it comes back by
 * itself; what has ended meanwhile is reported then.
 */
public final class Worker implements AutoCloseable {
  private static final Logger LOG = System.getLogger(Worker.class.getName());

  /** How long code that was cancelled has to end. */
  private static final Duration CANCEL_LIMIT = Duration.ofSeconds(2);

  /** At the end: how long a take that is under way may still be answered. */
  private static final Duration TAKE_END_LIMIT = Duration.ofSeconds(1);

  private final Map<String, WorkerBuilder.Activity> activities;
  private final String queue;
  private final String name;
  private final int atOnce;
  private final Duration wait;
  private final Duration drainLimit;
  private final TenureClient connection;
  private final boolean ownsConnection;
  private final TaskClient client;
  private final Backoff backoff;
  private final Heartbeats heartbeats;
  private final Reports reports;
  private final Semaphore slots;
  private final Set<RunningTask> running = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean closing = new AtomicBoolean();

  /** Whether a take is under way, or begins unless the worker is closing. */
  private volatile boolean takes;

  private final Thread poller;

  Worker(WorkerBuilder plan, TenureClient connection, boolean ownsConnection) {
    this.activities = Map.copyOf(plan.activities);
    this.queue = plan.queue.orElseThrow();
    this.name = plan.name;
    this.atOnce = plan.atOnce;
    this.wait = plan.wait;
    this.drainLimit = plan.drainLimit;
    this.connection = connection;
    this.ownsConnection = ownsConnection;
    this.client = connection.tasks();
    this.backoff = new Backoff(plan.pauses);
    this.heartbeats = new Heartbeats(client);
    this.reports = new Reports(client, plan.pauses);
    this.slots = new Semaphore(atOnce);
    this.poller = Thread.ofVirtual().name("tenure-poll-" + queue).start(this::poll);
  }

  public static WorkerBuilder builder() {
    return new WorkerBuilder();
  }

  /** Tasks whose code runs, or whose outcome the server has not heard yet. */
  public int running() {
    return running.size();
  }

  // --- polls

  private void poll() {
    try {
      while (!closing.get()) {
        slots.acquire();
        int free = 1;
        while (free < TaskClient.TASKS_MAX && slots.tryAcquire()) free++;
        int used = 0;
        takes = true;
        try {
          // Asked after the flag is set: who closes sees the flag, or this sees that it closes.
          if (!closing.get()) used = begin(take(free));
        } finally {
          takes = false;
          slots.release(free - used);
        }
      }
    } catch (InterruptedException end) {
      LOG.log(Level.DEBUG, "{0} takes no more tasks", name);
    }
  }

  private List<Task> take(int max) throws InterruptedException {
    try {
      List<Task> tasks = client.take(queue, name, activities.keySet(), max, wait);
      if (backoff.hasFailed()) LOG.log(Level.INFO, "{0} can take tasks of {1} again", name, queue);
      backoff.succeeded();
      return tasks;
    } catch (TenureException failure) {
      if (Thread.currentThread().isInterrupted()) throw new InterruptedException();
      if (!backoff.hasFailed())
        LOG.log(Level.WARNING, "{0} cannot take tasks of {1}: {2}", name, queue, failure);
      backoff.rest(failure);
      return List.of();
    }
  }

  /** Returns how many of them run now. */
  int begin(List<Task> tasks) {
    if (closing.get()) {
      giveBack(tasks);
      return 0;
    }
    long now = System.nanoTime();
    for (Task task : tasks) {
      RunningTask one = new RunningTask(task, client, now);
      running.add(one);
      heartbeats.add(one);
      Thread.ofVirtual().name("tenure-task-" + task.activity()).start(() -> run(one));
    }
    return tasks.size();
  }

  /** They came when the worker was closing: another one can have them at once. */
  private void giveBack(List<Task> tasks) {
    if (tasks.isEmpty()) return;
    // An interrupt of the thread that polls must not end this call, too.
    boolean interrupted = Thread.interrupted();
    try {
      client.report(tasks.stream().map(task -> new TaskReport.Returned(task.token())).toList());
    } catch (TenureException failure) {
      LOG.log(Level.WARNING, "{0} tasks were not given back: {1}", tasks.size(), failure);
    } finally {
      if (interrupted) Thread.currentThread().interrupt();
    }
  }

  // --- tasks

  private void run(RunningTask one) {
    try {
      one.begins(Thread.currentThread());
      Optional<TaskReport> report = report(one);
      one.ends();
      report.ifPresent(this::send);
    } finally {
      heartbeats.remove(one);
      running.remove(one);
      slots.release();
    }
  }

  /** Runs the code. Empty when it was cancelled: nobody waits for what it did. */
  private Optional<TaskReport> report(RunningTask one) {
    Task task = one.task();
    WorkerBuilder.Activity activity = activities.get(task.activity());
    if (activity == null) return Optional.of(new TaskReport.Returned(task.token()));
    Object input;
    try {
      input = task.input().as(activity.input());
    } catch (RuntimeException unreadable) {
      return Optional.of(Failures.unreadable(task.token(), unreadable));
    }
    try {
      JsonNode result =
          client.value(
              activity.body().run(one, input), "The result of activity " + task.activity());
      return Optional.of(new TaskReport.Done(task.token(), result));
    } catch (Throwable thrown) {
      if (one.isCancelled()) return Optional.empty();
      LOG.log(Level.DEBUG, () -> task + " failed", thrown);
      return Optional.of(Failures.of(task.token(), thrown));
    }
  }

  private void send(TaskReport report) {
    try {
      TaskAnswer answer = reports.send(report).join();
      if (!answer.accepted())
        LOG.log(
            Level.WARNING,
            "the outcome of a task was rejected: {0}. {1}",
            answer.code().orElse(""),
            answer.detail());
    } catch (CompletionException unsent) {
      LOG.log(
          Level.WARNING,
          "the outcome of a task was not reported: {0}",
          unsent.getCause().toString());
    }
  }

  // --- the end

  /**
   * Takes no more tasks, waits for those that run, and reports them. What still runs after the
   * drain limit is interrupted and given up: another worker gets it when its time is over.
   */
  @Override
  public void close() {
    if (!closing.compareAndSet(false, true)) return;
    if (takes) letTakeEnd();
    poller.interrupt();
    if (!drained(drainLimit)) {
      running.forEach(RunningTask::cancel);
      if (!drained(CANCEL_LIMIT))
        LOG.log(Level.WARNING, "{0} leaves {1} tasks behind", name, running.size());
    }
    reports.close();
    heartbeats.close();
    if (ownsConnection) connection.close();
  }

  /** Tasks in an answer that nobody reads would wait for their visibility timeout. */
  private void letTakeEnd() {
    try {
      poller.join(TAKE_END_LIMIT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether the poll and all tasks have ended within this time. */
  private boolean drained(Duration limit) {
    try {
      long deadline = System.nanoTime() + limit.toNanos();
      if (!poller.join(limit)) return false;
      if (!slots.tryAcquire(atOnce, deadline - System.nanoTime(), TimeUnit.NANOSECONDS))
        return false;
      slots.release(atOnce);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
