package dev.tenure.sharding.activity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.activity.ActivityEffect;
import dev.tenure.persistence.activity.ActivityKey;
import dev.tenure.persistence.activity.ActivityRecord;
import dev.tenure.persistence.activity.ActivityRecords.Recorded;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.sharding.activity.Activities.Taken;
import dev.tenure.sharding.code.Interceptors;
import dev.tenure.sharding.failpoint.Failpoints;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.workflow.ActivityContext;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Effect;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What an attempt at an activity knows of itself, and how many of them there may be. */
class AttemptsTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final WorkflowId CALLER = WorkflowId.of("caller");
  private static final WorkflowId OTHER = WorkflowId.of("other");
  private static final ActivityDefinition<String, String> WORK =
      ActivityDefinition.of("work", String.class, String.class);

  /** Threads that run when the test says so. */
  private final Deque<Runnable> started = new ArrayDeque<>();

  private final List<Outcome> outcomes = new ArrayList<>();
  private int operations;

  private long nanos;
  private Instant owners = NOW;
  private Instant machine = NOW;

  private Activities activities(
      int atOnce, int waiting, ActivityDefinition.Body<String, String> body) {
    return new Activities(
        List.of(ActivityRegistration.of(WORK, body).atOnce(atOnce).waiting(waiting)),
        PayloadCodec.standard(),
        Interceptors.NONE,
        (name, task) -> started.add(task),
        new AttemptClocks(() -> nanos, () -> owners, () -> machine),
        LEDGER,
        new EffectKeeper(LEDGER, Runnable::run, (pause, task) -> {}, Failpoints.NONE),
        tenure -> true,
        activity -> false,
        Failpoints.NONE);
  }

  /** No call of this test has a key. */
  private static final InvocationLedger LEDGER =
      new InvocationLedger() {
        @Override
        public Optional<ActivityRecord> find(ActivityKey key) {
          throw new AssertionError("a call without a key has no record");
        }

        @Override
        public Recorded complete(ActivityEffect effect) {
          throw new AssertionError("a call without a key has no record");
        }
      };

  private ActivityTask task(
      WorkflowId workflow, Optional<Duration> limit, Optional<Instant> deadline) {
    return new ActivityTask(
        workflow,
        "run",
        OperationId.of("", "work", ++operations),
        1,
        new OperationSpec.Activity(
            "work", Payload.NONE, RetryPolicy.DEFAULT, new Timeouts(limit, Optional.empty())),
        new Fence(1, 1),
        Effect.Proof.GIVEN,
        deadline,
        Optional.empty());
  }

  private Taken offer(Activities to, ActivityTask task) {
    return to.offer(
        task,
        new Activities.Asker() {
          @Override
          public void isTimed() {}

          @Override
          public Payload detailsBefore() {
            return Payload.NONE;
          }

          @Override
          public void said(Payload details) {}

          @Override
          public void ended(Outcome outcome) {
            outcomes.add(outcome);
          }
        });
  }

  private Optional<Instant> deadline(Optional<Duration> limit, Optional<Instant> deadline) {
    List<Optional<Instant>> seen = new ArrayList<>();
    try (Activities activities =
        activities(
            1,
            0,
            (call, input) -> {
              seen.add(call.deadline());
              return null;
            })) {
      assertThat(offer(activities, task(CALLER, limit, deadline))).isEqualTo(Taken.YES);
      started.remove().run();
    }
    return seen.getFirst();
  }

  @Test
  void itsDeadlineIsWhicheverComesFirst() {
    Optional<Duration> minute = Optional.of(Duration.ofMinutes(1));
    Instant late = NOW.plusSeconds(3600);
    Instant soon = NOW.plusSeconds(5);
    assertThat(deadline(Optional.empty(), Optional.empty())).isEmpty();
    assertThat(deadline(minute, Optional.empty())).contains(NOW.plusSeconds(60));
    assertThat(deadline(Optional.empty(), Optional.of(late))).contains(late);
    assertThat(deadline(minute, Optional.of(late))).contains(NOW.plusSeconds(60));
    assertThat(deadline(minute, Optional.of(soon))).contains(soon);
  }

  /** Its code has nothing else to compare it with. */
  @Test
  void itsDeadlineIsByTheClockOfTheMachine() {
    machine = NOW.plus(Duration.ofHours(1));
    assertThat(deadline(Optional.empty(), Optional.of(NOW.plusSeconds(5))))
        .contains(machine.plusSeconds(5));
    assertThat(deadline(Optional.of(Duration.ofSeconds(7)), Optional.empty()))
        .contains(machine.plusSeconds(7));
  }

  @Test
  void noClockThatIsSetEndsIt() {
    ActivityTask task = task(CALLER, Optional.of(Duration.ofSeconds(60)), Optional.empty());
    List<Outcome> before = new ArrayList<>();
    isCancelled(
        task,
        all -> {
          for (long hours : List.of(1L, -2L)) {
            owners = owners.plus(Duration.ofHours(hours));
            machine = machine.plus(Duration.ofHours(hours));
            nanos += Duration.ofSeconds(29).toNanos();
            all.stopOverdue();
          }
          before.addAll(outcomes);
          nanos += Duration.ofSeconds(2).toNanos();
          all.stopOverdue();
        });
    assertThat(before).as("after 58 seconds").isEmpty();
    assertThat(outcomes).hasSize(1).first().isInstanceOf(Outcome.TimedOut.class);
  }

  private List<Boolean> isCancelled(ActivityTask task, Consumer<Activities> meanwhile) {
    List<Boolean> seen = new ArrayList<>();
    Activities[] all = new Activities[1];
    ActivityDefinition.Body<String, String> body =
        (ActivityContext call, String input) -> {
          seen.add(call.isCancelled());
          meanwhile.accept(all[0]);
          seen.add(call.isCancelled());
          return null;
        };
    all[0] = activities(1, 0, body);
    assertThat(offer(all[0], task)).isEqualTo(Taken.YES);
    started.remove().run();
    assertThat(Thread.interrupted()).as("whoever is cancelled is interrupted, too").isTrue();
    return seen;
  }

  @Test
  void itIsToldThatNobodyWantsItsResult() {
    ActivityTask task = task(CALLER, Optional.empty(), Optional.empty());
    assertThat(isCancelled(task, all -> all.stop(CALLER, "run", task.operation(), 1)))
        .containsExactly(false, true);
    assertThat(outcomes).isEmpty();
  }

  @Test
  void itIsToldThatItTookTooLong() {
    ActivityTask task = task(CALLER, Optional.of(Duration.ofSeconds(60)), Optional.empty());
    assertThat(
            isCancelled(
                task,
                all -> {
                  nanos += Duration.ofSeconds(60).toNanos();
                  all.stopOverdue();
                }))
        .containsExactly(false, true);
    assertThat(outcomes).hasSize(1).first().isInstanceOf(Outcome.TimedOut.class);
  }

  @Test
  void onlySoManyWait() {
    try (Activities activities = activities(1, 2, (call, input) -> null)) {
      List<Taken> taken = new ArrayList<>();
      for (int i = 0; i < 4; i++) taken.add(offer(activities, anyOf(CALLER)));
      assertThat(taken).containsExactly(Taken.YES, Taken.YES, Taken.YES, Taken.NOT_NOW);
      // One that waits for nothing yet is let in all the same, but not everybody.
      taken.clear();
      for (int i = 0; i < 4; i++) taken.add(offer(activities, anyOf(WorkflowId.of("new-" + i))));
      assertThat(taken).containsExactly(Taken.YES, Taken.YES, Taken.NOT_NOW, Taken.NOT_NOW);

      started.remove().run();
      assertThat(offer(activities, anyOf(OTHER))).as("there is room again").isEqualTo(Taken.YES);
      while (!started.isEmpty()) started.remove().run();
      assertThat(outcomes).hasSize(6).hasOnlyElementsOfType(Outcome.Succeeded.class);
      assertThat(activities.size()).isZero();
    }
  }

  private ActivityTask anyOf(WorkflowId workflow) {
    return task(workflow, Optional.empty(), Optional.empty());
  }
}
