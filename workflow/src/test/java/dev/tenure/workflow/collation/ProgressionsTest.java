package dev.tenure.workflow.collation;

import static dev.tenure.workflow.collation.ActivityKind.AWAIT;
import static dev.tenure.workflow.collation.ActivityKind.TIME_HOOK;
import static dev.tenure.workflow.collation.ActivityKind.WEB_HOOK;
import static dev.tenure.workflow.collation.ActivityKind.WORKER;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The progressions of activities with two legs, digit by digit. Columns: see {@link Walk}. */
class ProgressionsTest {

  @Test
  void leg1EntersCompletesAndAcknowledgesItsReplay() {
    Walk.check(
        WORKER,
        """
        leg1         | 000000000000000 | | 5 | RUN_LEG1
        enter        | 001000000000000 | | 5 | RUN_LEG1
        completeLeg1 | 001100000000000 | | 5 | ACKNOWLEDGE
        again        | 001100000000000 | | 5 | ACKNOWLEDGE
        enter        | 002100000000000 | | 5 | ACKNOWLEDGE\
        """);
  }

  @Test
  void leg2ResumesAtTheStepThatDidNotCommit() {
    Walk.check(
        WORKER,
        """
        leg2       | 001100000000000 |                 | 5 | ENTER_LEG2
        enter      | 001100000000001 | 000000000000001 | 5 | STEP1
        work       | 001100000000001 | 000010000000001 | 5 | STEP2
        again      | 001100000000001 | 000010000000001 | 5 | STEP2
        enterAgain | 001100000000001 | 000010000000001 | 5 | STEP2
        spawn 2    | 001100000000001 | 000011000000001 | 6 | ACKNOWLEDGE\
        """);
  }

  @Test
  void closingTheJobLeavesAProofThatOutlivesACrash() {
    Walk.check(
        WORKER,
        """
        leg2        | 001100000000000 |                 | 1 | ENTER_LEG2
        enter       | 001100000000001 | 000000000000001 | 1 | STEP1
        work        | 001100000000001 | 000010000000001 | 1 | STEP2
        spawn 0     | 001100000000001 | 000111000000001 | 0 | STEP3
        again       | 001100000000001 | 000111000000001 | 0 | STEP3
        enterAgain  | 001100000000001 | 000111000000001 | 0 | STEP3
        completeJob | 201100000000001 | 000111100000001 | 0 | ACKNOWLEDGE\
        """);
  }

  /** Worker, await and the hooks that wait read the same: request, response, three steps. */
  @ParameterizedTest
  @EnumSource(names = {"WORKER", "AWAIT", "TIME_HOOK", "WEB_HOOK"})
  void everyActivityOfCategoryATakesTheSameDigits(ActivityKind kind) {
    Walk.check(
        kind,
        """
        leg1         | 000000000000000 |                 | 2 | RUN_LEG1
        enter        | 001000000000000 |                 | 2 | RUN_LEG1
        completeLeg1 | 001100000000000 |                 | 2 | ACKNOWLEDGE
        leg2         | 001100000000000 |                 | 2 | ENTER_LEG2
        enter        | 001100000000001 | 000000000000001 | 2 | STEP1
        work         | 001100000000001 | 000010000000001 | 2 | STEP2
        spawn 1      | 001100000000001 | 000011000000001 | 2 | ACKNOWLEDGE\
        """);
    Walk.check(
        kind,
        """
        leg2        | 001100000000000 |                 | 1 | ENTER_LEG2
        enter       | 001100000000001 | 000000000000001 | 1 | STEP1
        work        | 001100000000001 | 000010000000001 | 1 | STEP2
        spawn 0     | 001100000000001 | 000111000000001 | 0 | STEP3
        completeJob | 201100000000001 | 000111100000001 | 0 | ACKNOWLEDGE
        leg2        | 201100000000001 |                 | 0 | ACKNOWLEDGE\
        """);
  }

  @Test
  void aHookThatAnswers202GivesEachMessageItsOwnOrdinalAndStaysOpen() {
    Walk.check(
        WEB_HOOK,
        """
        leg2        | 001100000000000 |                 | 1 | ENTER_LEG2
        enter       | 001100000000001 | 000000000000001 | 1 | STEP1
        work        | 001100000000001 | 000010000000001 | 1 | STEP2
        spawnOpen 2 | 001100000000001 | 000011000000001 | 3 | ACKNOWLEDGE
        leg2        | 001100000000001 |                 | 3 | ENTER_LEG2
        enter       | 001100000000002 | 000000000000002 | 3 | STEP1
        work        | 001100000000002 | 000010000000002 | 3 | STEP2
        spawnOpen 0 | 001100000000002 | 000011000000002 | 3 | ACKNOWLEDGE
        leg2        | 001100000000002 |                 | 3 | ENTER_LEG2
        enter       | 001100000000003 | 000000000000003 | 3 | STEP1
        work        | 001100000000003 | 000010000000003 | 3 | STEP2
        spawn 0     | 001100000000003 | 000011000000003 | 2 | ACKNOWLEDGE\
        """);
  }

