package dev.tenure.sharding.task;

import dev.tenure.persistence.merging.MergingQueue;
import dev.tenure.persistence.merging.ReadQueue;
import dev.tenure.persistence.task.TaskId;
import dev.tenure.persistence.task.TaskStanding;
import dev.tenure.persistence.task.Tasks;
import java.util.List;
import java.util.Optional;

/**
 * One query for what many owners ask at once: each of them asks when a worker has reported on its
 * task.
 */
public final class MergedTaskReads implements TaskReads, AutoCloseable {
  private final MergingQueue<TaskId, Optional<TaskStanding>> reads;

  public MergedTaskReads(Tasks tasks) {
    this.reads = ReadQueue.of("tenure-task-standings", Tasks.MAX_BATCH, tasks::standing);
  }

  @Override
  public List<Optional<TaskStanding>> standing(List<TaskId> ids) {
    return reads.answers(ids);
  }

  @Override
  public void close() {
    reads.close();
  }
}
