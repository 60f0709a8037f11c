package dev.tenure.workflow.collation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.workflow.collation.Violation.Ceiling;
import dev.tenure.workflow.collation.Violation.Finalized;
import dev.tenure.workflow.collation.Violation.JobClosed;
import dev.tenure.workflow.collation.Violation.NotItsDigit;
import dev.tenure.workflow.collation.Violation.OutOfOrder;
import dev.tenure.workflow.collation.Violation.Stale;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TransitionTest {

  private static Transition message(
      ActivityKind kind, Leg leg, long activity, Long guid, long semaphore) {
    return new Transition(
        kind,
        leg,
        new ActivityLedger(activity),
        Optional.ofNullable(guid).map(GuidLedger::new),
        JobSemaphore.of(semaphore));
  }

  @Test
  void aRefusalNamesWhatIsMissing() {
    Transition early = message(ActivityKind.WORKER, Leg.LEG2, 1_000_000_000_000L, null, 1);
    assertThat(early.enter())
        .isEqualTo(Mark.refused(new OutOfOrder(Marker.LEG2_ENTRY, Marker.LEG1_COMPLETE)));
    assertThat(early.work())
        .isEqualTo(Mark.refused(new OutOfOrder(Marker.WORK, Marker.LEG2_ENTRY)));
    assertThat(early.spawn(1))
        .isEqualTo(Mark.refused(new OutOfOrder(Marker.CHILDREN, Marker.LEG2_ENTRY)));
    assertThat(early.completeJob())
        .isEqualTo(Mark.refused(new OutOfOrder(Marker.COMPLETION, Marker.LEG2_ENTRY)));
    Transition fresh = message(ActivityKind.SIGNAL, Leg.LEG1, 0, null, 1);
    assertThat(fresh.work())
        .isEqualTo(Mark.refused(new OutOfOrder(Marker.WORK, Marker.LEG1_ENTRY)));
  }

  @Test
  void bothCeilingsAreNamedInTheStepThatWouldPassThem() {
    assertThat(message(ActivityKind.WORKER, Leg.LEG1, 99_000_000_000_000L, null, 1).enter())
        .isEqualTo(Mark.refused(new Ceiling(Limit.LEG1_ATTEMPTS, 99, 1)));
    assertThat(message(ActivityKind.WORKER, Leg.LEG2, 1_100_099_999_999L, null, 1).enter())
        .isEqualTo(Mark.refused(new Ceiling(Limit.LEG2_ENTRIES, 99_999_999, 1)));
    assertThat(message(ActivityKind.PIVOT, Leg.LEG1, 1_100_099_999_999L, null, 1).enter())
        .isEqualTo(Mark.refused(new Ceiling(Limit.LEG2_ENTRIES, 99_999_999, 1)));
  }

  @Test
  void aCycleMayComeRoundMoreOftenThanLeg1MayBeTried() {
    ActivityLedger pivot = new ActivityLedger(1_100_000_000_001L);
    for (int round = 1; round <= 1000; round++) {
      Transition cycle =
          new Transition(ActivityKind.PIVOT, Leg.LEG1, pivot, Optional.empty(), JobSemaphore.of(1));
      Transition entered = cycle.enter().orThrow();
      assertThat(entered.guid().orElseThrow().dimension()).isEqualTo(round);
      pivot = entered.activity();
    }
    assertThat(pivot.leg1Attempts()).isEqualTo(1);
  }

  @Test
  void aRedeliveredLeg2MessageKeepsItsDimensionWhileOthersCome() {
    Transition first =
        message(ActivityKind.WEB_HOOK, Leg.LEG2, 1_100_000_000_000L, null, 1).enter().orThrow();
    ActivityLedger later = first.activity().enterLeg2().orThrow().enterLeg2().orThrow();
    Transition again =
        new Transition(ActivityKind.WEB_HOOK, Leg.LEG2, later, first.guid(), first.semaphore());
    assertThat(again.enter()).isEqualTo(Mark.alreadyRecorded(again));
    assertThat(again.guid().orElseThrow().dimension()).isZero();
    assertThat(later.dimensionalIndex()).isEqualTo(2);
  }

  @Test
  void aSecondMessageForTheSameLeg1IsStaleOnceTheFirstProvedIt() {
    Transition second = message(ActivityKind.SIGNAL, Leg.LEG1, 2_100_000_000_000L, 0L, 1);
    assertThat(second.next()).isEqualTo(Reentry.ACKNOWLEDGE);
    assertThat(second.work()).isEqualTo(Mark.refused(new Stale()));
    assertThat(second.enter().orThrow().activity()).hasToString("003100000000000");
  }

  @Test
  void nothingIsCountedAfterTheEndOfTheJob() {
    assertThat(message(ActivityKind.WORKER, Leg.LEG1, 1_100_000_000_000L, null, 0).enter())
        .isEqualTo(Mark.refused(new JobClosed()));
    assertThat(message(ActivityKind.WORKER, Leg.LEG2, 1_100_000_000_000L, null, 0).enter())
        .isEqualTo(Mark.refused(new JobClosed()));
    Transition interrupted = message(ActivityKind.WORKER, Leg.LEG2, 1_100_000_000_001L, 1L, 0);
    assertThat(interrupted.work()).isEqualTo(Mark.refused(new JobClosed()));
    Transition replay = message(ActivityKind.SIGNAL, Leg.LEG1, 1_100_000_000_000L, 0L, 0);
    assertThat(replay.enter()).isEqualTo(Mark.alreadyRecorded(replay));
    assertThat(message(ActivityKind.WORKER, Leg.LEG1, 1_000_000_000_000L, null, 0).completeLeg1())
        .isEqualTo(Mark.refused(new JobClosed()));
  }

  @Test
  void aFinalizedActivityKeepsFinishingTheMessagesItKnows() {
    Transition unknown = message(ActivityKind.WEB_HOOK, Leg.LEG2, 201_100_000_000_002L, null, 1);
    assertThat(unknown.enter()).isEqualTo(Mark.refused(new Finalized()));
    Transition known = message(ActivityKind.WEB_HOOK, Leg.LEG2, 201_100_000_000_002L, 1L, 1);
    assertThat(known.work().orThrow().next()).isEqualTo(Reentry.STEP2);
  }

  @Test
  void everyDigitBelongsToItsLeg() {
    Transition request = message(ActivityKind.WORKER, Leg.LEG1, 1_000_000_000_000L, 0L, 1);
    assertThat(request.work())
        .isEqualTo(Mark.refused(new NotItsDigit(ActivityKind.WORKER, Marker.WORK)));
    Transition response = message(ActivityKind.WORKER, Leg.LEG2, 1_100_000_000_001L, 1L, 1);
    assertThat(response.completeLeg1())
        .isEqualTo(Mark.refused(new NotItsDigit(ActivityKind.WORKER, Marker.LEG1_COMPLETE)));
    Transition signal = message(ActivityKind.SIGNAL, Leg.LEG1, 1_000_000_000_000L, 0L, 1);
    assertThat(signal.completeLeg1())
        .isEqualTo(Mark.refused(new NotItsDigit(ActivityKind.SIGNAL, Marker.LEG1_COMPLETE)));
  }

  @Test
  void everyViolationSaysWhatToDo() {
    for (Violation violation :
        new Violation[] {
          new Ceiling(Limit.LEG1_ATTEMPTS, 99, 1),
          new Ceiling(Limit.LEG2_ENTRIES, 99_999_999, 1),
          new Ceiling(Limit.OPEN_OBLIGATIONS, 5, 1),
          new OutOfOrder(Marker.CHILDREN, Marker.WORK),
          new NotItsDigit(ActivityKind.WORKER, Marker.WORK),
          new Stale(),
          new Finalized(),
          new JobClosed(),
          new Violation.NotTheCloser()
        }) {
      assertThat(violation.message()).matches("[A-Z].*\\. .*\\.|[A-Z].*Acknowledge.*\\.");
      assertThat(new CollationError(violation).violation()).isEqualTo(violation);
    }
  }

  @Test
  void aTriggerIsEnteredByItsInception() {
    assertThatThrownBy(() -> message(ActivityKind.TRIGGER, Leg.LEG1, 0, null, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