  @ParameterizedTest
  @EnumSource(names = {"PASSTHROUGH", "SIGNAL", "INTERRUPT_ANOTHER"})
  void everyActivityOfCategoryBRunsItsStepsInLeg1(ActivityKind kind) {
    Walk.check(
        kind,
        """
        leg1    | 000000000000000 |                 | 3 | RUN_LEG1
        enter   | 001000000000000 | 000000000000000 | 3 | RUN_LEG1
        work    | 001100000000000 | 000010000000000 | 3 | STEP2
        again   | 001100000000000 | 000010000000000 | 3 | STEP2
        enter   | 002100000000000 | 000010000000000 | 3 | STEP2
        spawn 3 | 002100000000000 | 000011000000000 | 5 | ACKNOWLEDGE\
        """);
    Walk.check(
        kind,
        """
        leg1        | 000000000000000 |                 | 1 | RUN_LEG1
        enter       | 001000000000000 | 000000000000000 | 1 | RUN_LEG1
        work        | 001100000000000 | 000010000000000 | 1 | STEP2
        spawn 0     | 001100000000000 | 000111000000000 | 0 | STEP3
        enterAgain  | 001100000000000 | 000111000000000 | 0 | STEP3
        completeJob | 201100000000000 | 000111100000000 | 0 | ACKNOWLEDGE\
        """);
  }

  @Test
  void aCycleSeedsItsOwnNextDimensionAndLeavesTheSemaphoreAlone() {
    Walk.check(
        ActivityKind.CYCLE,
        """
        leg1         | 000000000000000 | | 1 | RUN_LEG1
        enter        | 001000000000000 | | 1 | RUN_LEG1
        completeLeg1 | 001100000000001 | | 1 | ACKNOWLEDGE
        again        | 001100000000001 | | 1 | ACKNOWLEDGE\
        """);
  }

  @Test
  void aPivotPassesThroughAgainInANewDimensionEachTime() {
    Walk.check(
        ActivityKind.PIVOT,
        """
        leg1        | 000000000000000 |                 | 1 | RUN_LEG1
        enter       | 001000000000000 | 000000000000000 | 1 | RUN_LEG1
        work        | 001100000000001 | 000010000000000 | 1 | STEP2
        spawn 1     | 001100000000001 | 000011000000000 | 1 | ACKNOWLEDGE
        again       | 001100000000001 | 000011000000000 | 1 | ACKNOWLEDGE
        leg1        | 001100000000001 |                 | 1 | REENTER
        enter       | 001100000000002 | 000000000000002 | 1 | STEP1
        enterAgain  | 001100000000002 | 000000000000002 | 1 | STEP1
        work        | 001100000000002 | 000010000000002 | 1 | STEP2
        spawn 1     | 001100000000002 | 000011000000002 | 1 | ACKNOWLEDGE
        leg1        | 001100000000002 |                 | 1 | REENTER
        enter       | 001100000000003 | 000000000000003 | 1 | STEP1
        work        | 001100000000003 | 000010000000003 | 1 | STEP2
        spawn 0     | 001100000000003 | 000111000000003 | 0 | STEP3
        completeJob | 001100000000003 | 000111100000003 | 0 | ACKNOWLEDGE\
        """);
  }

  @Test
  void aPivotThatWaitsGivesItsOwnAnswerTheFirstDimension() {
    for (ActivityKind kind : new ActivityKind[] {ActivityKind.TIME_PIVOT, ActivityKind.WEB_PIVOT})
      Walk.check(
          kind,
          """
          leg1         | 000000000000000 |                 | 1 | RUN_LEG1
          enter        | 001000000000000 | 000000000000000 | 1 | RUN_LEG1
          completeLeg1 | 001100000000000 | 000000000000000 | 1 | ACKNOWLEDGE
          leg2         | 001100000000000 |                 | 1 | ENTER_LEG2
          enter        | 001100000000001 | 000000000000001 | 1 | STEP1
          work         | 001100000000001 | 000010000000001 | 1 | STEP2
          spawn 1      | 001100000000001 | 000011000000001 | 1 | ACKNOWLEDGE
          leg1         | 001100000000001 |                 | 1 | REENTER
          enter        | 001100000000002 | 000000000000002 | 1 | STEP1
          work         | 001100000000002 | 000010000000002 | 1 | STEP2
          spawn 0      | 001100000000002 | 000111000000002 | 0 | STEP3
          completeJob  | 001100000000002 | 000111100000002 | 0 | ACKNOWLEDGE\
          """);
  }

  @Test
  void aSelfInterruptLeavesTheSemaphoreByTheSameStepAsEverybody() {
    Walk.check(
        ActivityKind.SELF_INTERRUPT,
        """
        leg1    | 000000000000000 |                 | 3 | RUN_LEG1
        enter   | 001000000000000 | 000000000000000 | 3 | RUN_LEG1
        work    | 001100000000000 | 000010000000000 | 3 | STEP2
        spawn 0 | 001100000000000 | 000011000000000 | 2 | ACKNOWLEDGE\
        """);
    Walk.check(
        ActivityKind.SELF_INTERRUPT,
        """
        leg1        | 000000000000000 |                 | 1 | RUN_LEG1
        enter       | 001000000000000 | 000000000000000 | 1 | RUN_LEG1
        work        | 001100000000000 | 000010000000000 | 1 | STEP2
        spawn 0     | 001100000000000 | 000111000000000 | 0 | STEP3
        completeJob | 201100000000000 | 000111100000000 | 0 | ACKNOWLEDGE\
        """);
  }

  @Test
  void aFirstDeliveryThatNeverCommittedIsTriedAgainUpToNinetyNineTimes() {
    Walk.check(
        AWAIT,
        """
        leg1  | 008000000000000 | | 1 | RUN_LEG1
        enter | 009000000000000 | | 1 | RUN_LEG1
        enter | 010000000000000 | | 1 | RUN_LEG1
        enter | 011000000000000 | | 1 | RUN_LEG1\
        """);
    Walk.check(
        TIME_HOOK,
        """
        leg1         | 098000000000000 | | 1 | RUN_LEG1
        enter        | 099000000000000 | | 1 | ESCALATE
        completeLeg1 | 099100000000000 | | 1 | ACKNOWLEDGE
        enterAgain   | 099100000000000 | | 1 | ACKNOWLEDGE\
        """);
  }
}
