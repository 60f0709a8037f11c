package dev.tenure.sharding.worker;

import dev.tenure.persistence.task.TakenTask;
import dev.tenure.persistence.task.TaskOffer;
import dev.tenure.persistence.task.TaskToken;
import dev.tenure.persistence.task.Tasks;
import dev.tenure.persistence.task.Tasks.Heard;
import dev.tenure.persistence.task.Tasks.Report;
import dev.tenure.sharding.activity.Activities;
import dev.tenure.sharding.activity.ActivityTask;
import dev.tenure.sharding.activity.AttemptStop;
import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.task.TaskDesk;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes the calls of one activity, as many at a time as may run on this node. */
final class QueueWorker implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(QueueWorker.class);

  /** After a poll that failed. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Host host;
  private final TaskDesk desk;
  private final String name;
  private final String queue;
  private final String activity;
  private final int runningMax;
  private final Map<TaskToken, Holder> held = new ConcurrentHashMap<>();
  private final Map<TaskToken, Payload> details = new ConcurrentHashMap<>();
  private boolean polls;
  private volatile boolean closed;

  QueueWorker(
      Host host, TaskDesk desk, String name, String queue, String activity, int runningMax) {
    this.host = host;
    this.desk = desk;
    this.name = name;
    this.queue = queue;
    this.activity = activity;
    this.runningMax = runningMax;
  }

  /** Asks for more when there is room, unless it asks already. */
  void poll() {
    int max;
    synchronized (this) {
      // Calls of this node's own workflows take places of the same lane.
      int free = Math.min(runningMax - held.size(), host.activities.room(activity));
      max = Math.min(free, Tasks.TAKE_MAX);
      if (closed || polls || max <= 0) return;
      polls = true;
    }
    desk.take(queue, new Tasks.Poll(name, Set.of(activity), max), TaskDesk.WAIT_MAX)
        .tasks()
        .whenComplete(
            (tasks, failure) -> {
              if (failure == null) took(tasks);
              else log.warn("tasks of {} cannot be taken: {}", queue, failure.toString());
              synchronized (this) {
                polls = false;
              }
              if (failure == null) poll();
              else host.timers.after(PAUSE, this::poll);
            });
  }

  private void took(List<TakenTask> tasks) {
    for (TakenTask task : tasks) {
      if (closed) report(new Report.Returned(task.token()));
      else run(task);
    }
  }

  private void run(TakenTask taken) {
    Holder holder = new Holder(taken);
    held.put(taken.token(), holder);
    Optional<Runnable> stop = host.activities.offerTaken(ActivityTask.taken(taken.offer()), holder);
    if (stop.isPresent()) holder.stop.is(stop.get());
    else {
      held.remove(taken.token());
      report(new Report.Returned(taken.token()));
    }
  }

  /** Tells the desk what the attempt says. */
  private final class Holder implements Activities.Asker {
    private final TakenTask taken;

    private final AttemptStop stop = new AttemptStop();

    /**
     * When the task is another worker's, unless the desk hears of this one before; by the clock
     * that only measures.
     */
    private volatile long until;

    private Holder(TakenTask taken) {
      this.taken = taken;
      lives(host.nanos.getAsLong());
    }

    /**
     * @param from when what was accepted was said
     */
    private void lives(long from) {
      TaskOffer offer = taken.offer();
      until =
          from + offer.heartbeatTimeout().orElse(offer.queueing().visibilityTimeout()).toNanos();
    }

    @Override
    public void isTimed() {
      host.watchActivities();
    }

    @Override
    public Payload detailsBefore() {
      return taken.details().orElse(Payload.NONE);
    }

    @Override
    public void said(Payload said) {
      details.put(taken.token(), said);
    }

    @Override
    public void ended(Outcome outcome) {
      details.remove(taken.token());
      if (held.remove(taken.token()) == null) return;
      report(new Report.Ended(taken.token(), outcome));
      poll();
    }
  }

  /** A report that fails is made again: the desk's storage may be away for a moment. */
  private void report(Report report) {
    desk.hear(List.of(report))
        .whenComplete(
            (heard, failure) -> {
              if (failure != null && !closed) host.timers.after(PAUSE, () -> report(report));
            });
  }

  /** Says of all tasks that it has them; those that it has not any more are stopped. */
  void reportLife() {
    long now = host.nanos.getAsLong();
    held.forEach(
        (token, holder) -> {
          // Another one may run it by now.
          if (now - holder.until >= 0) drop(token);
        });
    List<TaskToken> tokens = List.copyOf(held.keySet());
    List<Report> reports = new ArrayList<>(tokens.size());
    for (TaskToken token : tokens)
      reports.add(
          new Report.Alive(token, Optional.empty(), Optional.ofNullable(details.remove(token))));
    if (reports.isEmpty()) return;
    desk.hear(reports)
        .whenComplete(
            (heard, failure) -> {
              if (failure == null)
                for (int i = 0; i < heard.size(); i++) heard(tokens.get(i), heard.get(i), now);
            });
  }

  private void heard(TaskToken token, Heard heard, long said) {
    Holder holder = held.get(token);
    if (heard instanceof Heard.Rejected) drop(token);
    else if (holder != null) holder.lives(said);
  }

  private void drop(TaskToken token) {
    Holder holder = held.remove(token);
    if (holder == null) return;
    details.remove(token);
    holder.stop.stop();
    poll();
  }

  /** Takes no more. What runs is reported while the desk is open. */
  @Override
  public void close() {
    closed = true;
  }
}
