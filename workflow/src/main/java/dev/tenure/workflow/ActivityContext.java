package dev.tenure.workflow;

import java.time.Instant;
import java.util.Optional;

/** What an activity's code may ask while it runs. */
public interface ActivityContext {
  WorkflowId workflowId();

  /** The operation's id within its run; a later run of the workflow uses it again. */
  String operationId();

  /** Counts from 1. */
  int attempt();

  /**
   * The key by which other systems recognise a repetition: {@code
   * tenure:{workflowId}:{runId}:{operationId}}, with {@code :}, {@code %} and all that is not
   * printable ASCII percent-escaped in each part. It is the same over all attempts, owners and
   * crashes of one operation, and another one in every run, fork and reuse of an id.
   */
  String idempotencyKey();

  /**
   * Another key for each attempt, {@code tenure:{workflowId}:{operationId}:{attempt}}, escaped in
   * the same way: for systems that are to tell the attempts apart.
   */
  String attemptKey();

  /** The key that the workflow's code gave the call, or its definition computed of the input. */
  Optional<String> declaredKey();

  /** The trace that its workflow belongs to, when it was started in one. */
  Optional<Trace> trace();

  /** When the engine gives this attempt up, by the clock of this machine. */
  Optional<Instant> deadline();

  /** True when the workflow does not want the result any more. Long work asks now and then. */
  boolean isCancelled();

  /**
   * Says that the attempt is alive. When it is lost, the next one gets these details.
   *
   * @param details how far it has come; null when there is nothing to say
   */
  void heartbeat(Object details);

  /** What the attempt before said last with a heartbeat. */
  <T> Optional<T> lastDetails(Class<T> type);
}
