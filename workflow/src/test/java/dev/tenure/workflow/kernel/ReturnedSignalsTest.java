package dev.tenure.workflow.kernel;

import static dev.tenure.workflow.kernel.Script.op;
import static dev.tenure.workflow.kernel.Script.par;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.collation.ActivityKind;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.OperationSpec.SignalWait;
import dev.tenure.workflow.operation.Outcome;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Signals that the code has not received, and gives back. */
class ReturnedSignalsTest {
  private static final OperationSpec GO = new SignalWait("go", Optional.empty());
  private static final Command.Arrival ARRIVAL = Shell.arrival("go", 1);

  private static OperationId go(int number) {
    return new OperationId("go#" + number);
  }

  private static Wish giveBack(int number) {
    return new Wish.GiveBack(go(number), ARRIVAL);
  }

  private static Shell threeWaits() {
    return Shell.started(par(op("go", GO), op("go", GO), op("go", GO)));
  }

  /** Three waits are open, and the first takes the signal. */
  private static Shell signalled(Wish... wishes) {
    return signalled(threeWaits(), wishes);
  }

  private static Shell signalled(Shell shell, Wish... wishes) {
    shell.effects.clear();
    Command signal = new Command.Signals(List.of(ARRIVAL));
    shell.commit(signal, new Wishes(List.of(wishes)));
    return shell;
  }

  @Test
  void anotherOpenWaitIsLookedFor() {
    assertThat(signalled(giveBack(1)).effects(Effect.LookForSignal.class))
        .containsExactly(new Effect.LookForSignal(go(2), "go"));
  }

  @Test
  void theWaitThatIsLookedForIsOneThatTheCommitLeavesOpen() {
    assertThat(
            signalled(giveBack(1), new Wish.Abandon(go(2), false))
                .effects(Effect.LookForSignal.class))
        .containsExactly(new Effect.LookForSignal(go(3), "go"));
  }

  @Test
  void nobodyLooksWhenNoWaitIsLeft() {
    assertThat(
            signalled(giveBack(1), new Wish.End(Outcome.DONE)).effects(Effect.LookForSignal.class))
        .isEmpty();
  }

  private static Replay.Comparison replayed(Shell shell, Wish... more) {
    Replay replay = new Replay();
    shell.events().forEach(replay::add);
    Wishes asked =
        new Wishes(
            List.of(
                new Wish.Schedule(go(1), GO),
                new Wish.Schedule(go(2), GO),
                new Wish.Schedule(go(3), GO)));
    return replay.compare(asked.then(new Wishes(List.of(more))));
  }

  @Test
  void codeThatGivesTheSameSignalsBackIsTheSame() {
    assertThat(replayed(signalled(giveBack(1)), giveBack(1)))
        .isEqualTo(new Replay.Comparison.Same(Wishes.NONE));
    assertThat(replayed(signalled(), giveBack(1)))
        .as("code may give back what earlier code kept")
        .isEqualTo(new Replay.Comparison.Same(new Wishes(List.of(giveBack(1)))));
  }

  /** Another wait, or another run, may have received it since: it would be received twice. */
  @Test
  void codeThatKeepsASignalWhichIsRecordedAsGivenBackHasDrifted() {
    Replay.Comparison comparison = replayed(signalled(giveBack(1)));
    assertThat(comparison).isInstanceOf(Replay.Comparison.Drifted.class);
    Incident.Drift drift = ((Replay.Comparison.Drifted) comparison).drift();
    assertThat(drift.operation()).isEqualTo(go(1));
    assertThat(drift.message()).contains("its signal given back", "its signal kept");
  }

  /** The wait that it is about was scheduled before what the program remembers by. */
  @Test
  void aProgramThatRemembersDriftsWhenItKeepsASignalThatIsRecordedAsGivenBack() {
    Shell shell = threeWaits();
    StateSnapshot snapshot = StateSnapshot.of(shell.state());
    signalled(shell, giveBack(1));
    Replay replay = new Replay(snapshot, Payload.NONE);
    shell.events().stream().skip(snapshot.events()).forEach(replay::add);
    assertThat(replay.compare(new Wishes(List.of(giveBack(1)))))
        .isEqualTo(new Replay.Comparison.Same(Wishes.NONE));
    Replay.Comparison comparison = replay.compare(Wishes.NONE);
    assertThat(comparison).isInstanceOf(Replay.Comparison.Drifted.class);
    Incident.Drift drift = ((Replay.Comparison.Drifted) comparison).drift();
    assertThat(drift.operation()).isEqualTo(go(1));
    assertThat(drift.message()).contains("its signal given back", "its signal kept");
  }

