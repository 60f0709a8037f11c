package dev.tenure.workflow.kernel;

import static dev.tenure.workflow.kernel.ActivityCalls.A;
import static dev.tenure.workflow.kernel.ActivityCalls.TWICE;
import static dev.tenure.workflow.kernel.ActivityCalls.audited;
import static dev.tenure.workflow.kernel.ActivityCalls.keyed;
import static dev.tenure.workflow.kernel.ActivityCalls.started;
import static dev.tenure.workflow.kernel.Script.op;
import static dev.tenure.workflow.kernel.Script.par;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.lifecycle.WorkflowPhase;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec.Step;
import dev.tenure.workflow.operation.Outcome;
import org.junit.jupiter.api.Test;

/** What an activity is recorded to have done is not what the outside world shows. */
class ResourceDiffersTest {
  private static final Command DIFFERS = new Command.ResourceDiffers(A, "no such payment");

  /** a#1 is done, and b#1 is under way. */
  private static Shell shell() {
    Shell shell = started(keyed(TWICE, Timeouts.NONE));
    shell.succeed("a#1", "1");
    return shell;
  }

  private static Failure failure(Shell shell) {
    return ((Outcome.Failed) shell.state().outcome().orElseThrow()).failure();
  }

  @Test
  void aStrictCheckEndsTheRunAtOnce() {
    Shell shell = shell();
    assertThat(shell.tell(DIFFERS)).isEqualTo(Reply.DONE);
    assertThat(shell.state().phase()).isEqualTo(WorkflowPhase.CLOSED);
    assertThat(failure(shell).type()).isEqualTo(Failure.RESOURCE_DIFFERS);
    assertThat(failure(shell).message()).contains("a#1", "no such payment");
    assertThat(shell.events(Event.Abandoned.class)).hasSize(1);
    int commits = shell.history.size();
    shell.tell(DIFFERS);
    assertThat(shell.history).as("said again").hasSize(commits);
  }

  /** The check is made before the code runs, so a hold keeps nothing from it. */
  @Test
  void itEndsAHeldRunToo() {
    for (Command hold :
        new Command[] {
          new Command.Pause("look"),
          new Command.Block("no code"),
          new Command.RaiseIncident(new Incident.Other("test", "look"))
        }) {
      Shell shell = shell();
      shell.tell(hold);
      shell.tell(DIFFERS);
      assertThat(failure(shell).type()).isEqualTo(Failure.RESOURCE_DIFFERS);
    }
  }

  /** As a termination does: what undoes the saga's steps is the code's, which is not asked. */
  @Test
  void itCutsASagaShort() {
    Step ofSaga = Step.ofSaga(RetryPolicy.DEFAULT, Timeouts.DEFAULT, "saga#1");
    Shell shell = audited(par(op("a", keyed(TWICE, Timeouts.NONE)), op("s", ofSaga)));
    shell.succeed("a#1", "1");
    shell.tell(DIFFERS);
    assertThat(shell.state().phase()).isEqualTo(WorkflowPhase.CLOSED);
  }

  @Test
  void aPersonResolvesItAndTheRecordStands() {
    Shell shell = shell();
    Incident incident = new Incident.ResourceDiffers(A, "no such payment");
    shell.tell(new Command.RaiseIncident(incident));
    assertThat(shell.state().incident()).contains(incident);
    assertThat(shell.state().standsStillFor(A)).as("no attempt waits for it").isFalse();
    assertThat(shell.tell(shell.retry(A))).isInstanceOf(Reply.NotOpen.class);
    assertThat(shell.tell(shell.conclude(A, Outcome.DONE, "so"))).isInstanceOf(Reply.NotOpen.class);
    assertThat(shell.tell(new Command.ResolveIncident("it is there again"))).isEqualTo(Reply.DONE);
    assertThat(shell.events(Event.Retried.class)).isEmpty();
    shell.succeed("b#1", "2");
    assertThat(shell.result()).isEqualTo("a#1=1;b#1=2;");
  }

  /** Another call waits for its next attempt: the incident is not about that one. */
  @Test
  void whatWaitsForItsNextAttemptGoesOnWaiting() {
    Shell shell =
        audited(par(op("a", keyed(TWICE, Timeouts.NONE)), op("b", keyed(TWICE, Timeouts.NONE))));
    shell.succeed("a#1", "1");
    shell.fail("b#1", 1, ActivityCalls.UNPROVEN);
    shell.tell(new Command.RaiseIncident(new Incident.ResourceDiffers(A, "no such payment")));
    shell.tell(new Command.ResolveIncident("it is there again"));
    OperationId b = new OperationId("b#1");
    assertThat(shell.state().operation(b).orElseThrow().attemptThatCounts()).isEqualTo(2);
  }
}
