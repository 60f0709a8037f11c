package dev.tenure.sharding.host;

import dev.tenure.sharding.message.Answer;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.program.Inquiry;
import dev.tenure.sharding.program.Runaway;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Threads of queries, of updates' validators and of replays for queries that did not come back and
 * were given up. While one of them still runs, the same query, validator or replay is refused on
 * this node: each would keep one more thread.
 */
public final class RunawayThreads {
  private final Map<String, Runaway> runaways = new ConcurrentHashMap<>();

  public void add(WorkflowType type, String query, Runaway runaway) {
    runaways.put(key(type, query), runaway);
  }

  public void addValidator(WorkflowType type, String update, Runaway runaway) {
    runaways.put(validator(type, update), runaway);
  }

  /** Whether an earlier run of that update's validator still runs. */
  public boolean isValidating(WorkflowType type, String update) {
    return running(validator(type, update)) != null;
  }

  /** Answers a query whose earlier run still runs; false when the query can be asked. */
  public boolean refuse(WorkflowType type, Message.Query query) {
    String name = query.inquiry().name();
    if (running(key(type, name)) == null) return false;
    query.replyTo().tell(new Answer.Queried(Inquiry.Reply.stillRuns(name)));
    return true;
  }

  public void addReplay(WorkflowId id, Runaway runaway) {
    // There are many more workflows than queries, and most are never asked again, so entries are
    // removed here.
    runaways.values().removeIf(one -> !one.isAlive());
    runaways.put(replay(id), runaway);
  }

  /** Whether an earlier replay of that workflow for a query still runs. */
  public boolean isReplaying(WorkflowId id) {
    return running(replay(id)) != null;
  }

  private Runaway running(String key) {
    return runaways.computeIfPresent(key, (k, one) -> one.isAlive() ? one : null);
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
