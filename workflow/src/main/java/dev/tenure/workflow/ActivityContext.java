package dev.tenure.workflow;

import java.time.Instant;
import java.util.Optional;

/** What an activity's code may ask while it runs. */
public interface ActivityContext {
  WorkflowId workflowId();

  /** The operation's id within its workflow. */
  String operationId();

  /** Counts from 1. */
  int attempt();

  /**
   * Stable over all attempts and crashes: give it to downstream systems, which then can recognise a
   * repetition.
   */
  String idempotencyKey();

  /** The trace that its workflow belongs to, when it was started in one. */
  Optional<Trace> trace();

  /** When the engine gives this attempt up. */
  Optional<Instant> deadline();

  /** Whether anybody still wants the result. Ask now and then in long work. */
  boolean isCancelled();
}
