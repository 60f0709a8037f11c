package dev.tenure.sharding.workflow;

import dev.tenure.workflow.WorkflowType;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Threads of queries that did not come back and were given up. While one of them still runs, its
 * query is not asked again on this node: each would keep one more thread.
 */
final class Runaways {
  private final Map<String, Thread> threads = new ConcurrentHashMap<>();

  void add(WorkflowType type, String query, Thread thread) {
    threads.put(key(type, query), thread);
  }

  boolean isRunning(WorkflowType type, String query) {
    return threads.computeIfPresent(
            key(type, query), (key, thread) -> thread.isAlive() ? thread : null)
        != null;
  }

  private static String key(WorkflowType type, String query) {
    return type + " " + query;
  }
}
