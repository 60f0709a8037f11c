package dev.tenure.sharding.workflow;

import dev.tenure.sharding.code.Inquiry;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Threads of queries, of updates' validators and of replays for queries that did not come back and
 * were given up. While one of them still runs, what it was for is refused on this node: each would
 * keep one more thread.
 */
final class Runaways {
  private final Map<String, Thread> threads = new ConcurrentHashMap<>();

  void add(WorkflowType type, String query, Thread thread) {
    threads.put(key(type, query), thread);
  }

  void addValidator(WorkflowType type, String update, Thread thread) {
    threads.put(validator(type, update), thread);
  }

  /** Whether the validator of that update still runs from before. */
  boolean isValidating(WorkflowType type, String update) {
    return running(validator(type, update)) != null;
  }

  /** Answers a query that still runs from before; false when it can be asked. */
  boolean refuse(WorkflowType type, Message.Query query) {
    String name = query.inquiry().name();
    if (running(key(type, name)) == null) return false;
    query.replyTo().tell(new Answer.Queried(Inquiry.Reply.stillRuns(name)));
    return true;
  }

  void addReplay(WorkflowId id, Thread thread) {
    // There are many more workflows than queries, and most are never asked again.
    threads.values().removeIf(one -> !one.isAlive());
    threads.put(replay(id), thread);
  }

  /** Whether a replay of that workflow for a query still runs from before. */
  boolean isReplaying(WorkflowId id) {
    return running(replay(id)) != null;
  }

  private Thread running(String key) {
    return threads.computeIfPresent(key, (k, thread) -> thread.isAlive() ? thread : null);
  }

  private static String replay(WorkflowId id) {
    return "replay of " + id.value();
  }

  private static String validator(WorkflowType type, String update) {
    return type + " update " + update;
  }

  private static String key(WorkflowType type, String query) {
    return type + " query " + query;
  }
}
