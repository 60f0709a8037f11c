package dev.tenure.workflow.kernel;

import static dev.tenure.workflow.kernel.Script.op;
import static dev.tenure.workflow.kernel.Script.seq;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationKind;
import dev.tenure.workflow.operation.OperationSpec.Step;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Runs that are pinned to another version of their code. */
class MovesTest {
  private static final Script.Part A = op("a", Step.DEFAULT);
  private static final Script.Part B = op("b", Step.DEFAULT);

  @Test
  void aMovedRunIsOneOfThatVersionFromThenOn() {
    Shell shell = Shell.started(A);
    assertThat(shell.tell(new Command.MoveToVersion(2, "new code"))).isEqualTo(Reply.DONE);
    assertThat(shell.state().start().type().version()).isEqualTo(2);
    assertThat(shell.tell(new Command.MoveToVersion(2, "again")))
        .isInstanceOf(Reply.AlreadyDone.class);
    shell.recover();
    assertThat(shell.state().start().type().version()).isEqualTo(2);
    shell.succeed("a#1", "");
    assertThat(shell.state().status()).isEqualTo(Status.COMPLETED);
    assertThat(shell.tell(new Command.MoveToVersion(3, "late")))
        .isInstanceOf(Reply.AlreadyEnded.class);
  }

  @Test
  void aMoveEndsAnIncidentAndHandsOutAgainWhatWasOpen() {
    Shell shell = Shell.started(A);
    shell.tell(new Command.RaiseIncident(new Incident.Other("test", "look")));
    shell.effects.clear();
    shell.tell(new Command.MoveToVersion(2, "mended there"));
    assertThat(shell.state().status()).isEqualTo(Status.RUNNING);
    assertThat(shell.effects(Effect.RunStep.class)).hasSize(1);
    assertThat(shell.events(Event.Redelivered.class)).hasSize(1);
  }

  @Test
  void aMoveFindsTheCodeOfABlockedRun() {
    Shell shell = Shell.started(A);
    shell.tell(new Command.Block("no-worker"));
    shell.tell(new Command.MoveToVersion(2, "served"));
    assertThat(shell.state().blockReason()).isEmpty();
  }

  @Test
  void aPausedRunStaysPausedWhereverItMoves() {
    Shell shell = Shell.started(A);
    shell.tell(new Command.Pause("look"));
    shell.tell(new Command.MoveToVersion(2, "still looking"));
    assertThat(shell.state().status()).isEqualTo(Status.PAUSED);
    assertThat(shell.state().start().type().version()).isEqualTo(2);
  }

  @Test
  void aDriftShowsWhatWasRecordedAndWhatIsAskedForInstead() {
    Shell shell = Shell.started(A);
    shell.changeCode(() -> new Script(seq(B, A)));
    shell.recover();
    Incident.Drift drift = (Incident.Drift) shell.state().incident().orElseThrow();
    assertThat(drift)
        .isEqualTo(
            new Incident.Drift(
                new OperationId("a#1"),
                OperationKind.STEP,
                Optional.empty(),
                List.of(new OperationId("b#1"))));
    assertThat(drift.message()).contains("a#1 is recorded as STEP").contains("[b#1]");
  }

  @Test
  void whatComesNearToALimitSaysSoAndGoesOn() {
    Shell shell = Shell.started(seq(A, B));
    assertThat(shell.state().warnings()).isEmpty();
    shell.succeed("a#1", "x".repeat(Limits.PAYLOAD_BYTES_WARNING + 1));
    assertThat(shell.state().warnings())
        .singleElement()
        .satisfies(one -> assertThat(one.limit()).isEqualTo("PAYLOAD_BYTES_WARNING"));
    shell.succeed("b#1", "");
    assertThat(shell.state().status()).isEqualTo(Status.COMPLETED);
  }
}
