package dev.tenure.workflow.collation;

import static dev.tenure.workflow.collation.ActivityKind.PIVOT;
import static dev.tenure.workflow.collation.ActivityKind.WORKER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.workflow.collation.GuidLedger.Standing;
import dev.tenure.workflow.collation.GuidLedger.Step2;
import dev.tenure.workflow.collation.GuidLedger.Step3;
import dev.tenure.workflow.collation.Violation.JobClosed;
import dev.tenure.workflow.collation.Violation.NotTheCloser;
import dev.tenure.workflow.collation.Violation.OutOfOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GuidLedgerTest {
  private static final ActivityLedger ENTERED = new ActivityLedger(1_100_000_000_007L);

  private static GuidLedger ledger(String digits) {
    return new GuidLedger(Long.parseLong(digits));
  }

  /** All sixteen patterns of positions 4-7; CORRUPT stands for what no sequence of steps writes. */
  @ParameterizedTest
  @CsvSource({
    "0000, LEG2_SEEDED",
    "0001, CORRUPT",
    "0010, CORRUPT",
    "0011, CORRUPT",
    "0100, WORKED",
    "0101, CORRUPT",
    "0110, SPAWNED",
    "0111, CORRUPT",
    "1000, CORRUPT",
    "1001, CORRUPT",
    "1010, CORRUPT",
    "1011, CORRUPT",
    "1100, CORRUPT",
    "1101, CORRUPT",
    "1110, CLOSING",
    "1111, COMPLETED",
  })
  void everyPatternOfStepsMeansOneThing(String pattern, String standing) {
    String digits = "000" + pattern + "00000007";
    if (standing.equals("CORRUPT")) {
      assertThatThrownBy(() -> ledger(digits)).isInstanceOf(CorruptLedgerError.class);
      return;
    }
    GuidLedger ledger = ledger(digits);
    assertThat(ledger.standing()).isEqualTo(Standing.valueOf(standing));
    assertThat(ledger.jobClosed()).isEqualTo(pattern.charAt(0) == '1');
    assertThat(ledger.workDone()).isEqualTo(pattern.charAt(1) == '1');
    assertThat(ledger.childrenSpawned()).isEqualTo(pattern.charAt(2) == '1');
    assertThat(ledger.completionDone()).isEqualTo(pattern.charAt(3) == '1');
    assertThat(ledger.ordinal()).isEqualTo(7);
    assertThat(ledger).hasToString(digits);
  }

  @ParameterizedTest
  @ValueSource(
      longs = {
        -1,
        Long.MAX_VALUE,
        1_000_000_000_000L, // position 3 is reserved
        20_000_000_001L, // work recorded twice
        12_000_000_001L, // children recorded twice
        211_000_000_001L, // closed twice
        111_200_000_001L, // completed twice
      })
  void aDigitThatWasSetTwiceIsRefused(long value) {
    assertThatThrownBy(() -> new GuidLedger(value))
        .isInstanceOf(CorruptLedgerError.class)
        .hasMessageContaining(String.valueOf(value));
  }

  @ParameterizedTest
  @CsvSource({
    "000000000000000,        0,        0, LEG1_SEEDED",
    "000000000000001,        1,        0, LEG2_SEEDED",
    "000000000000002,        2,        1, LEG2_SEEDED",
    "000010000000010,       10,        9, WORKED",
    "000010000000000,        0,        0, WORKED",
    "000011100000000,        0,        0, COMPLETED",
    "000011099999999, 99999999, 99999998, SPAWNED",
  })
  void theOrdinalSaysTheDimension(String digits, int ordinal, int dimension, Standing standing) {
    assertThat(ledger(digits).ordinal()).isEqualTo(ordinal);
    assertThat(ledger(digits).dimension()).isEqualTo(dimension);
    assertThat(ledger(digits).standing()).isEqualTo(standing);
  }

  @Test
  void theOrdinalIsTheEntryThatSeededIt() {
    assertThat(GuidLedger.seed(ENTERED)).hasToString("000000000000007");
    assertThat(GuidLedger.seed(new ActivityLedger(1_100_099_999_999L)).ordinal())
        .isEqualTo(99_999_999);
  }

  @ParameterizedTest
  @CsvSource({
    "WORK,       000000000000007, 000010000000007, 10000000000",
    "CHILDREN,   000010000000007, 000011000000007,  1000000000",
    "COMPLETION, 000111000000007, 000111100000007,   100000000",
  })
  void aStepSetsItsDigitOnceHoweverOftenItIsDelivered(
      Marker step, String before, String after, long weight) {
    Mark<?> first = run(step, ledger(before));
    assertThat(first).isInstanceOf(Mark.Recorded.class);
    assertThat(guidOf(first)).hasToString(after);
    assertThat(guidOf(first).value() - ledger(before).value()).isEqualTo(weight);
    Mark<?> again = run(step, ledger(after));
    assertThat(again).isInstanceOf(Mark.AlreadyRecorded.class);
    assertThat(guidOf(again)).hasToString(after);
  }

  private static Mark<?> run(Marker step, GuidLedger ledger) {
    return switch (step) {
      case WORK -> ledger.work();
      case CHILDREN -> ledger.spawn(JobSemaphore.of(5), 1, Parent.CLOSES);
      case COMPLETION -> ledger.completeJob(ENTERED, WORKER);
      case SEED, FINALIZE, LEG1_ENTRY, LEG1_COMPLETE, LEG2_ENTRY, JOB_CLOSED ->
          throw new AssertionError(step);
    };
  }

  private static GuidLedger guidOf(Mark<?> mark) {
    return switch (mark.orThrow()) {
      case GuidLedger guid -> guid;
      case Step2 step -> step.guid();
      case Step3 step -> step.guid();
      default -> throw new AssertionError(mark);
    };
  }

  @Test
  void stepsAreTakenInOrder() {
    assertThat(ledger("000000000000007").spawn(JobSemaphore.of(5), 1, Parent.CLOSES))
        .isEqualTo(Mark.refused(new OutOfOrder(Marker.CHILDREN, Marker.WORK)));
    assertThat(ledger("000010000000007").completeJob(ENTERED, WORKER))
        .isEqualTo(Mark.refused(new OutOfOrder(Marker.COMPLETION, Marker.CHILDREN)));
  }

  @Test
  void onlyTheCloserRunsTheCompletionTasks() {
    assertThat(ledger("000011000000007").completeJob(ENTERED, WORKER))
        .isEqualTo(Mark.refused(new NotTheCloser()));
  }

  @Test
  void stepThreeFinalizesTheActivityInTheSameCommitUnlessItCycles() {
    GuidLedger closing = ledger("000111000000007");
    assertThat(closing.completeJob(ENTERED, WORKER).orThrow().activity())
        .hasToString("201100000000007");
    assertThat(closing.completeJob(ENTERED, PIVOT).orThrow().activity()).isEqualTo(ENTERED);
  }

  @Test
  void aRedeliveredStep2MovesNoSemaphore() {
    JobSemaphore closed = JobSemaphore.of(0);
    assertThat(ledger("000011000000007").spawn(closed, 3, Parent.CLOSES))
        .isEqualTo(Mark.alreadyRecorded(new Step2(ledger("000011000000007"), closed)));
  }

  @Test
  void anInterruptWritesOffWhatIsOpenAndTakesTheEdge() {
    Step2 interrupted = GuidLedger.LEG1.interruptJob(JobSemaphore.of(7)).orThrow();
    assertThat(interrupted.guid()).hasToString("000111000000000");
    assertThat(interrupted.semaphore()).isEqualTo(JobSemaphore.of(0));
    assertThat(interrupted.guid().interruptJob(interrupted.semaphore()))
        .isEqualTo(Mark.alreadyRecorded(interrupted));
    Step3 done =
        interrupted.guid().completeJob(ActivityLedger.TRIGGER, ActivityKind.TRIGGER).orThrow();
    assertThat(done.guid()).hasToString("000111100000000");
    assertThat(done.activity()).isEqualTo(ActivityLedger.TRIGGER);
  }

  @Test
  void aSecondInterruptFindsTheJobClosed() {
    assertThat(GuidLedger.LEG1.interruptJob(JobSemaphore.of(0)))
        .isEqualTo(Mark.refused(new JobClosed()));
  }
}
