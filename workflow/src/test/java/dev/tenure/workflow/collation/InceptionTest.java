package dev.tenure.workflow.collation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.workflow.collation.Violation.JobClosed;
import dev.tenure.workflow.collation.Violation.NotTheCloser;
import dev.tenure.workflow.collation.Violation.OutOfOrder;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InceptionTest {
  private static final long INCEPTION = 10_000_000_000L;

  @Test
  void aJobWithoutChildrenIsClosedByItsTrigger() {
    Inception created = Inception.create(0);
    assertThat(created.guid()).hasToString("000010000000000");
    assertThat(created.semaphore().isActive()).isFalse();
    assertThat(created.next()).isEqualTo(Reentry.STEP2);
    Inception published = created.publish().orThrow();
    assertThat(published.guid()).hasToString("000011000000000");
    assertThat(published.next()).isEqualTo(Reentry.STEP3);
    Inception completed = published.completeJob().orThrow();
    assertThat(completed.guid()).hasToString("000011100000000");
    assertThat(completed.next()).isEqualTo(Reentry.ACKNOWLEDGE);
    assertThat(completed.completeJob()).isEqualTo(Mark.alreadyRecorded(completed));
  }

  @Test
  void aTriggerOpensOneObligationPerChildAndLeavesTheCompletionToTheLast() {
    Inception created = Inception.create(2);
    assertThat(created.semaphore()).isEqualTo(JobSemaphore.of(2));
    Inception published = created.publish().orThrow();
    assertThat(published.semaphore()).isEqualTo(JobSemaphore.of(2));
    assertThat(published.next()).isEqualTo(Reentry.ACKNOWLEDGE);
    assertThat(published.publish()).isEqualTo(Mark.alreadyRecorded(published));
    assertThat(published.completeJob()).isEqualTo(Mark.refused(new NotTheCloser()));
    assertThat(created.completeJob())
        .isEqualTo(Mark.refused(new OutOfOrder(Marker.COMPLETION, Marker.CHILDREN)));
  }

  /**
   * The contract tells the three cases apart by what it reads after adding the digit once more; we
   * add nothing on a redelivery and must tell them apart all the same.
   */
  @ParameterizedTest
  @CsvSource({
    // the job was created now, the stored GUID ledger before, what the contract reads, the case
    "true,  ,            10000000000, NEW_JOB",
    "false, 10000000000, 20000000000, CRASH_RECOVERY",
    "false, 11000000000, 21000000000, CRASH_RECOVERY",
    "false, 11100000000, 21100000000, CRASH_RECOVERY",
    "false, ,            10000000000, TRUE_DUPLICATE",
  })
  void aStartMessageIsNewRecoveredOrADuplicate(
      boolean created, Long stored, long read, String meaning) {
    assertThat((stored == null ? 0 : stored) + INCEPTION).isEqualTo(read);
    Optional<GuidLedger> guid = Optional.ofNullable(stored).map(GuidLedger::new);
    Optional<JobSemaphore> job = created ? Optional.empty() : Optional.of(JobSemaphore.of(0));
    Reentry expected =
        switch (meaning) {
          case "NEW_JOB" -> Reentry.STEP1;
          case "TRUE_DUPLICATE" -> Reentry.ACKNOWLEDGE;
          default ->
              switch (guid.orElseThrow().standing()) {
                case WORKED -> Reentry.STEP2;
                case SPAWNED -> Reentry.STEP3;
                case UNSEEN, LEG1_SEEDED, LEG2_SEEDED, CLOSING, COMPLETED -> Reentry.ACKNOWLEDGE;
              };
        };
    assertThat(Inception.arrive(job, guid, 0)).isEqualTo(expected);
  }

  @Test
  void aReplayAfterTheChildrenClosedTheJobDoesNotCloseItAgain() {
    Optional<GuidLedger> published = Optional.of(new GuidLedger(11_000_000_000L));
    assertThat(Inception.arrive(Optional.of(JobSemaphore.of(0)), published, 2))
        .isEqualTo(Reentry.ACKNOWLEDGE); // I11
  }

  @Test
  void aJobInterruptedBeforeItsChildrenWerePublishedPublishesNone() {
    Inception created = Inception.create(2);
    JobSemaphore interrupted =
        GuidLedger.LEG1.interruptJob(created.semaphore()).orThrow().semaphore();
    Inception late = new Inception(2, created.guid(), interrupted);
    assertThat(late.next()).isEqualTo(Reentry.ACKNOWLEDGE);
    assertThat(late.publish()).isEqualTo(Mark.refused(new JobClosed()));
  }

  @Test
  void aThresholdThatIsMetAtOnceMakesTheTriggerTheCloser() {
    Inception published = Inception.create(3, 3).publish().orThrow();
    assertThat(published.next()).isEqualTo(Reentry.STEP3);
    assertThat(Inception.create(4, 3).publish().orThrow().next()).isEqualTo(Reentry.ACKNOWLEDGE);
  }

  @ParameterizedTest
  @CsvSource({"0", "1", "10000000001", "111000000000"})
  void aLedgerThatNoTriggerWritesIsRefused(long guid) {
    assertThatThrownBy(() -> new Inception(1, new GuidLedger(guid), JobSemaphore.of(1)))
        .isInstanceOf(CorruptLedgerError.class);
  }

  @Test
  void aMessageWithoutItsJobIsCorrupt() {
    Optional<GuidLedger> guid = Optional.of(new GuidLedger(INCEPTION));
    assertThatThrownBy(() -> Inception.arrive(Optional.empty(), guid, 1))
        .isInstanceOf(CorruptLedgerError.class);
  }
}
