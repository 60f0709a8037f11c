package dev.tenure.sharding.task;

import dev.tenure.persistence.task.TaskId;
import dev.tenure.persistence.task.TaskResult;

/**
 * Tells the owners of workflows about their tasks, wherever they are in the cluster. Neither method
 * blocks. A message that gets lost delays the owner, and nothing else: what it says is stored, and
 * the workflow is due.
 */
public interface Owners {
  /** A task came out, durably. It may be told more than once. */
  void ended(TaskResult result);

  /** The task's worker is lost, or the task came out by itself. */
  void look(TaskId task);
}
