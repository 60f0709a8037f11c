package dev.tenure.http.workflow;

import dev.tenure.persistence.start.StartKeys;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.sharding.task.TaskDesk;
import dev.tenure.sharding.workflow.Workflows;
import java.util.function.Supplier;

/**
 * The engine, as the operations of the API use it.
 *
 * @param tasks hands tasks to workers
 * @param ids unique for ever: workflows, signals and updates that come without an id get one
 */
public record Engine(
    Workflows workflows,
    Storage storage,
    StartKeys startKeys,
    TaskDesk tasks,
    Supplier<String> ids) {

  public static Engine of(
      Workflows workflows, Storage storage, TaskDesk tasks, Supplier<String> ids) {
    return new Engine(workflows, storage, storage.startKeys(), tasks, ids);
  }
}
