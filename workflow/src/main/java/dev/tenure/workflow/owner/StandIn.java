package dev.tenure.workflow.owner;

/**
 * Answers for a workflow that cannot be owned.
 *
 * @param <M> the type of its messages
 */
public interface StandIn<M> {
  void on(M message);
}
