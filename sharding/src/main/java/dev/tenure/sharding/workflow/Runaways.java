package dev.tenure.sharding.workflow;

import dev.tenure.sharding.code.Inquiry;
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

  /** Answers a query that still runs from before; false when it can be asked. */
  boolean refuse(WorkflowType type, Message.Query query) {
    String name = query.inquiry().name();
    Thread running =
        threads.computeIfPresent(
            key(type, name), (key, thread) -> thread.isAlive() ? thread : null);
    if (running == null) return false;
    query.replyTo().tell(new Answer.Queried(Inquiry.Reply.stillRuns(name)));
    return true;
  }

  private static String key(WorkflowType type, String query) {
    return type + " " + query;
  }
}
