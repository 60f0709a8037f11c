package dev.tenure.workflow.collation;

import static dev.tenure.workflow.collation.ActivityKind.CYCLE;
import static dev.tenure.workflow.collation.ActivityKind.PIVOT;
import static dev.tenure.workflow.collation.ActivityKind.WORKER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.workflow.collation.ActivityLedger.Standing;
import dev.tenure.workflow.collation.Violation.Ceiling;
import dev.tenure.workflow.collation.Violation.NotItsDigit;
import dev.tenure.workflow.collation.Violation.OutOfOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ActivityLedgerTest {

  private static ActivityLedger ledger(String digits) {
    return new ActivityLedger(Long.parseLong(digits));
  }

  @ParameterizedTest
  @CsvSource({
    "SEED,          100000000000000",
    "FINALIZE,      200000000000000",
    "LEG1_ENTRY,      1000000000000",
    "LEG1_COMPLETE,    100000000000",
    "LEG2_ENTRY,                  1",
    "JOB_CLOSED,       100000000000",
    "WORK,              10000000000",
    "CHILDREN,           1000000000",
    "COMPLETION,          100000000",
  })
  void everyMarkerHasItsWeight(Marker marker, long weight) {
    assertThat(marker.weight()).isEqualTo(weight);
  }

  @ParameterizedTest
  @CsvSource({
    "000000000000000,  0, false,        0, LEG1_OPEN",
    "001000000000000,  1, false,        0, LEG1_OPEN",
    "009000000000000,  9, false,        0, LEG1_OPEN",
    "010000000000000, 10, false,        0, LEG1_OPEN",
    "020000000000000, 20, false,        0, LEG1_OPEN",
    "099000000000000, 99, false,        0, LEG1_EXHAUSTED",
    "001100000000000,  1,  true,        0, LEG1_COMPLETE",
    "002100000000000,  2,  true,        0, LEG1_COMPLETE",
    "010100000000010, 10,  true,       10, LEG1_COMPLETE",
    "020100000000020, 20,  true,       20, LEG1_COMPLETE",
    "099100000000001, 99,  true,        1, LEG1_COMPLETE",
    "001100099999998,  1,  true, 99999998, LEG1_COMPLETE",
    "001100099999999,  1,  true, 99999999, LEG2_EXHAUSTED",
    "101100000000001,  1,  true,        1, LEG1_COMPLETE",
    "201100000000001,  1,  true,        1, FINALIZED",
    "299100099999999, 99,  true, 99999999, FINALIZED",
  })
  void digitsAreReadAsRanges(
      String digits, int attempts, boolean complete, int entries, Standing standing) {
    ActivityLedger ledger = ledger(digits);
    assertThat(ledger.leg1Attempts()).isEqualTo(attempts);
    assertThat(ledger.leg1Complete()).isEqualTo(complete);
    assertThat(ledger.leg2Entries()).isEqualTo(entries);
    assertThat(ledger.standing()).isEqualTo(standing);
    assertThat(ledger.isFinalized()).isEqualTo(digits.startsWith("2"));
    assertThat(ledger.isTrigger()).isEqualTo(digits.startsWith("1"));
    assertThat(ledger).hasToString(digits);
  }

  @ParameterizedTest
  @ValueSource(
      longs = {
        -1,
        Long.MIN_VALUE,
        Long.MAX_VALUE,
        1_000_000_000_000_000L, // sixteen digits
        301_100_000_000_001L, // a finalized trigger
        101_100_000_000_002L, // a trigger that was entered again
        100_000_000_000_000L, // a hundredth attempt that carried
        200_000_000_000_000L, // finalized before Leg1
        1_200_000_000_000L, // completed twice
        100_000_000_000L, // completed without an attempt
        1_100_100_000_000L, // an entry past 99 999 999 that carried
        1_110_000_000_000L, // reserved
        1_000_000_000_001L, // entered Leg2 before Leg1 completed
      })
  void aLedgerThatNothingCanHaveWrittenIsRefused(long value) {
    assertThatThrownBy(() -> new ActivityLedger(value))
        .isInstanceOf(CorruptLedgerError.class)
        .hasMessageContaining(String.valueOf(value));
  }

  @Test
  void theHundredthAttemptIsRefusedInsteadOfReadingAsFinalized() {
    ActivityLedger ledger = ActivityLedger.NEW;
    for (int attempt = 1; attempt <= 99; attempt++) {
      ledger = ledger.enterLeg1().orThrow();
      assertThat(ledger.leg1Attempts()).isEqualTo(attempt);
      assertThat(ledger.leg1Complete()).isFalse();
    }
    assertThat(ledger).hasToString("099000000000000");
    assertThat(ledger.enterLeg1()).isEqualTo(Mark.refused(new Ceiling(Limit.LEG1_ATTEMPTS, 99, 1)));
    assertThat(ledger.isFinalized()).isFalse();
    ActivityLedger full = ledger;
    assertThatThrownBy(() -> full.enterLeg1().orThrow())
        .isInstanceOf(CollationError.class)
        .hasMessageContainingAll("LEG1_ATTEMPTS", "99", "repair or cancel");
  }

  @Test
  void theLastLeg2EntryIsTakenAndTheOneAfterIsRefused() {
    ActivityLedger last = ledger("001100099999998").enterLeg2().orThrow();
    assertThat(last).hasToString("001100099999999");
    assertThat(last.enterLeg2())
        .isEqualTo(Mark.refused(new Ceiling(Limit.LEG2_ENTRIES, 99_999_999, 1)));
  }

  @Test
  void leg1CompletesOnceHoweverOftenItIsDelivered() {
    ActivityLedger entered = ActivityLedger.NEW.enterLeg1().orThrow();
    ActivityLedger complete = entered.completeLeg1(WORKER).orThrow();
    assertThat(complete).hasToString("001100000000000");
    assertThat(complete.completeLeg1(WORKER)).isEqualTo(Mark.alreadyRecorded(complete));
    assertThat(ActivityLedger.NEW.completeLeg1(WORKER))
        .isEqualTo(Mark.refused(new OutOfOrder(Marker.LEG1_COMPLETE, Marker.LEG1_ENTRY)));
  }

  @Test
  void whatCyclesTakesItsFirstLeg2EntryWithLeg1AndOnlyOnce() {
    for (ActivityKind kind : new ActivityKind[] {PIVOT, CYCLE}) {
      ActivityLedger seeded = ledger("001000000000000").completeLeg1(kind).orThrow();
      assertThat(seeded).hasToString("001100000000001");
      assertThat(seeded.completeLeg1(kind)).isEqualTo(Mark.alreadyRecorded(seeded));
    }
  }

  @Test
  void leg2WaitsForLeg1() {
    assertThat(ledger("001000000000000").enterLeg2())
        .isEqualTo(Mark.refused(new OutOfOrder(Marker.LEG2_ENTRY, Marker.LEG1_COMPLETE)));
  }

  @Test
  void aFinalizedActivityTakesNoNewMessage() {
    assertThat(ledger("201100000000001").enterLeg2())
        .isEqualTo(Mark.refused(new Violation.Finalized()));
  }

  @Test
  void finalizingKeepsEveryOtherDigit() {
    ActivityLedger ledger = ledger("012100000000034");
    ActivityLedger finalized = ledger.markFinalized(WORKER).orThrow();
    assertThat(finalized).hasToString("212100000000034");
    assertThat(finalized.markFinalized(WORKER)).isEqualTo(Mark.alreadyRecorded(finalized));
    assertThat(ledger.markFinalized(PIVOT))
        .isEqualTo(Mark.refused(new NotItsDigit(PIVOT, Marker.FINALIZE)));
    assertThat(ledger("012000000000000").markFinalized(WORKER))
        .isEqualTo(Mark.refused(new OutOfOrder(Marker.FINALIZE, Marker.LEG1_COMPLETE)));
  }

  @Test
  void theTriggerIsBornCompleteAndItsSeedIsKept() {
    ActivityLedger trigger = ActivityLedger.TRIGGER;
    assertThat(trigger).hasToString("101100000000001");
    assertThat(trigger.enterLeg1()).isInstanceOf(Mark.Refused.class);
    assertThat(trigger.enterLeg2()).isInstanceOf(Mark.Refused.class);
    assertThat(trigger.markFinalized(ActivityKind.TRIGGER)).isInstanceOf(Mark.Refused.class);
  }

  @ParameterizedTest
  @CsvSource({
    "001100000000000, 0",
    "001100000000001, 0",
    "001100000000002, 1",
    "201100000000010, 9",
    "001100099999999, 99999998",
  })
  void theDimensionIsTheLatestEntryLessOne(String digits, int dimension) {
    assertThat(ledger(digits).dimensionalIndex()).isEqualTo(dimension);
  }
}
