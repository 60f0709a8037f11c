package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.SeededRandom;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.Trace;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Everything a workflow starts with.
 *
 * @param runId told to whoever asks, so that a purged and reused id can be told apart
 * @param seed all chance in the workflow derives from it, so that a replay sees the same
 * @param request what the start's caller calls it, with the hash of its body: how a repetition is
 *     told from another start of the same id (I5)
 * @param origin whose child it is
 * @param trace which it belongs to, with all its runs and children
 */
public record Start(
    WorkflowId id,
    String runId,
    WorkflowType type,
    Payload input,
    long seed,
    Optional<String> request,
    Optional<Origin> origin,
    Optional<Duration> executionTimeout,
    Map<String, Attribute> attributes,
    Optional<Trace> trace) {
  public Start {
    attributes = Attribute.requireNames(attributes);
    executionTimeout.ifPresent(span -> Timeouts.requireSpan("execution timeout", span));
  }

  /** A start that belongs to no trace. */
  public Start(
      WorkflowId id,
      String runId,
      WorkflowType type,
      Payload input,
      long seed,
      Optional<String> request,
      Optional<Origin> origin,
      Optional<Duration> executionTimeout,
      Map<String, Attribute> attributes) {
    this(
        id,
        runId,
        type,
        input,
        seed,
        request,
        origin,
        executionTimeout,
        attributes,
        Optional.empty());
  }

  /** The same run, pinned to another version of its code. */
  Start atVersion(int version) {
    return new Start(
        id,
        runId,
        new WorkflowType(type.name(), version),
        input,
        seed,
        request,
        origin,
        executionTimeout,
        attributes,
        trace);
  }

  /**
   * The run that follows this one. Its id and its chance derive from this run's id, too: a fork of
   * this run has the same seed.
   */
  Start next(Payload nextInput, int version, Map<String, Attribute> current) {
    SeededRandom next = SeededRandom.of(seed, "continue as new:" + runId);
    return new Start(
        id,
        next.nextUuid().toString(),
        new WorkflowType(type.name(), version),
        nextInput,
        next.nextLong(),
        request,
        origin,
        executionTimeout,
        current,
        trace);
  }
}
