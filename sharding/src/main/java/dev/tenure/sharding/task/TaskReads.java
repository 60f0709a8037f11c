package dev.tenure.sharding.task;

import dev.tenure.persistence.task.TaskId;
import dev.tenure.persistence.task.TaskStanding;
import java.util.List;
import java.util.Optional;

/** How the owners of a node find out how their tasks stand. */
@FunctionalInterface
public interface TaskReads {
  /** As {@link dev.tenure.persistence.task.Tasks#standing}. Waits for the store. */
  List<Optional<TaskStanding>> standing(List<TaskId> ids);
}
