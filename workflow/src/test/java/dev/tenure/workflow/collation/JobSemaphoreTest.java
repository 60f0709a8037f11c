package dev.tenure.workflow.collation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.workflow.collation.GuidLedger.Step2;
import dev.tenure.workflow.collation.JobSemaphore.Edge;
import dev.tenure.workflow.collation.Violation.Ceiling;
import dev.tenure.workflow.collation.Violation.JobClosed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobSemaphoreTest {
  private static final GuidLedger WORKED = new GuidLedger(10_000_000_001L);
  private static final long LARGEST = 999_999_999_999_999L;

  @ParameterizedTest
  @CsvSource({"0, -1, 0", "1, 0, 1", "2, 1, 2", "3, 2, 3"})
  void childrenReplaceTheParentOrJoinIt(int children, long closes, long staysOpen) {
    assertThat(Parent.CLOSES.delta(children)).isEqualTo(closes);
    assertThat(Parent.STAYS_OPEN.delta(children)).isEqualTo(staysOpen);
  }

  @ParameterizedTest
  @CsvSource({
    // before, children, parent, after, closed by it
    " 5, 2, CLOSES,     6, false",
    " 1, 0, CLOSES,     0, true",
    " 1, 1, CLOSES,     1, false",
    " 1, 3, CLOSES,     3, false",
    " 2, 0, CLOSES,     1, false",
    " 1, 0, STAYS_OPEN, 1, false",
    " 1, 2, STAYS_OPEN, 3, false",
  })
  void stepTwoMovesTheSemaphoreAndCatchesTheEdge(
      long before, int children, Parent parent, long after, boolean closed) {
    Step2 step = WORKED.spawn(JobSemaphore.of(before), children, parent).orThrow();
    assertThat(step.semaphore()).isEqualTo(JobSemaphore.of(after));
    assertThat(step.semaphore().isActive()).isEqualTo(after > 0);
    assertThat(step.guid().jobClosed()).isEqualTo(closed);
  }

  @ParameterizedTest
  @CsvSource({
    // threshold, before, children, after, hit
    " 0,  1, 0,  0, true",
    " 1,  2, 0,  1, true",
    "12, 13, 0, 12, true",
    "12, 14, 0, 13, false",
    "12, 13, 1, 13, false",
  })
  void anyThresholdIsAnEdge(long threshold, long before, int children, long after, boolean hit) {
    JobSemaphore semaphore = JobSemaphore.opened(before, threshold);
    Step2 step = WORKED.spawn(semaphore, children, Parent.CLOSES).orThrow();
    assertThat(step.semaphore().open()).isEqualTo(after);
    assertThat(step.guid().jobClosed()).isEqualTo(hit);
    assertThat(step.semaphore().edge()).isEqualTo(hit ? Edge.TAKEN : Edge.PENDING);
  }

  @Test
  void anEdgeIsTakenOnceEvenWhenTheCountComesByAgain() {
    JobSemaphore at = JobSemaphore.opened(2, 1);
    Step2 closing = WORKED.spawn(at, 0, Parent.CLOSES).orThrow();
    assertThat(closing.guid().jobClosed()).isTrue();
    Step2 rising = WORKED.spawn(closing.semaphore(), 2, Parent.CLOSES).orThrow();
    Step2 falling = WORKED.spawn(rising.semaphore(), 0, Parent.CLOSES).orThrow();
    assertThat(falling.semaphore().open()).isEqualTo(1);
    assertThat(falling.guid().jobClosed()).isFalse(); // I11
    assertThat(GuidLedger.LEG1.interruptJob(falling.semaphore()).orThrow().guid().jobClosed())
        .isFalse();
  }

  @ParameterizedTest
  @CsvSource({"0, 0, TAKEN", "1, 0, PENDING", "3, 3, TAKEN", "2, 3, TAKEN", "4, 3, PENDING"})
  void aJobWithNothingToWaitForIsClosedWhenItOpens(long children, long threshold, Edge edge) {
    assertThat(JobSemaphore.opened(children, threshold).edge()).isEqualTo(edge);
  }

  @Test
  void aClosedJobNeverGoesNegativeAndNeverOpensAgain() {
    for (int children = 0; children < 3; children++)
      assertThat(WORKED.spawn(JobSemaphore.of(0), children, Parent.CLOSES))
          .isEqualTo(Mark.refused(new JobClosed())); // I10
  }

  @Test
  void theLastObligationBelowTheCeilingFitsAndTheNextDoesNot() {
    assertThat(
            WORKED
                .spawn(JobSemaphore.of(LARGEST - 1), 2, Parent.CLOSES)
                .orThrow()
                .semaphore()
                .open())
        .isEqualTo(LARGEST);
    assertThat(WORKED.spawn(JobSemaphore.of(LARGEST - 1), 3, Parent.CLOSES))
        .isEqualTo(Mark.refused(new Ceiling(Limit.OPEN_OBLIGATIONS, LARGEST - 1, 2)));
    assertThatThrownBy(() -> JobSemaphore.of(LARGEST + 1)).isInstanceOf(CorruptLedgerError.class);
  }

  @Test
  void aSemaphoreThatNothingCanHaveWrittenIsRefused() {
    assertThatThrownBy(() -> JobSemaphore.of(-1)).isInstanceOf(CorruptLedgerError.class);
    assertThatThrownBy(() -> JobSemaphore.opened(1, -1)).isInstanceOf(CorruptLedgerError.class);
    assertThatThrownBy(() -> new JobSemaphore(0, 0, Edge.PENDING))
        .isInstanceOf(CorruptLedgerError.class);
    assertThatThrownBy(() -> new JobSemaphore(1, 0, Edge.TAKEN))
        .isInstanceOf(CorruptLedgerError.class);
    assertThatThrownBy(() -> Parent.CLOSES.delta(-1)).isInstanceOf(IllegalArgumentException.class);
  }
}
