package dev.tenure.client.worker;

import dev.tenure.client.Task;
import java.util.Optional;

/** What the code of an activity may ask while it runs. */
public interface ActivityContext {
  /** Names, keys, attempt and deadline of the call. */
  Task task();

  /**
   * By which other systems recognise a repetition: the same over all attempts, workers and crashes
   * of one call.
   */
  default String idempotencyKey() {
    return task().idempotencyKey();
  }

  /**
   * True when the worker does not have the task any more, or closes. The thread is interrupted,
   * too; what the code returns then is dropped.
   */
  boolean isCancelled();

  /**
   * Says how far it has come. The next delivery gets the newest details when this worker is lost;
   * they travel with the next heartbeat, which the worker sends by itself.
   *
   * @param details at most 64 KiB of JSON
   */
  void heartbeat(Object details);

  /** What the delivery before said last. */
  <T> Optional<T> lastDetails(Class<T> type);
}
