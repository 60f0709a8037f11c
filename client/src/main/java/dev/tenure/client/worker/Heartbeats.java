package dev.tenure.client.worker;

import dev.tenure.client.TaskAnswer;
import dev.tenure.client.TaskClient;
import dev.tenure.client.TaskReport;
import dev.tenure.client.TenureException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tells the server of the tasks that run here, many in one request, and cancels those that this
 * worker does not have any more. It also cancels what the server has not heard of for too long, and
 * what takes too long: another worker may run it by now.
 */
final class Heartbeats implements AutoCloseable {
  private static final Logger LOG = System.getLogger(Worker.class.getName());
  private static final Duration LOOK_EVERY = Duration.ofMillis(100);

  /** Heartbeats in one request, without details and with details of the largest size. */
  private static final int PLAIN_MAX = TaskClient.TASKS_MAX;

  private static final int DETAILED_MAX = 20;

  /** A beat for one of the tasks. */
  private record Beat(RunningTask running, TaskReport.Alive report) {}

  private final TaskClient client;
  private final Set<RunningTask> tasks = ConcurrentHashMap.newKeySet();
  private final Thread thread;

  Heartbeats(TaskClient client) {
    this.client = client;
    this.thread = Thread.ofVirtual().name("tenure-heartbeats").start(this::run);
  }

  void add(RunningTask running) {
    tasks.add(running);
  }

  void remove(RunningTask running) {
    tasks.remove(running);
  }

  private void run() {
    try {
      while (true) {
        Thread.sleep(LOOK_EVERY);
        look(System.nanoTime());
      }
    } catch (InterruptedException closed) {
      LOG.log(Level.DEBUG, "heartbeats end");
    }
  }

  private void look(long now) {
    List<Beat> due = new ArrayList<>();
    for (RunningTask running : tasks) {
      if (running.isSilent(now) && running.cancel())
        LOG.log(
            Level.WARNING,
            "{0} is cancelled: no heartbeat got through for {1}",
            running.task(),
            running.task().heartbeatTimeout());
      if (running.isOver(now) && running.cancel())
        LOG.log(
            Level.WARNING,
            "{0} is cancelled: its time of {1} is over",
            running.task(),
            running.task().timeLimit().orElseThrow());
      Optional<TaskReport.Alive> beat = running.beat(now);
      beat.ifPresent(report -> due.add(new Beat(running, report)));
    }
    send(due.stream().filter(beat -> beat.report.details().isEmpty()).toList(), PLAIN_MAX);
    send(due.stream().filter(beat -> beat.report.details().isPresent()).toList(), DETAILED_MAX);
  }

  private void send(List<Beat> beats, int atOnce) {
    for (int i = 0; i < beats.size(); i += atOnce) {
      List<Beat> some = beats.subList(i, Math.min(beats.size(), i + atOnce));
      // A request that hangs must not hold up the look for those that are silent.
      Thread.ofVirtual().name("tenure-heartbeat").start(() -> send(some));
    }
  }

  private void send(List<Beat> beats) {
    long sentAt = System.nanoTime();
    try {
      List<TaskAnswer> answers = client.report(beats.stream().map(Beat::report).toList());
      for (int i = 0; i < beats.size(); i++) answered(beats.get(i).running, answers.get(i), sentAt);
    } catch (TenureException failure) {
      LOG.log(Level.DEBUG, "{0} heartbeats were not heard: {1}", beats.size(), failure);
      long now = System.nanoTime();
      for (Beat beat : beats) beat.running.unheard(beat.report, now);
    }
  }

  private static void answered(RunningTask running, TaskAnswer answer, long sentAt) {
    if (answer.accepted()) {
      running.heard(sentAt);
      return;
    }
    if (running.cancel())
      LOG.log(
          Level.INFO,
          "{0} is cancelled: {1}. {2}",
          running.task(),
          answer.code().orElse("rejected"),
          answer.detail());
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
