package dev.tenure.persistence.task;

import dev.tenure.workflow.Payload;
import java.time.Instant;
import java.util.Optional;

/**
 * A task that a worker has taken.
 *
 * @param until when the worker counts as lost, unless it reports before
 * @param details what the delivery before said last with a heartbeat
 */
public record TakenTask(
    TaskOffer offer, TaskToken token, Instant until, Optional<Payload> details) {}
