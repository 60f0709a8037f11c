package dev.tenure.sharding.host;

/** The actor of an owner, as the check of all workflows in memory sees it. */
public interface Watched {
  /**
   * Called several times a second, from any thread, while the owner has a decider. On a node an
   * answer of the journal may get lost; this call finds out that one is overdue. Must not block.
   *
   * @param nanos by a clock that only measures
   */
  default void look(long nanos) {}
}
