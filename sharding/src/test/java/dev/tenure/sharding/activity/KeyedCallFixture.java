package dev.tenure.sharding.activity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.activity.ActivityRecord;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.sharding.code.Interceptors;
import dev.tenure.sharding.failpoint.Failpoints;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.workflow.ActivityCode;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Failure.OutsideEffect;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.Verifier;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Effect.Proof;
import dev.tenure.workflow.operation.ActivityCall;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** An executor of keyed calls whose threads run when a test says so. */
abstract class KeyedCallFixture {
  static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  static final ActivityDefinition<String, String> PAY =
      ActivityDefinition.of("pay", String.class, String.class).keyed();
  static final Payload RECEIPT = json("\"receipt\"");

  final LedgerOfTests ledger = new LedgerOfTests();
  final Deque<Runnable> threads = new ArrayDeque<>();
  final List<Outcome> outcomes = new ArrayList<>();
  final AtomicInteger calls = new AtomicInteger();
  final AtomicInteger questions = new AtomicInteger();
  Instant now = NOW;

  /** Whether the node still has the tenure. */
  Predicate<Fence> holds = tenure -> true;

  static Payload json(String text) {
    return Payload.of(text.getBytes(StandardCharsets.UTF_8));
  }

  Activities activities(ActivityCode<String, String> code) {
    return activities(code, 10);
  }

  Activities activities(ActivityCode<String, String> code, int atOnce) {
    return new Activities(
        List.of(ActivityRegistration.of(code, atOnce, 10)),
        PayloadCodec.standard(),
        Interceptors.NONE,
        (name, task) -> threads.add(task),
        AttemptClocks.of(() -> Duration.between(NOW, now).toNanos(), () -> now),
        ledger,
        new EffectKeeper(ledger, Runnable::run, (pause, task) -> {}, Failpoints.NONE),
        holds,
        activity -> false,
        Failpoints.NONE);
  }

  ActivityCode<String, String> paying(ActivityDefinition.Body<String, String> body) {
    return ActivityCode.of(
        PAY,
        (call, input) -> {
          calls.incrementAndGet();
          return body.run(call, input);
        });
  }

  ActivityCode<String, String> verified(
      ActivityDefinition.Body<String, String> body, Verifier<String, String> verifier) {
    return paying(body)
        .verifiedBy(
            (call, input) -> {
              questions.incrementAndGet();
              return verifier.verify(call, input);
            });
  }

  static String succeeds(Object call, String input) {
    return "receipt";
  }

  static String fails(Object call, String input) throws IOException {
    throw new IOException("reset");
  }

  ActivityTask task(Proof proof, boolean idempotent) {
    return task(1, proof, idempotent, 1);
  }

  ActivityTask task(int attempt, Proof proof, boolean idempotent, long epoch) {
    return task(attempt, proof, idempotent, epoch, Optional.empty());
  }

  ActivityTask task(
      int attempt, Proof proof, boolean idempotent, long epoch, Optional<Instant> deadline) {
    return task(json("\"17\""), attempt, proof, idempotent, epoch, deadline);
  }

  ActivityTask task(Payload input, Proof proof) {
    return task(input, 1, proof, false, 1, Optional.empty());
  }

  private static ActivityTask task(
      Payload input,
      int attempt,
      Proof proof,
      boolean idempotent,
      long epoch,
      Optional<Instant> deadline) {
    return new ActivityTask(
        WorkflowId.of("order"),
        "run",
        OperationId.of("", "pay", 1),
        attempt,
        new OperationSpec.Activity(
            "pay",
            input,
            RetryPolicy.DEFAULT,
            Timeouts.NONE.attempt(Duration.ofSeconds(60)),
            new ActivityCall(
                Optional.of("order 17"), idempotent, Optional.empty(), Optional.empty())),
        new Fence(1, epoch),
        proof,
        deadline,
        Optional.empty());
  }

  final class Waits implements Activities.Asker {
    boolean absent;

    @Override
    public void isTimed() {}

    @Override
    public Payload detailsBefore() {
      return Payload.NONE;
    }

    @Override
    public void said(Payload details) {}

    @Override
    public void absent() {
      absent = true;
    }

    @Override
    public void ended(Outcome outcome) {
      outcomes.add(outcome);
    }
  }

  /** Runs the attempt to its end, and says how it came out. */
  Outcome run(ActivityCode<String, String> code, Proof proof, boolean idempotent) {
    return run(code, task(proof, idempotent));
  }

  Outcome run(ActivityCode<String, String> code, ActivityTask task) {
    if (!ledger.records.containsKey(task.record())) ledger.claim(task);
    try (Activities activities = activities(code)) {
      assertThat(activities.offer(task, new Waits())).isEqualTo(Activities.Taken.YES);
      while (!threads.isEmpty()) threads.remove().run();
      assertThat(activities.size()).isZero();
    }
    assertThat(outcomes).hasSize(1);
    return outcomes.removeFirst();
  }

  Outcome first(ActivityCode<String, String> code) {
    return run(code, Proof.GIVEN, false);
  }

  Outcome again(ActivityCode<String, String> code) {
    return run(code, Proof.NEEDED, false);
  }

  private Runnable whileItRuns = () -> {};

  /** Code that is given up, and answers to its interrupt. */
  String leaves(Object call, String input) throws InterruptedException {
    whileItRuns.run();
    throw new InterruptedException("asked to leave");
  }

  /** Code that is given up, goes on, and comes back with a result. */
  String stays(Object call, String input) {
    whileItRuns.run();
    return "late";
  }

  /** The attempt is given up while its code runs, and its code leaves. */
  Outcome timesOut(ActivityCode<String, String> code) {
    return givenUp(code, () -> {});
  }

  /** The attempt is given up while its code runs on. */
  Outcome staysInside(ActivityCode<String, String> code) {
    // The thread that asks the verifier.
    return givenUp(code, () -> threads.remove().run());
  }

  private Outcome givenUp(ActivityCode<String, String> code, Runnable meanwhile) {
    ActivityTask task = task(Proof.GIVEN, false);
    ledger.records.clear();
    ledger.claim(task);
    try (Activities activities = activities(code)) {
      whileItRuns =
          () -> {
            now = now.plusSeconds(60);
            activities.stopOverdue();
            meanwhile.run();
          };
      activities.offer(task, new Waits());
      threads.remove().run();
      // The interrupt was for the code.
      Thread.interrupted();
      while (!threads.isEmpty()) threads.remove().run();
    }
    assertThat(outcomes).as("its late end tells nothing more").hasSize(1);
    return outcomes.removeFirst();
  }

  ActivityRecord record() {
    return ledger.records.get(task(Proof.GIVEN, false).record());
  }

  static Failure failure(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Failed.class);
    return ((Outcome.Failed) outcome).failure();
  }

  static void assertUnproven(Outcome outcome, boolean retryable) {
    Failure failure = failure(outcome);
    assertThat(failure.type()).isEqualTo(Failure.INDETERMINATE);
    assertThat(failure.outside()).isEqualTo(OutsideEffect.UNPROVEN);
    assertThat(failure.retryable()).isEqualTo(retryable);
  }
}
