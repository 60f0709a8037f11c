package dev.tenure.sharding.owner;

/**
 * Answers for a workflow that cannot be owned.
 *
 * @param <M> what it is told
 */
public interface StandIn<M> {
  void on(M message);
}
