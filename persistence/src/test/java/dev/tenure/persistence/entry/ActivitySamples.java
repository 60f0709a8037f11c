package dev.tenure.persistence.entry;

import static dev.tenure.persistence.entry.JournalEntrySamples.CHARGE;
import static dev.tenure.persistence.entry.JournalEntrySamples.DIGITS;
import static dev.tenure.persistence.entry.JournalEntrySamples.T;
import static dev.tenure.persistence.entry.JournalEntrySamples.failure;
import static dev.tenure.persistence.entry.JournalEntrySamples.payload;

import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.ActivityRouting;
import dev.tenure.workflow.ActivityRouting.RateLimit;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Failure.OutsideEffect;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.operation.ActivityCall;
import dev.tenure.workflow.operation.ActivityCall.Queueing;
import dev.tenure.workflow.operation.OperationSpec;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** What activities with a key or a queue bring to the journal; see {@link JournalEntrySamples}. */
final class ActivitySamples {
  static final Failure UNPROVEN = failure().with(OutsideEffect.UNPROVEN);

  private static final Queueing SIMPLE =
      new Queueing("gpu", 0, "", Duration.ofSeconds(30), "", Optional.empty(), Optional.empty());

  private static final Queueing LIMITED =
      new Queueing(
          "tenure.activity.mail",
          -9,
          "tenant-7",
          Duration.ofMinutes(2),
          "smtp.example",
          Optional.of(100_000),
          Optional.of(new RateLimit(50, Duration.ofMillis(1_500))));

  private ActivitySamples() {}

  static void add(Map<String, Event> all) {
    all.put("scheduled-keyed", scheduled(keyed()));
    all.put(
        "scheduled-keyed-idempotent",
        scheduled(
            call(Optional.of("ß:17"), true, Optional.of(Duration.ofSeconds(9)), Optional.empty())));
    all.put(
        "scheduled-heartbeat",
        scheduled(
            call(Optional.empty(), false, Optional.of(Duration.ofSeconds(9)), Optional.empty())));
    all.put(
        "scheduled-queued",
        scheduled(call(Optional.empty(), false, Optional.empty(), Optional.of(LIMITED))));
    all.put(
        "scheduled-keyed-queued",
        scheduled(call(Optional.of("order-7"), false, Optional.empty(), Optional.of(SIMPLE))));
    RetryPolicy byType =
        RetryPolicy.DEFAULT.attempts("b.Busy", 10).attempts("a.Declined", 1).jitter(0);
    all.put("scheduled-attempts-for", scheduled(step(byType)));
    all.put("scheduled-attempts-for-then-incident", scheduled(step(byType.thenIncident())));
    all.put("attempt-failed-no-effect", failed(failure().with(OutsideEffect.NONE)));
    all.put("attempt-failed-unproven", failed(UNPROVEN.as(Failure.Form.EXCEPTION)));
    all.put("retried-unproven", new Event.Retried(T, CHARGE, true));
    all.put("concluded", new Event.Concluded(T, CHARGE, "the bank says — paid"));
    all.put("incident-indeterminate", new Event.IncidentRaised(T, indeterminate()));
    all.put(
        "incident-resource-differs",
        new Event.IncidentRaised(T, new Incident.ResourceDiffers(CHARGE, "no such — payment")));
  }

  static OperationSpec.Activity keyed() {
    return call(Optional.of("order-7"), false, Optional.empty(), Optional.empty());
  }

  static Incident indeterminate() {
    return new Incident.Indeterminate(CHARGE, 3, UNPROVEN);
  }

  private static OperationSpec.Activity call(
      Optional<String> key,
      boolean idempotent,
      Optional<Duration> heartbeat,
      Optional<Queueing> queueing) {
    return new OperationSpec.Activity(
        "mail",
        payload("{}"),
        RetryPolicy.DEFAULT,
        Timeouts.DEFAULT,
        new ActivityCall(key, idempotent, heartbeat, queueing));
  }

  /**
   * With all texts as long as they may be.
   *
   * @param queued whether workers take it
   */
  static OperationSpec.Activity longest(boolean queued) {
    String key = "k".repeat(ActivityRouting.KEY_BYTES_MAX);
    Queueing queueing =
        new Queueing(
            "q".repeat(ActivityRouting.QUEUE_BYTES_MAX),
            ActivityRouting.PRIORITY_MAX,
            key,
            ActivityRouting.VISIBILITY_MAX,
            key,
            Optional.of(ActivityRouting.AT_ONCE_MAX),
            Optional.of(new RateLimit(Integer.MAX_VALUE, RateLimit.SPAN_MAX)));
    return new OperationSpec.Activity(
        "a".repeat(OperationSpec.Activity.NAME_BYTES_MAX),
        payload(""),
        RetryPolicy.DEFAULT.attempts("t".repeat(1_000), 9),
        Timeouts.NONE.attempt(Timeouts.MAX).total(Timeouts.MAX),
        new ActivityCall(
            Optional.of("i".repeat(ActivityDefinition.KEY_BYTES_MAX)),
            true,
            Optional.of(Timeouts.MAX),
            queued ? Optional.of(queueing) : Optional.empty()));
  }

  private static OperationSpec step(RetryPolicy retry) {
    return new OperationSpec.Step(retry, Timeouts.DEFAULT);
  }

  private static Event scheduled(OperationSpec spec) {
    return new Event.Scheduled(T, CHARGE, spec, new ActivityLedger(1_100_000_000_000L));
  }

  private static Event failed(Failure failure) {
    return new Event.AttemptFailed(T, CHARGE, 3, failure, T.plusSeconds(9), DIGITS);
  }
}
