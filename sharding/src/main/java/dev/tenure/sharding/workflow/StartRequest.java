package dev.tenure.sharding.workflow;

import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.StartPolicy;
import dev.tenure.workflow.Text;
import dev.tenure.workflow.Trace;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Accounting;
import dev.tenure.workflow.kernel.ProgramKind;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A workflow to start.
 *
 * @param version decided by the owner from what the cluster has deployed, when empty
 * @param input its JSON
 * @param request what the caller calls this start: the same again is recognised, also when the
 *     first answer was lost
 * @param trace the trace that the workflow belongs to
 * @param policy what becomes of the start when the id is taken
 * @param kind of the program that its type names
 * @param accounting what its semaphore counts
 */
public record StartRequest(
    WorkflowId id,
    String type,
    Optional<Integer> version,
    Payload input,
    Optional<String> request,
    Optional<Duration> executionTimeout,
    Map<String, Attribute> attributes,
    Optional<Trace> trace,
    StartPolicy policy,
    ProgramKind kind,
    Accounting accounting) {
  public static final int REQUEST_BYTES_MAX = 512;

  public StartRequest {
    Text.require("workflow type", type, WorkflowType.NAME_BYTES_MAX);
    version.ifPresent(number -> WorkflowType.requireVersion(type, number));
    request.ifPresent(text -> Text.require("start request", text, REQUEST_BYTES_MAX));
    attributes = Map.copyOf(attributes);
  }

  /** A start of code. */
  public StartRequest(
      WorkflowId id,
      String type,
      Optional<Integer> version,
      Payload input,
      Optional<String> request,
      Optional<Duration> executionTimeout,
      Map<String, Attribute> attributes,
      Optional<Trace> trace,
      StartPolicy policy) {
    this(
        id,
        type,
        version,
        input,
        request,
        executionTimeout,
        attributes,
        trace,
        policy,
        ProgramKind.CODE,
        Accounting.CODE);
  }

  public static StartRequest of(String id, String type, Payload input) {
    return new StartRequest(
        WorkflowId.of(id),
        type,
        Optional.empty(),
        input,
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        Optional.empty(),
        StartPolicy.REJECT_DUPLICATE);
  }

  /** What the start does when the id is taken; by default it is refused. */
  public StartRequest ifTaken(StartPolicy taken) {
    return new StartRequest(
        id,
        type,
        version,
        input,
        request,
        executionTimeout,
        attributes,
        trace,
        taken,
        kind,
        accounting);
  }

  public StartRequest version(int number) {
    return new StartRequest(
        id,
        type,
        Optional.of(number),
        input,
        request,
        executionTimeout,
        attributes,
        trace,
        policy,
        kind,
        accounting);
  }

  public StartRequest request(String key) {
    return new StartRequest(
        id,
        type,
        version,
        input,
        Optional.of(key),
        executionTimeout,
        attributes,
        trace,
        policy,
        kind,
        accounting);
  }

  public StartRequest executionTimeout(Duration span) {
    return new StartRequest(
        id,
        type,
        version,
        input,
        request,
        Optional.of(span),
        attributes,
        trace,
        policy,
        kind,
        accounting);
  }

  public StartRequest attributes(Map<String, Attribute> all) {
    return new StartRequest(
        id, type, version, input, request, executionTimeout, all, trace, policy, kind, accounting);
  }

  public StartRequest trace(Trace one) {
    return new StartRequest(
        id,
        type,
        version,
        input,
        request,
        executionTimeout,
        attributes,
        Optional.of(one),
        policy,
        kind,
        accounting);
  }

  /**
   * Says that its type names a program of that kind, with that accounting; by default it is code.
   */
  public StartRequest program(ProgramKind other, Accounting accounted) {
    return new StartRequest(
        id,
        type,
        version,
        input,
        request,
        executionTimeout,
        attributes,
        trace,
        policy,
        other,
        accounted);
  }
}
