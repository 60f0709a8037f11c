package dev.tenure.sharding.task;

import dev.tenure.persistence.task.TakenTask;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** A worker's request for tasks, as its transport holds it. */
public interface WaitingPoll {
  /**
   * The tasks that the worker has from now on; empty when none came in its time or the desk closes.
   * Fails with what the storage threw.
   */
  CompletionStage<List<TakenTask>> tasks();

  /**
   * The worker is gone. Tasks that are taken for it in this moment go back into their queue. Does
   * nothing once the poll is answered.
   */
  void withdraw();
}