  /** The code was not asked, so it does not give them back in its replay either. */
  @Test
  void whatAnEndFromOutsideGaveBackIsNotExpectedOfTheCode() {
    Shell shell = threeWaits();
    shell.tell(new Command.Pause("look"));
    shell.tell(new Command.Signals(List.of(ARRIVAL)));
    shell.tell(new Command.Terminate("enough"));
    assertThat(shell.events(Event.SignalReturned.class)).hasSize(1);
    assertThat(replayed(shell)).isEqualTo(new Replay.Comparison.Same(Wishes.NONE));
  }

  private static Command lastNewsWithAnIncident() {
    return new Command.Several(
        List.of(
            new Command.AttemptEnded(new OperationId("last#1"), 1, Outcome.DONE),
            new Command.AttemptEnded(
                new OperationId("hard#1"),
                1,
                new Outcome.Failed(Failure.permanent("Hard", "too hard"))),
            new Command.Signals(List.of(ARRIVAL))));
  }

  /**
   * Its last news came in together with a failure that needs a person, and with a signal behind
   * that.
   */
  private static Shell endsWithAnIncident(Wish end) {
    OperationSpec.Step hard =
        new OperationSpec.Step(RetryPolicy.NONE.thenIncident(), Timeouts.DEFAULT);
    Shell shell =
        Shell.started(par(op("last", OperationSpec.Step.DEFAULT), op("hard", hard), op("go", GO)));
    shell.commit(lastNewsWithAnIncident(), Wishes.of(end));
    assertThat(shell.events(Event.IncidentRaised.class)).hasSize(1);
    return shell;
  }

  @Test
  void whatIsWithheldWhenTheProgramEndsGoesBack() {
    Shell ended = endsWithAnIncident(new Wish.End(Outcome.DONE));
    assertThat(ended.state().status()).isEqualTo(Status.COMPLETED);
    assertThat(ended.events(Event.SignalReturned.class)).hasSize(1);
    Shell continued =
        endsWithAnIncident(new Wish.ContinueAsNew(Script.text("next"), Optional.empty()));
    assertThat(continued.events(Event.SignalReturned.class)).hasSize(1);
  }

  @Test
  void whatIsWithheldWhenTheJobOfAGraphClosesGoesBack() {
    OperationSpec.Step hard =
        new OperationSpec.Step(RetryPolicy.NONE.thenIncident(), Timeouts.DEFAULT);
    Graph graph =
        Graph.of(
                Graph.Node.step("last"),
                Graph.Node.of("hard", ActivityKind.WORKER, hard),
                Graph.Node.hook("hook", "go", 1))
            .until(2);
    Shell shell = new Shell(Kernel.standard(), () -> new GraphScript(graph));
    shell.tell(new Command.StartWorkflow(Shell.start("w").with(graph.accounting())));
    shell.tell(lastNewsWithAnIncident());
    assertThat(shell.events(Event.IncidentRaised.class)).hasSize(1);
    assertThat(shell.state().status()).isEqualTo(Status.COMPLETED);
    assertThat(shell.events(Event.SignalConsumed.class)).hasSize(1);
    assertThat(shell.events(Event.SignalReturned.class)).hasSize(1);
  }

  /** A program that has ended is told of a signal while its end waits to be granted. */
  @Test
  void whatAProgramGivesBackAfterItsEndIsGrantedBefore() {
    for (Wish end :
        List.of(new Wish.End(Outcome.DONE), new Wish.ContinueAsNew(Payload.NONE, Optional.empty())))
      assertThat(Wishes.of(new Wish.Abandon(go(2)), end).then(Wishes.of(giveBack(1))).wishes())
          .containsExactly(new Wish.Abandon(go(2)), giveBack(1), end);
  }
}
