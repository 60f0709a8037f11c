package dev.tenure.sharding.task;

import dev.tenure.persistence.task.TakenTask;
import dev.tenure.persistence.task.Tasks;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** How a desk calls the storage for its workers. Neither method blocks. */
public interface TaskCalls extends AutoCloseable {
  /** Takes tasks for one poll; empty when the queue has none for it now. */
  CompletionStage<List<TakenTask>> take(String queue, Tasks.Poll poll);

  /** What became of a report. Made again it gets the same answer. */
  CompletionStage<Tasks.Heard> hear(Tasks.Report report);

  /** Finishes what was handed in, and takes no more. */
  @Override
  void close();
}
