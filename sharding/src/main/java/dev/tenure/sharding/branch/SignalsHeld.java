package dev.tenure.sharding.branch;

import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.News;
import dev.tenure.workflow.kernel.Wish;
import dev.tenure.workflow.operation.OperationId;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The signals whose waits are over and which the code has not noticed yet. They are not received: a
 * wait that is cancelled, or a run that ends, gives them back to the inbox.
 */
final class SignalsHeld {
  private final BranchScheduler stage;
  private Map<OperationId, Command.Arrival> held = Map.of();

  SignalsHeld(BranchScheduler stage) {
    this.stage = stage;
  }

  void arrived(News.Completed news) {
    if (news.signal().isEmpty()) return;
    if (held.isEmpty()) held = new LinkedHashMap<>(4);
    held.put(news.operation(), news.signal().get());
  }

  /** Whether the wait is over, and the code has not learned of that. */
  boolean holds(OperationId wait) {
    return !held.isEmpty() && held.containsKey(wait);
  }

  /** The code has learned that this wait is over; true when it receives a signal by that. */
  boolean noticed(OperationId wait) {
    return !held.isEmpty() && held.remove(wait) != null;
  }

  /** The wait was cancelled; false when it holds no signal that the code has not received. */
  boolean giveBack(OperationId wait) {
    Command.Arrival signal = held.isEmpty() ? null : held.remove(wait);
    if (signal == null) return false;
    stage.wish(new Wish.GiveBack(wait, signal));
    return true;
  }

  /**
   * The run ends, and never learns of the news that are left. All go back in the order in which
   * they came, the same in every replay.
   */
  void giveBackAll(Iterable<News> left) {
    for (News one : left) if (one instanceof News.Completed completed) arrived(completed);
    held.forEach((wait, signal) -> stage.wish(new Wish.GiveBack(wait, signal)));
    held = Map.of();
  }
}
