package dev.tenure.sharding.host;

/** Tells the workers of the cluster that there is something to do. */
@FunctionalInterface
public interface TaskQueues {
  /** A commit stands that put a task into this queue. */
  void offered(String queue);
}
