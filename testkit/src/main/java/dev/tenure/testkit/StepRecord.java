package dev.tenure.testkit;

import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationKind;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A step or an activity, as it stands in a workflow's history.
 *
 * @param failures of the attempts that were followed by another one
 * @param outcome empty while it is not known
 * @param codec that reads its result
 */
public record StepRecord(
    OperationId id,
    OperationKind kind,
    List<Failure> failures,
    Optional<Outcome> outcome,
    PayloadCodec codec) {
  public String name() {
    return id.name();
  }

  /** How many attempts there were. */
  public int attempts() {
    return failures.size() + (outcome.isPresent() ? 1 : 0);
  }

  /** What it came out with; for a step, of the type that it returned. */
  @SuppressWarnings("unchecked")
  public <T> T result(Class<T> type) {
    if (!(outcome.orElse(null) instanceof Outcome.Succeeded(var value)))
      throw new AssertionError(id + " has no result, it came out as " + outcome);
    String what = "the result of " + id;
    return kind == OperationKind.STEP
        ? (T) codec.forCode(type).readNamed(value, what)
        : (T) codec.read(value, type, what);
  }

  static List<StepRecord> of(List<Event> events, PayloadCodec codec) {
    Map<OperationId, StepRecord> found = new LinkedHashMap<>();
    for (Event event : events) {
      if (event instanceof Event.Scheduled scheduled
          && scheduled.spec() instanceof OperationSpec.Attempted)
        found.put(
            scheduled.operation(),
            new StepRecord(
                scheduled.operation(),
                scheduled.spec().kind(),
                List.of(),
                Optional.empty(),
                codec));
      if (event instanceof Event.AttemptFailed failed)
        found.computeIfPresent(failed.operation(), (id, one) -> one.failed(failed.failure()));
      if (event instanceof Event.Completed completed)
        found.computeIfPresent(
            completed.operation(), (id, one) -> one.cameOut(completed.outcome()));
    }
    return List.copyOf(found.values());
  }

  private StepRecord cameOut(Outcome how) {
    return new StepRecord(id, kind, failures, Optional.of(how), codec);
  }

  private StepRecord failed(Failure failure) {
    List<Failure> more = new ArrayList<>(failures);
    more.add(failure);
    return new StepRecord(id, kind, List.copyOf(more), outcome, codec);
  }
}
