package dev.tenure.workflow.kernel;

import static dev.tenure.workflow.kernel.Script.op;
import static dev.tenure.workflow.kernel.Script.par;
import static dev.tenure.workflow.kernel.Script.seq;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.operation.OperationSpec.Step;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What does not fit one commit follows in others. */
class PortionsTest {
  private static final Script.Part ALL =
      seq(
          par(op("a", Step.DEFAULT), op("b", Step.DEFAULT), op("c", Step.DEFAULT)),
          op("d", Step.DEFAULT));

  private static Shell started(int portion) {
    Shell shell = new Shell(ALL);
    shell.portion = () -> portion;
    shell.tell(new Command.StartWorkflow(Shell.start("w")));
    return shell;
  }

  private static void isWhole(Shell shell) {
    for (String operation : new String[] {"a#1", "b#1", "c#1", "d#1"})
      shell.succeed(operation, operation);
    assertThat(shell.result()).isEqualTo("a#1=a#1;b#1=b#1;c#1=c#1;d#1=d#1;");
    assertThat(shell.events(Event.Scheduled.class)).hasSize(4);
  }

  @Test
  void whatAProgramAsksForIsGrantedInSeveralCommits() {
    Shell shell = started(1);
    assertThat(shell.history).hasSize(3);
    assertThat(shell.lastCommit())
        .hasExactlyElementsOfTypes(Event.CodeRevised.class, Event.Scheduled.class);
    isWhole(shell);
  }

  @Test
  void anOwnerThatDiesBetweenThemIsFollowedByOneThatGrantsTheRest() {
    Shell shell = new Shell(ALL);
    shell.portion = () -> 1;
    shell.journal.fate =
        events ->
            shell.deciding instanceof Command.GrantMore && shell.history.size() == 1
                ? MemoryJournal.Fate.DIES_BEFORE
                : MemoryJournal.Fate.STANDS;
    shell.tell(new Command.StartWorkflow(Shell.start("w")));
    assertThat(shell.events(Event.Scheduled.class)).hasSize(3);
    isWhole(shell);
  }

  @Test
  void aTerminationBetweenThemLeavesNothingToGrant() {
    Shell shell = started(3);
    shell.tell(new Command.Terminate("enough"));
    assertThat(shell.tell(new Command.GrantMore())).isNull();
    assertThat(shell.state().status()).isEqualTo(Status.TERMINATED);
  }

  @Test
  void longFailuresThatAreDueTogetherComeOutInSeveralCommits() {
    int count = 600;
    RetryPolicy inAnHour = RetryPolicy.DEFAULT.backoff(Duration.ofHours(1), 1, Duration.ofHours(1));
    Step step = new Step(inAnHour, Timeouts.DEFAULT.total(Duration.ofMinutes(90)));
    Script.Part[] steps = new Script.Part[count];
    for (int i = 0; i < count; i++) steps[i] = op("s" + i, step);
    Shell shell = Shell.started(par(steps));
    Failure failure = Failure.retryable("x", "y".repeat(Failure.MESSAGE_CHARS_MAX));
    for (int i = 0; i < count; i++) shell.fail("s" + i + "#1", 1, failure);
    assertThat(shell.state().openOperations()).hasSize(count);
    shell.advance(Duration.ofHours(2));
    long bytes = 0;
    for (News news :
        Intake.of(shell.state(), new Command.Due(), shell.now, KernelLimits.DEFAULT).news())
      bytes += Sizes.bytesMax(((News.Completed) news).outcome());
    assertThat(bytes)
        .isBetween(Limits.DUE_BYTES_PER_COMMIT_MAX, Limits.DUE_BYTES_PER_COMMIT_MAX + 64 * 1024);
  }
}
