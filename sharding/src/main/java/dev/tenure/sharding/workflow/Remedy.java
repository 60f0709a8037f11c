package dev.tenure.sharding.workflow;

import dev.tenure.persistence.incident.IncidentFilter;
import dev.tenure.persistence.incident.IncidentRow;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.kernel.Incident;

/**
 * What a person decides about an activity whose outcome cannot be told. All but {@link VerifyAgain}
 * are for incidents of that kind alone.
 */
public sealed interface Remedy {
  /** Its verifier is asked again. Incidents of other kinds are resolved as ever. */
  Remedy VERIFY_AGAIN = new VerifyAgain();

  /** It is run again, although it may have had its effect. */
  Remedy RUN_AGAIN = new RunAgain();

  record VerifyAgain() implements Remedy {}

  record RunAgain() implements Remedy {}

  /** It took effect: the workflow goes on with this result. */
  record Complete(Payload result) implements Remedy {}

  /** It is taken for failed: the workflow's code learns this failure. */
  record Fail(Failure failure) implements Remedy {}

  /** Of these incidents, those that this can be done about. */
  default IncidentFilter within(IncidentFilter filter) {
    if (this instanceof VerifyAgain) return filter;
    if (!filter.kind().map(Incident.Indeterminate.KIND::equals).orElse(true))
      throw new IllegalArgumentException(
          "Incidents of kind %s are resolved: only an activity of which cannot be told how it came out can be run again, completed or failed."
              .formatted(filter.kind().orElseThrow()));
    return filter.withKind(Incident.Indeterminate.KIND);
  }

  /** Whether the incident is one of an activity whose outcome cannot be told. */
  static boolean isFor(IncidentRow incident) {
    return incident.kind().equals(Incident.Indeterminate.KIND) && incident.operation().isPresent();
  }
}
