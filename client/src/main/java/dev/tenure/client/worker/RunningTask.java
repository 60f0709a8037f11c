package dev.tenure.client.worker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tenure.client.Task;
import dev.tenure.client.TaskClient;
import dev.tenure.client.TaskReport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** A task whose code runs here. Its times are of a clock that only measures. */
final class RunningTask implements ActivityContext {
  /** Heartbeats within the time after which the server takes the worker for lost. */
  private static final int BEATS = 3;

  /** What the server takes. */
  private static final int DETAILS_BYTES_MAX = 64 * 1024;

  /** How soon details are sent, at the earliest. */
  private static final long DETAILS_NANOS = Duration.ofMillis(500).toNanos();

  private final Task task;
  private final TaskClient client;
  private final long everyNanos;
  private final long takenAt;

  private Thread thread;
  private volatile boolean cancelled;
  private boolean ended;
  private Optional<JsonNode> details = Optional.empty();
  private boolean beating;
  private long nextBeat;

  /** When the newest heartbeat was sent that the server accepted; at first, when the task came. */
  private long heardAt;

  /**
   * @param takenAt when it came
   */
  RunningTask(Task task, TaskClient client, long takenAt) {
    this.task = task;
    this.client = client;
    this.everyNanos = task.heartbeatTimeout().toNanos() / BEATS;
    this.takenAt = takenAt;
    this.heardAt = takenAt;
    this.nextBeat = takenAt + everyNanos;
  }

  @Override
  public Task task() {
    return task;
  }

  @Override
  public boolean isCancelled() {
    return cancelled;
  }

  @Override
  public void heartbeat(Object newest) {
    JsonNode value = client.value(newest, "The details of activity " + task.activity());
    int bytes = value.toString().getBytes(StandardCharsets.UTF_8).length;
    // The server would refuse the whole request, and with it the heartbeats of other tasks.
    if (bytes > DETAILS_BYTES_MAX)
      throw new IllegalArgumentException(
          "Details of %d bytes: keep them within %d, or elsewhere."
              .formatted(bytes, DETAILS_BYTES_MAX));
    synchronized (this) {
      details = Optional.of(value);
      nextBeat = Math.min(nextBeat, heardAt + Math.max(DETAILS_NANOS, everyNanos / BEATS));
    }
  }

  @Override
  public <T> Optional<T> lastDetails(Class<T> type) {
    return task.details().map(value -> value.as(type));
  }

  /** The code begins on this thread. */
  synchronized void begins(Thread on) {
    thread = on;
    // It was cancelled before it began.
    if (cancelled) on.interrupt();
  }

  /** The code has ended; it is interrupted no more. Clears an interrupt that came too late. */
  synchronized void ends() {
    ended = true;
    Thread.interrupted();
  }

  /** The worker does not have it any more, or closes. Returns false when that was known. */
  synchronized boolean cancel() {
    if (cancelled) return false;
    cancelled = true;
    if (thread != null && !ended) thread.interrupt();
    return true;
  }

  /** The heartbeat that is due; empty when none is, or one is under way. */
  synchronized Optional<TaskReport.Alive> beat(long now) {
    if (cancelled || beating || nextBeat - now > 0) return Optional.empty();
    beating = true;
    Optional<JsonNode> told = details;
    details = Optional.empty();
    return Optional.of(new TaskReport.Alive(task.token(), told));
  }

  /** The server has heard the heartbeat that was sent at that time. */
  synchronized void heard(long sentAt) {
    beating = false;
    heardAt = sentAt;
    nextBeat = sentAt + everyNanos;
  }

  /** The heartbeat got no answer, and is sent again a little later. */
  synchronized void unheard(TaskReport.Alive beat, long now) {
    beating = false;
    if (details.isEmpty()) details = beat.details();
    nextBeat = now + everyNanos / BEATS;
  }

  /**
   * Whether the server has heard nothing for so long that it may have handed the task to another
   * worker.
   */
  synchronized boolean isSilent(long now) {
    return now - heardAt > task.heartbeatTimeout().toNanos();
  }

  /** Whether its time is over, however often the server has heard of it. */
  boolean isOver(long now) {
    return task.timeLimit().filter(limit -> now - takenAt >= limit.toNanos()).isPresent();
  }
}
