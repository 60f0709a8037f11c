package dev.tenure.workflow.kernel;

import static dev.tenure.workflow.kernel.Script.op;
import static dev.tenure.workflow.kernel.Script.par;
import static dev.tenure.workflow.kernel.Script.race;
import static dev.tenure.workflow.kernel.Script.seq;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.collation.Parent;
import dev.tenure.workflow.lifecycle.WorkflowPhase;
import dev.tenure.workflow.operation.Due;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.OperationSpec.SignalWait;
import dev.tenure.workflow.operation.OperationSpec.Step;
import dev.tenure.workflow.operation.OperationSpec.Timer;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OrdersTest {
  private static final Script.Part A = op("a", Step.DEFAULT);
  private static final Script.Part B = op("b", Step.DEFAULT);
  private static final Script.Part UNDO = op("undo", Step.DEFAULT);
  private static final Script.Part GO = op("go", new SignalWait("go", Optional.empty()));

  private static Shell cancellable(Script.Part main) {
    Shell shell = new Shell(Kernel.standard(), () -> new Script(main, Optional.of(UNDO)));
    shell.tell(new Command.StartWorkflow(Shell.start("w")));
    return shell;
  }

  // --- start

  @Test
  void aSecondStartOfAnIdSaysSo() {
    Shell shell = Shell.started(A);
    Reply.AlreadyStarted same =
        (Reply.AlreadyStarted) shell.tell(new Command.StartWorkflow(Shell.start("w")));
    assertThat(same.sameRequest()).isTrue();
    assertThat(same.runId()).isEqualTo("run-w");
    shell.succeed("a#1", "");
    Reply.AlreadyStarted late =
        (Reply.AlreadyStarted) shell.tell(new Command.StartWorkflow(Shell.start("w")));
    assertThat(late.status()).isEqualTo(Status.COMPLETED);
    assertThat(shell.events(Event.Started.class)).hasSize(1);
  }

  @Test
  void aStartPastALimitIsRefusedAndStoresNothing() {
    Shell shell = new Shell(A);
    Start start = Shell.start("w");
    Start tooLarge =
        new Start(
            start.id(),
            start.runId(),
            start.type(),
            Payload.of(new byte[Limits.PAYLOAD_BYTES_MAX + 1]),
            1,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Map.of());
    Reply.LimitReached reply = (Reply.LimitReached) shell.tell(new Command.StartWorkflow(tooLarge));
    assertThat(reply.limit()).isEqualTo("PAYLOAD_BYTES_MAX");
    assertThat(shell.state().exists()).isFalse();
    assertThat(shell.tell(new Command.Cancel("x"))).isInstanceOf(Reply.Unknown.class);
  }

  // --- cancel and terminate

  @Test
  void cancellationReachesTheProgramWhichMayCleanUp() {
    Shell shell = cancellable(seq(A, B));
    shell.tell(new Command.Cancel("changed my mind"));
    assertThat(shell.effects(Effect.StopAttempt.class))
        .containsExactly(new Effect.StopAttempt(new OperationId("a#1"), 1));
    assertThat(shell.state().cancelRequested()).contains("changed my mind");
    shell.succeed("undo#1", "");
    assertThat(shell.state().status()).isEqualTo(Status.CANCELLED);
    assertThat(shell.state().phase()).isEqualTo(WorkflowPhase.CLOSED);
  }

  @Test
  void cancellingTwiceOrTooLateSaysSo() {
    Shell shell = cancellable(A);
    shell.tell(new Command.Cancel("one"));
    assertThat(shell.tell(new Command.Cancel("two"))).isInstanceOf(Reply.AlreadyDone.class);
    assertThat(shell.events(Event.CancelRequested.class)).hasSize(1);
    shell.succeed("undo#1", "");
    assertThat(((Reply.AlreadyEnded) shell.tell(new Command.Cancel("three"))).status())
        .isEqualTo(Status.CANCELLED);
  }

  @Test
  void aCancelRacingTheLastResultIsDecidedByWhoComesFirst() {
    Command result = new Command.AttemptEnded(new OperationId("a#1"), 1, Outcome.DONE);
    Shell resultFirst = cancellable(A);
    resultFirst.tell(new Command.Several(List.of(result, new Command.Cancel("x"))));
    assertThat(resultFirst.state().status()).isEqualTo(Status.COMPLETED);
    Shell cancelFirst = cancellable(A);
    cancelFirst.tell(new Command.Several(List.of(new Command.Cancel("x"), result)));
    assertThat(cancelFirst.state().status()).as("it cleans up").isEqualTo(Status.RUNNING);
    cancelFirst.succeed("undo#1", "");
    assertThat(cancelFirst.state().status()).isEqualTo(Status.CANCELLED);
  }

  @Test
  void terminationDischargesEverythingOneByOneAndClosesOnce() {
    Shell shell = Shell.started(par(A, B, GO, op("t", timer())));
    shell.fail("b#1", 1, Failure.retryable("x", "y"));
    assertThat(shell.state().semaphore().open()).isEqualTo(5);
    shell.tell(new Command.Terminate("enough"));
    assertThat(shell.events(Event.Abandoned.class))
        .extracting(event -> event.digits().semaphore().open())
        .containsExactly(4L, 3L, 2L, 1L);
    assertThat(shell.state().phase()).isEqualTo(WorkflowPhase.CLOSED);
    assertThat(shell.effects(Effect.AnnounceEnd.class)).hasSize(1);
    assertThat(shell.tell(new Command.Terminate("more"))).isInstanceOf(Reply.AlreadyEnded.class);
    assertThat(shell.succeed("a#1", "late")).isInstanceOf(Reply.NotOpen.class);
  }

  private static Timer timer() {
    return new Timer(new Due.After(Duration.ofHours(1)));
  }

  @Test
  void terminationWorksWhenACounterHasNoDigitLeft() {
    Shell shell = Shell.started(GO);
    OperationId full = new OperationId("full#1");
    // Such a history takes a hundred million attempts; here it is told in one event.
    shell.evolve(
        new Event.Scheduled(shell.now, full, Step.DEFAULT, new ActivityLedger(1_100_099_999_999L)),
        new Event.CodeRevised(shell.now, Ledgers.of(shell.state()).onRun(1, Parent.STAYS_OPEN)));
    shell.tell(new Command.AttemptEnded(full, 1, Outcome.DONE));
    assertThat(shell.state().incident().orElseThrow()).isInstanceOf(Incident.Ceiling.class);
    shell.tell(new Command.Terminate("enough"));
    assertThat(shell.state().status()).isEqualTo(Status.TERMINATED);
    assertThat(shell.state().phase()).isEqualTo(WorkflowPhase.CLOSED);
    Digits digits = shell.events(Event.Ended.class).getFirst().digits();
    assertThat(digits.guid().completionDone()).isTrue();
  }

  @Test
  void theExecutionTimeoutCountsWhileHeldAndItsGraceFromTheRelease() {
    Shell shell = new Shell(GO);
    Optional<Duration> minute = Optional.of(Duration.ofMinutes(1));
    shell.tell(new Command.StartWorkflow(Shell.start("w", Optional.empty(), minute)));
    shell.tell(new Command.Pause("x"));
    assertThat(shell.state().wakeAt()).isEqualTo(new Wake.At(Shell.EPOCH.plusSeconds(60)));
    shell.advance(Duration.ofSeconds(60));
    shell.due();
    assertThat(shell.state().status()).as("resumed, it could still undo").isEqualTo(Status.PAUSED);
    shell.advance(Limits.EXECUTION_TIMEOUT_GRACE);
    shell.due();
    assertThat(shell.state().status()).as("it does not know yet").isEqualTo(Status.PAUSED);
    assertThat(shell.state().wakeAt()).isEqualTo(Wake.NEVER);
    shell.tell(new Command.Resume());
    assertThat(shell.state().status()).isEqualTo(Status.TIMED_OUT);
  }

  @Test
  void aBatchThatEndsTheWorkflowLeavesNothingOfItsProgram() {
    Shell shell = Shell.started(seq(A, B));
    Command result = new Command.AttemptEnded(new OperationId("a#1"), 1, Outcome.DONE);
    shell.tell(new Command.Several(List.of(result, new Command.Terminate("x"))));
    assertThat(shell.events(Event.Completed.class)).hasSize(1);
    assertThat(shell.effects(Effect.RunStep.class)).as("b never begins").hasSize(1);
    assertThat(shell.state().phase()).isEqualTo(WorkflowPhase.CLOSED);
  }

  // --- pause

  @Test
  void aPausedWorkflowRecordsItsResultsAndGoesOnWhenResumed() {
    Shell shell = Shell.started(seq(A, op("t", timer()), B));
    shell.tell(new Command.Pause("look"));
    assertThat(shell.state().status()).isEqualTo(Status.PAUSED);
    shell.succeed("a#1", "1");
    assertThat(shell.events(Event.Completed.class)).hasSize(1);
    assertThat(shell.events(Event.Scheduled.class)).hasSize(1);
    assertThat(shell.state().withheld()).hasSize(1);
    shell.recover();
    assertThat(shell.state().withheld()).hasSize(1);
    assertThat(shell.tell(new Command.Pause("again"))).isInstanceOf(Reply.AlreadyDone.class);
    shell.tell(new Command.Resume());
    assertThat(shell.state().status()).isEqualTo(Status.WAITING);
    assertThat(shell.state().withheld()).isEmpty();
    assertThat(shell.tell(new Command.Resume())).isInstanceOf(Reply.AlreadyDone.class);
  }

  @Test
  void aReplayOfATerminatedWorkflowTellsNothingThatWasWithheld() {
    Shell shell = Shell.started(seq(A, B));
    shell.tell(new Command.Pause("look"));
    shell.succeed("a#1", "1");
    shell.tell(new Command.Terminate("enough"));
    Replay replay = new Replay();
    shell.history.forEach(commit -> commit.forEach(replay::add));
    assertThat(replay.news(shell.state())).hasOnlyElementsOfTypes(News.Started.class);
  }

  @Test
  void timersAndRetriesStandStillWhileAWorkflowIsPaused() {
    Shell shell = Shell.started(par(A, op("t", timer())));
    shell.fail("a#1", 1, Failure.retryable("x", "y"));
    shell.tell(new Command.Pause("look"));
    shell.advance(Duration.ofHours(2));
    assertThat(shell.due()).isNull();
    assertThat(shell.state().wakeAt()).isEqualTo(Wake.NEVER);
    shell.tell(new Command.Resume());
    assertThat(shell.state().nextDue().orElseThrow()).isBefore(shell.now);
    shell.due();
    assertThat(shell.lastCommit())
        .hasExactlyElementsOfTypes(Event.AttemptStarted.class, Event.Completed.class);
  }

  // --- blocked

  @Test
  void aWorkflowWithoutCodeIsVisibleAndGoesOnWhenItComes() {
    Shell shell = Shell.started(seq(A, B));
    shell.tell(new Command.Block("no node has script v1"));
    assertThat(shell.state().status()).isEqualTo(Status.BLOCKED);
    assertThat(shell.state().wakeAt()).isEqualTo(Wake.NEVER);
    assertThat(shell.tell(new Command.Block("no node has script v1")))
        .isInstanceOf(Reply.AlreadyDone.class);
    shell.succeed("a#1", "1");
    assertThat(shell.state().withheld()).hasSize(1);
    shell.recover();
    assertThat(shell.state().status()).isEqualTo(Status.RUNNING);
    shell.succeed("b#1", "2");
    assertThat(shell.result()).isEqualTo("a#1=1;b#1=2;");
  }

  @Test
  void aRunThatHadNoVersionGetsOneWithTheResolutionOfItsIncident() {
    Shell shell = Shell.started(seq(A, B));
    shell.tell(new Command.Block("no node has script"));
    shell.tell(new Command.Pause("look"));
    shell.tell(new Command.RaiseIncident(new Incident.Stuck("its first code hangs")));
    shell.resolve(() -> new Script(seq(A, B)), Optional.of(3));
    assertThat(shell.lastCommit().subList(0, 3))
        .hasExactlyElementsOfTypes(
            Event.IncidentResolved.class, Event.Unblocked.class, Event.Repinned.class);
    assertThat(shell.state().start().type().version()).isEqualTo(3);
    assertThat(shell.state().status()).isEqualTo(Status.PAUSED);
    shell.tell(new Command.Resume());
    assertThat(shell.state().status()).isEqualTo(Status.RUNNING);
  }

  @Test
  void severalThingsMayHoldAWorkflowAndTheLastToGoReleasesIt() {
    Shell shell = Shell.started(seq(A, B));
    shell.tell(new Command.Pause("look"));
    shell.tell(new Command.Block("no code"));
    shell.succeed("a#1", "1");
    shell.tell(new Command.Resume());
    assertThat(shell.state().status()).isEqualTo(Status.BLOCKED);
    assertThat(shell.state().withheld()).hasSize(1);
    shell.recover();
    shell.succeed("b#1", "2");
    assertThat(shell.result()).isEqualTo("a#1=1;b#1=2;");
  }

  // --- attributes

  @Test
  void attributesAreSetAndTakenAwayWithTheStepThatDoes() {
    Map<String, Attribute> set = Map.of("city", Attribute.of("Graz"), "n", Attribute.of(1));
    Shell shell =
        Shell.started(
            seq(
                new Script.Part.Attributes(set),
                A,
                new Script.Part.Attributes(Map.of("n", Attribute.of(null))),
                B));
    assertThat(shell.state().attributes()).isEqualTo(set);
    shell.succeed("a#1", "");
    assertThat(shell.state().attributes()).isEqualTo(Map.of("city", Attribute.of("Graz")));
    assertThat(shell.history).hasSize(2);
    shell.recover();
    assertThat(shell.events(Event.AttributesChanged.class)).as("not again").hasSize(2);
  }

  @Test
  void anEngineOperationCannotBeNamedByAProgram() {
    assertThat(OperationId.of("", "~", 1).isEngines()).isFalse();
    assertThat(OperationId.of("~", "x", 1).isEngines()).isTrue();
    Shell shell = Shell.started(GO);
    shell.commit(
        new Command.Signals(List.of(Shell.arrival("go", 1))),
        Wishes.of(new Wish.Schedule(OperationId.ofEngine("x", 1), Step.DEFAULT)));
    assertThat(shell.state().incident().orElseThrow().message()).contains("engine's own");
  }

  @Test
  void whatIsScheduledAndAbandonedInOneCommitNeverGoesOut() {
    Shell shell =
        Shell.started(race(op("t", timer()), A, op("v", new OperationSpec.Value(Payload.NONE))));
    assertThat(shell.effects(Effect.RunStep.class)).isEmpty();
    assertThat(shell.state().phase()).isEqualTo(WorkflowPhase.CLOSED);
    assertThat(shell.history).hasSize(1);
  }
}
