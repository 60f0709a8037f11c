package dev.tenure.persistence.task;

import dev.tenure.workflow.Payload;
import dev.tenure.workflow.Trace;
import dev.tenure.workflow.operation.ActivityCall.Queueing;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * An attempt at an activity as it waits for a worker.
 *
 * @param repeatable whether it may be handed to another worker when the one that took it is silent
 *     for too long: what was called without a key, or is idempotent
 * @param heartbeatTimeout after how long without a heartbeat the worker that took it counts as
 *     lost; the visibility timeout when empty
 * @param attemptLimit for how long a worker may have it, however alive it is
 * @param deadline when nobody waits for it any more
 */
public record TaskOffer(
    TaskId id,
    int shard,
    int attempt,
    String activity,
    Optional<String> idempotencyKey,
    boolean repeatable,
    Queueing queueing,
    Payload input,
    Optional<Duration> heartbeatTimeout,
    Optional<Duration> attemptLimit,
    Optional<Instant> deadline,
    Optional<Trace> trace) {
  /** The same offer, with its input as a storage keeps it. */
  public TaskOffer with(Payload kept) {
    return new TaskOffer(
        id,
        shard,
        attempt,
        activity,
        idempotencyKey,
        repeatable,
        queueing,
        kept,
        heartbeatTimeout,
        attemptLimit,
        deadline,
        trace);
  }
}
