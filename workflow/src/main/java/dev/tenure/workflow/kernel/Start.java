package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.SeededRandom;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.Trace;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything a workflow starts with.
 *
 * @param runId part of answers, so that clients can tell runs of a reused id apart
 * @param seed all random values of the workflow derive from it, so that a replay gets the same
 * @param request the caller's key for this start, with the hash of its body: it tells a repetition
 *     from another start of the same id (I5)
 * @param origin whose child it is
 * @param trace which it belongs to, with all its runs and children
 * @param earlier the newest starts of the id whose runs this one follows, the oldest first: a
 *     repetition of one of them is answered with its own run (I5)
 * @param begunAs the run that began with this start, when the run is one that it continued as
 * @param kind of its program
 * @param accounting what its semaphore counts
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
    Optional<Trace> trace,
    List<Earlier> earlier,
    Optional<String> begunAs,
    ProgramKind kind,
    Accounting accounting) {
  /**
   * A start whose run was followed by that of another start.
   *
   * @param key see {@link Start#key}
   * @param runId of the last run that came of it
   */
  public record Earlier(String key, String runId) {}

  public Start {
    attributes = Attribute.requireNames(attributes);
    earlier = List.copyOf(earlier);
    executionTimeout.ifPresent(span -> Timeouts.requireSpan("execution timeout", span));
  }

  /** A start of code, which follows no other of its id. */
  public Start(
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
        trace,
        List.of(),
        Optional.empty(),
        ProgramKind.CODE,
        Accounting.CODE);
  }

  /** A start of code, which belongs to no trace either. */
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

  /** The run that began with this start: the caller of the start knows it by that id. */
  public String firstRunId() {
    return begunAs.orElse(runId);
  }

  /** The key by which a repetition of this start is recognised; empty when it has none. */
  Optional<String> key() {
    return origin
        .map(parent -> "child " + parent.guid().value())
        .or(() -> request.map(name -> "request " + name))
        .map(key -> Payload.of(key.getBytes(StandardCharsets.UTF_8)).fingerprint());
  }

  /** The last run of that very start, when it was this one's or an earlier one's. */
  Optional<String> runOf(Start repeated) {
    Optional<String> key = repeated.key();
    if (key.isEmpty()) return Optional.empty();
    if (key.equals(key())) return Optional.of(runId);
    for (Earlier one : earlier) if (one.key().equals(key.get())) return Optional.of(one.runId());
    return Optional.empty();
  }

  /**
   * The same start, of a run that follows that one.
   *
   * @param earlierMax so many starts are still recognised
   */
  Start after(Start before, int earlierMax) {
    List<Earlier> all = new ArrayList<>(before.earlier);
    before.key().ifPresent(key -> all.add(new Earlier(key, before.runId)));
    int surplus = Math.max(0, all.size() - earlierMax);
    return new Start(
        id,
        runId,
        type,
        input,
        seed,
        request,
        origin,
        executionTimeout,
        attributes,
        trace,
        all.subList(surplus, all.size()),
        begunAs,
        kind,
        accounting);
  }

  /** The same run, pinned to another version of its code. */
  public Start atVersion(int version) {
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
        trace,
        earlier,
        begunAs,
        kind,
        accounting);
  }

  /** The same start of a run of such a program. */
  public Start of(ProgramKind other) {
    return new Start(
        id,
        runId,
        type,
        input,
        seed,
        request,
        origin,
        executionTimeout,
        attributes,
        trace,
        earlier,
        begunAs,
        other,
        accounting);
  }

  /** The same start of a run that is accounted so. */
  public Start with(Accounting other) {
    return new Start(
        id,
        runId,
        type,
        input,
        seed,
        request,
        origin,
        executionTimeout,
        attributes,
        trace,
        earlier,
        begunAs,
        kind,
        other);
  }

  /**
   * The run that follows this one. Its id and its random values derive from this run's id, too,
   * because a fork of this run has the same seed.
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
        trace,
        earlier,
        Optional.of(firstRunId()),
        kind,
        accounting);
  }
}
