package dev.tenure.sharding.owner;

/** What carries an owner, as the thread sees it that looks at all workflows in memory. */
public interface Watched {
  /**
   * Called several times a second, from any thread, while the owner has a decider. Where an answer
   * of the journal may get lost, this finds out that one is overdue. Must not block.
   *
   * @param nanos by a clock that only measures
   */
  default void look(long nanos) {}
}
