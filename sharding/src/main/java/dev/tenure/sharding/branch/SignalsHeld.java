package dev.tenure.sharding.branch;

import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.News;
import dev.tenure.workflow.kernel.Wish;
import dev.tenure.workflow.operation.OperationId;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The signals that have ended a wait, where the code has not noticed that yet. They are not
 * received: when the wait is cancelled, or the run ends, they go back to the inbox.
 */
final class SignalsHeld {
  private final BranchScheduler scheduler;
  private Map<OperationId, Command.Arrival> held = Map.of();

  SignalsHeld(BranchScheduler scheduler) {
    this.scheduler = scheduler;
  }

  void arrived(News.Completed news) {
    if (news.signal().isEmpty()) return;
    if (held.isEmpty()) held = new LinkedHashMap<>(4);
    held.put(news.operation(), news.signal().get());
  }

  /** Whether a signal has ended the wait, and the code has not noticed. */
  boolean holds(OperationId wait) {
    return !held.isEmpty() && held.containsKey(wait);
  }

  /** The code has noticed the end of this wait; true when it receives a signal by that. */
  boolean noticed(OperationId wait) {
    return !held.isEmpty() && held.remove(wait) != null;
  }

  /** The wait was cancelled. False when there is no signal to give back. */
  boolean giveBack(OperationId wait) {
    Command.Arrival signal = held.isEmpty() ? null : held.remove(wait);
    if (signal == null) return false;
    scheduler.wish(new Wish.GiveBack(wait, signal));
    return true;
  }

  /**
   * The run ends. All signals that the code has not received go back, in the order in which they
   * came: the same in every replay. So do those that come while the end waits to be granted.
   */
  void giveBackAll(Iterable<News> left) {
    for (News one : left) if (one instanceof News.Completed completed) arrived(completed);
    held.forEach((wait, signal) -> scheduler.wish(new Wish.GiveBack(wait, signal)));
    held = Map.of();
  }
}
