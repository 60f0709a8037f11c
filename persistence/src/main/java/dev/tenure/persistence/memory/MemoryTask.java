package dev.tenure.persistence.memory;

import dev.tenure.persistence.activity.ActivityKey;
import dev.tenure.persistence.task.HeldTask;
import dev.tenure.persistence.task.TaskOffer;
import dev.tenure.persistence.task.TaskStanding;
import dev.tenure.persistence.task.TaskState;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import java.time.Instant;
import java.util.Optional;

/** A task as the memory keeps it, and where it stands. */
final class MemoryTask {
  final TaskOffer offer;
  final long number;
  final Instant offeredAt;
  HeldTask task;
  String worker = "";
  Optional<Payload> details;

  MemoryTask(TaskOffer offer, long number, Instant now, Optional<Payload> details) {
    this.offer = offer;
    this.number = number;
    this.offeredAt = now;
    this.details = details;
    this.task =
        new HeldTask(
            TaskState.WAITING,
            offer.attempt(),
            1,
            0,
            offer.repeatable(),
            offer.heartbeatTimeout().orElse(offer.queueing().visibilityTimeout()),
            offer.deadline(),
            Optional.empty(),
            offer.deadline(),
            Optional.empty(),
            Optional.empty());
  }

  boolean is(TaskState state) {
    return task.state() == state;
  }

  boolean isOf(String queue) {
    return offer.queueing().queue().equals(queue);
  }

  String key() {
    return offer.queueing().fairnessKey();
  }

  int priority() {
    return offer.queueing().priority();
  }

  WorkflowId workflow() {
    return offer.id().workflow();
  }

  /** The record of a keyed call. */
  Optional<ActivityKey> call() {
    return offer
        .idempotencyKey()
        .map(text -> new ActivityKey(workflow(), offer.id().operation(), offer.activity(), text));
  }

  TaskStanding standing() {
    int attempt = task.attempt();
    return switch (task.state()) {
      case WAITING -> new TaskStanding.Waiting(attempt);
      case TAKEN -> new TaskStanding.Taken(attempt, worker, task.dueAt().orElseThrow());
      case LOST -> new TaskStanding.Lost(attempt, worker, task.isTimedOut(), task.dueAt());
      case DONE -> new TaskStanding.Done(attempt, task.outcome().orElseThrow());
    };
  }
}
