package dev.tenure.workflow.kernel;

import static dev.tenure.workflow.kernel.Script.op;
import static dev.tenure.workflow.kernel.Script.par;
import static dev.tenure.workflow.kernel.Script.seq;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.lifecycle.OperationPhase;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec.Step;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Steps that people have tried again, and failures that only people decide about. */
class RetryByHandTest {
  private static final RetryPolicy TWICE = RetryPolicy.DEFAULT.attempts(2).jitter(0);
  private static final Failure DOWN = Failure.retryable("Down", "the bank is down");
  private static final OperationId A = new OperationId("a#1");

  private static Shell started(RetryPolicy policy, Timeouts timeouts) {
    return Shell.started(seq(op("a", new Step(policy, timeouts)), op("b", Step.DEFAULT)));
  }

  private static void failTwice(Shell shell, int first) {
    shell.fail("a#1", first, DOWN);
    shell.advance(Duration.ofSeconds(1));
    shell.due();
    shell.fail("a#1", first + 1, DOWN);
  }

  @Test
  void whatExhaustsItsAttemptsStandsStillAndIsTriedAnewWhenResolved() {
    Shell shell = started(TWICE.thenIncident(), Timeouts.NONE);
    failTwice(shell, 1);
    assertThat(shell.state().incident()).contains(new Incident.OperationFailed(A, 2, DOWN));
    assertThat(shell.state().operation(A).orElseThrow().phase())
        .isEqualTo(OperationPhase.BACKING_OFF);
    assertThat(shell.state().wakeAt()).isEqualTo(Wake.NEVER);

    assertThat(shell.tell(new Command.ResolveIncident("the bank is back"))).isEqualTo(Reply.DONE);
    shell.due();
    // Its attempts count anew, and answers to the old ones are still told apart.
    failTwice(shell, 3);
    assertThat(shell.state().incident()).contains(new Incident.OperationFailed(A, 2, DOWN));
    assertThat(shell.tell(shell.retry(A))).isEqualTo(Reply.DONE);
    assertThat(shell.state().incident()).isEmpty();
    shell.due();
    assertThat(shell.succeed("a#1", 1, "late")).isInstanceOf(Reply.NotOpen.class);
    shell.succeed("a#1", 5, "1");
    shell.succeed("b#1", "2");
    assertThat(shell.result()).isEqualTo("a#1=1;b#1=2;");
  }

  @Test
  void aFailureThatNoAttemptCanHelpStandsStillToo() {
    Shell shell = started(TWICE.thenIncident(), Timeouts.NONE);
    shell.fail("a#1", 1, Failure.permanent("Bug", "null"));
    assertThat(shell.state().incident().orElseThrow().message()).contains("a#1", "Bug: null");
  }

  /** The code has no answer to an error of the JVM, so it is not asked for one. */
  @Test
  void aDefectIsNeverLearnedByTheCode() {
    Failure defect =
        Failure.retryable("java.lang.OutOfMemoryError", "heap").as(Failure.Form.DEFECT);
    Shell shell = started(TWICE, Timeouts.NONE);
    shell.fail("a#1", 1, defect);
    assertThat(shell.state().incident()).as("it is tried again first").isEmpty();
    shell.advance(Duration.ofSeconds(1));
    shell.due();
    shell.fail("a#1", 2, defect);
    assertThat(shell.state().incident()).contains(new Incident.OperationFailed(A, 2, defect));
    shell.tell(new Command.ResolveIncident("more memory"));
    shell.due();
    shell.succeed("a#1", 3, "1");
    shell.succeed("b#1", "2");
    assertThat(shell.result()).isEqualTo("a#1=1;b#1=2;");
  }

  @Test
  void theTimeForAllAttemptsIsCountedAnewToo() {
    Shell shell =
        started(TWICE.unlimited().thenIncident(), Timeouts.NONE.total(Duration.ofSeconds(5)));
    shell.fail("a#1", 1, DOWN);
    shell.advance(Duration.ofSeconds(6));
    shell.due();
    assertThat(shell.state().incident()).contains(new Incident.OperationFailed(A, 1, DOWN));
    shell.tell(new Command.ResolveIncident("go"));
    shell.due();
    shell.advance(Duration.ofSeconds(4));
    shell.succeed("a#1", 2, "1");
    shell.succeed("b#1", "2");
    assertThat(shell.state().status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void ofTwoThatFailBothAreFound() {
    Step once = new Step(RetryPolicy.NONE.thenIncident(), Timeouts.NONE);
    Shell shell = Shell.started(par(op("a", once), op("b", once)));
    shell.fail("a#1", 1, DOWN);
    shell.fail("b#1", 1, DOWN);
    assertThat(shell.state().standsStillFor(A)).isTrue();
    shell.tell(new Command.ResolveIncident("go"));
    shell.due();
    shell.succeed("a#1", 2, "1");
    shell.fail("b#1", 2, DOWN);
    assertThat(shell.state().standsStillFor(new OperationId("b#1"))).isTrue();
    shell.tell(shell.retry(new OperationId("b#1")));
    shell.due();
    shell.succeed("b#1", 3, "2");
    assertThat(shell.result()).isEqualTo("a#1=1;b#1=2;");
  }

  @Test
  void aStepThatWaitsForItsNextAttemptNeedNotWait() {
    RetryPolicy slow = TWICE.backoff(Duration.ofHours(1), 1, Duration.ofHours(1));
    Shell shell = started(slow, Timeouts.NONE);
    assertThat(shell.tell(shell.retry(A))).isInstanceOf(Reply.AlreadyDone.class);
    shell.fail("a#1", 1, DOWN);
    shell.due();
    assertThat(shell.state().operation(A).orElseThrow().attempt()).isEqualTo(2);
    assertThat(shell.tell(shell.retry(A))).isEqualTo(Reply.DONE);
    shell.due();
    assertThat(shell.effects(Effect.RunStep.class)).hasSize(2);
    // The second attempt is the first that counts: another one is allowed.
    shell.fail("a#1", 2, DOWN);
    assertThat(shell.state().operation(A).orElseThrow().phase())
        .isEqualTo(OperationPhase.BACKING_OFF);
  }

  @Test
  void whatIsOverIsNotTriedAgain() {
    Shell shell = started(TWICE, Timeouts.NONE);
    shell.succeed("a#1", "1");
    assertThat(shell.tell(shell.retry(A))).isInstanceOf(Reply.NotOpen.class);
    assertThat(shell.tell(shell.retry(new OperationId("c#1")))).isInstanceOf(Reply.NotOpen.class);
    shell.succeed("b#1", "2");
    assertThat(shell.tell(shell.retry(A))).isInstanceOf(Reply.AlreadyEnded.class);
  }
}
