package dev.tenure.workflow.kernel;

import static dev.tenure.workflow.kernel.Script.op;
import static dev.tenure.workflow.kernel.Script.par;
import static dev.tenure.workflow.kernel.Script.seq;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.ParentClosePolicy;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.operation.MessageContent;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.OperationSpec.SignalWait;
import dev.tenure.workflow.operation.OperationSpec.Step;
import dev.tenure.workflow.operation.Outcome;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** One run after the other, under one id. */
class RenewalTest {
  private static final Script.Part A = op("a", Step.DEFAULT);
  private static final Payload NEXT = Script.text("next");

  private static Shell started(Script.Part main, int renewals) {
    Shell shell = new Shell(Kernel.standard(), () -> new Script(main, Optional.empty(), renewals));
    shell.tell(new Command.StartWorkflow(Shell.start("w")));
    return shell;
  }

  /** Commits the end of step a together with these wishes, and begins anew. */
  private static void after(Shell shell, Wish... wishes) {
    Command done = new Command.AttemptEnded(OperationId.of("", "a", 1), 1, Outcome.DONE);
    shell.commit(done, Wishes.of(wishes));
  }

  private static Wish next() {
    return new Wish.ContinueAsNew(NEXT, Optional.empty());
  }

  @Test
  void oneRunEndsAndTheNextBeginsInOneCommit() {
    Shell shell = started(A, 2);
    String first = shell.state().start().runId();
    shell.succeed("a#1", "1");
    assertThat(shell.lastCommit())
        .hasExactlyElementsOfTypes(Event.Completed.class, Event.ContinuedAsNew.class);
    assertThat(shell.state().start().runId()).isNotEqualTo(first);
    assertThat(shell.state().start().seed()).isNotEqualTo(Shell.start("w").seed());
    assertThat(shell.state().eventCount()).isEqualTo(1);
    assertThat(shell.state().openOperations()).isEmpty();
    shell.recover();
    assertThat(shell.state().operation(new OperationId("a#1"))).isPresent();
    shell.succeed("a#1", "2");
    shell.recover();
    shell.succeed("a#1", "3");
    assertThat(shell.state().status()).isEqualTo(Status.COMPLETED);
    assertThat(shell.result()).isEqualTo("a#1=3;");
    assertThat(shell.events(Event.ContinuedAsNew.class)).hasSize(2);
  }

  @Test
  void theRunsThatFollowAForkAreNotThoseThatFollowWhatItWasForkedFrom() {
    Start original = Shell.start("w");
    Start fork =
        new Start(
            WorkflowId.of("fork"),
            "run-fork",
            original.type(),
            original.input(),
            original.seed(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Map.of());
    Start next = original.next(NEXT, 1, Map.of());
    Start nextOfFork = fork.next(NEXT, 1, Map.of());
    assertThat(nextOfFork.runId()).isNotEqualTo(next.runId());
    assertThat(nextOfFork.seed()).isNotEqualTo(next.seed());
  }

  @Test
  void aStartThatIsRepeatedIsRecognisedByLaterRuns() {
    Shell shell = started(A, 1);
    shell.succeed("a#1", "");
    Reply.AlreadyStarted again =
        (Reply.AlreadyStarted) shell.tell(new Command.StartWorkflow(Shell.start("w")));
    assertThat(again.sameRequest()).isTrue();
    assertThat(again.runId()).isEqualTo(shell.state().start().runId());
  }

  @Test
  void attributesAndWhatWasConsumedGoOver() {
    Shell shell = Shell.started(seq(op("s", new SignalWait("go", Optional.empty())), A));
    shell.signal("go", 7);
    after(shell, new Wish.SetAttributes(Map.of("n", Attribute.of(1))), next());
    assertThat(shell.state().attributes()).containsEntry("n", Attribute.of(1));
    assertThat(shell.state().newestSignal()).isEqualTo(7);
    assertThat(shell.state().consumedSignals()).as("names are of one run").isEmpty();
    assertThat(shell.state().start().input()).isEqualTo(NEXT);
  }

  /** Each request may name a signal of its own, for ever. */
  @Test
  void namesOfSignalsAreBoundedPerRunOnly() {
    Shell shell = Shell.started(A);
    int position = 0;
    for (int run = 0; run < 11; run++) {
      Script.Part[] waits = new Script.Part[101];
      for (int i = 0; i < 100; i++)
        waits[i] = op("s", new SignalWait("reply-" + (100 * run + i), Optional.empty()));
      waits[100] = A;
      shell.changeCode(() -> new Script(par(waits)));
      if (run > 0) shell.recover();
      else {
        after(shell, next());
        shell.recover();
      }
      for (int i = 0; i < 100; i++) shell.signal("reply-" + (100 * run + i), ++position);
      after(shell, next());
    }
    assertThat(shell.events(Event.IncidentRaised.class)).isEmpty();
    assertThat(shell.events(Event.SignalConsumed.class)).hasSize(1_100);
    assertThat(shell.events(Event.ContinuedAsNew.class).getLast().newestSignal()).isEqualTo(1_100);
  }

  // --- signals that the code never received

  private static final SignalWait ROLL = new SignalWait("roll", Optional.empty());
  private static final SignalWait WORK = new SignalWait("work", Optional.empty());

  private static Command.Signals signals(Command.Arrival... arrivals) {
    return new Command.Signals(java.util.List.of(arrivals));
  }

  @Test
  void aSignalOfTheCommitThatContinuesAsNewWaitsForTheNextRun() {
    for (boolean together : new boolean[] {true, false}) {
      Shell shell = started(Script.race(op("r", ROLL), op("w", WORK)), 1);
      if (together) shell.tell(signals(Shell.arrival("roll", 1), Shell.arrival("work", 2)));
      else {
        shell.tell(signals(Shell.arrival("roll", 1)));
        shell.tell(signals(Shell.arrival("work", 2)));
      }
      assertThat(shell.events(Event.ContinuedAsNew.class)).hasSize(1);
      shell.recover();
      shell.tell(signals(Shell.arrival("work", 2)));
      assertThat(shell.result()).isEqualTo("w#1=s2;");
    }
  }

  @Test
  void aSignalOfTheCommitThatEndsTheRunIsGivenBack() {
    Shell shell = Shell.started(Script.race(op("r", ROLL), op("w", WORK)));
    shell.tell(signals(Shell.arrival("roll", 1), Shell.arrival("work", 2)));
    assertThat(shell.state().status()).isEqualTo(Status.COMPLETED);
    assertThat(shell.events(Event.SignalReturned.class))
        .singleElement()
        .satisfies(back -> assertThat(back.position()).isEqualTo(2));
  }

  @Test
  void aSignalOfTheCommitThatDropsItsWaitIsThereForTheNextWait() {
    for (boolean together : new boolean[] {true, false}) {
      Shell shell = Shell.started(seq(Script.race(op("r", ROLL), op("w", WORK)), A, op("w", WORK)));
      if (together) shell.tell(signals(Shell.arrival("roll", 1), Shell.arrival("work", 2)));
      else {
        shell.tell(signals(Shell.arrival("roll", 1)));
        shell.tell(signals(Shell.arrival("work", 2)));
      }
      shell.recover();
      shell.succeed("a#1", "");
      // Read before the other was given back: it comes before later ones of its name (I14).
      if (together) shell.tell(signals(Shell.arrival("work", 3)));
      shell.tell(signals(Shell.arrival("work", 2), Shell.arrival("work", 3)));
      assertThat(shell.result()).isEqualTo("r#1=s1;a#1=;w#2=s2;");
    }
  }

  /** Over hours, one after the other; released, all come at once. */
  @Test
  void whatCameWhileItWasPausedIsGivenBackWhenTheCodeEndsBeforeIt() {
    Shell shell = started(Script.race(op("r", ROLL), op("w", WORK)), 1);
    shell.tell(new Command.Pause("wait"));
    shell.tell(signals(Shell.arrival("roll", 1)));
    shell.tell(signals(Shell.arrival("work", 2)));
    shell.recover();
    shell.tell(new Command.Resume());
    assertThat(shell.lastCommit())
        .hasExactlyElementsOfTypes(
            Event.Resumed.class, Event.SignalReturned.class, Event.ContinuedAsNew.class);
    shell.recover();
    shell.tell(signals(Shell.arrival("work", 2)));
    assertThat(shell.result()).isEqualTo("w#1=s2;");
  }

  @Test
  void whatCameWhileItWasPausedIsUnconsumedWhenItIsTerminated() {
    Shell shell = Shell.started(op("r", ROLL));
    shell.tell(new Command.Pause("wait"));
    shell.tell(signals(Shell.arrival("roll", 1)));
    shell.tell(new Command.Terminate("enough"));
    assertThat(shell.events(Event.SignalReturned.class)).hasSize(1);
    assertThat(shell.state().status()).isEqualTo(Status.TERMINATED);
  }

  @Test
  void aSignalBehindAResultThatEndsTheRunIsGivenBack() {
    Shell shell = Shell.started(Script.race(A, op("w", WORK)));
    shell.tell(
        new Command.Several(
            java.util.List.of(
                new Command.AttemptEnded(OperationId.of("", "a", 1), 1, Outcome.DONE),
                signals(Shell.arrival("work", 1)))));
    assertThat(shell.state().status()).isEqualTo(Status.COMPLETED);
    assertThat(shell.events(Event.SignalReturned.class)).hasSize(1);
  }

  @Test
  void theNextRunMayBeOneOfAnotherVersion() {
    Shell shell = Shell.started(A);
    after(shell, new Wish.ContinueAsNew(NEXT, Optional.of(9)));
    assertThat(shell.state().start().type().version()).isEqualTo(9);
  }

  @Test
  void whoWasAskedToStopDoesNotGoOnAsNew() {
    Shell shell = Shell.started(A);
    shell.tell(new Command.Several(java.util.List.of(new Command.Cancel("stop"))));
    Shell other = Shell.started(A);
    Command.Cancel cancel = new Command.Cancel("stop");
    other.commit(cancel, Wishes.of(next()));
    assertThat(other.state().status()).isEqualTo(Status.CANCELLED);
  }

  @Test
  void whatIsOpenIsGivenUpAndChildrenFollowTheirPolicy() {
    Shell shell =
        Shell.started(
            par(
                A,
                op("b", Step.DEFAULT),
                op("c", ChildrenTest.spec("child", ParentClosePolicy.CANCEL))));
    shell.tell(new Command.ChildAcknowledged(new OperationId("c#1")));
    after(shell, next());
    assertThat(shell.events(Event.Abandoned.class))
        .extracting(e -> e.operation().value())
        .containsExactly("b#1", "c#1");
    assertThat(shell.effects(Effect.StopAttempt.class)).hasSize(1);
    assertThat(shell.state().openOperations())
        .singleElement()
        .satisfies(
            left ->
                assertThat(((OperationSpec.Message) left.spec()).content())
                    .isInstanceOf(MessageContent.Cancel.class));
    assertThat(shell.state().semaphore().open()).as("the run; a delivery is none").isOne();
  }

  @Test
  void whatMustBeDeliveredGoesOverUnderItsOldName() {
    OperationSpec.Message message =
        new OperationSpec.Message(
            WorkflowId.of("x"), new MessageContent.Signal("go", Payload.NONE));
    Shell shell = Shell.started(par(A, op("tell", message)));
    Effect.Send first = shell.effects(Effect.Send.class).getFirst();
    after(shell, next());
    shell.effects.clear();
    shell.changeCode(() -> new Script(op("tell", message)));
    shell.recover();
    assertThat(shell.effects(Effect.Send.class))
        .as("the old one again, and one of the new run")
        .hasSize(2)
        .first()
        .satisfies(
            again -> {
              assertThat(again.guid()).isEqualTo(first.guid());
              assertThat(again.operation()).isNotEqualTo(first.operation());
            });
    assertThat(shell.effects(Effect.Send.class).get(1).guid()).isNotEqualTo(first.guid());
    OperationId carried = shell.effects(Effect.Send.class).getFirst().operation();
    shell.tell(new Command.MessageAcknowledged(carried, Outcome.DONE));
    assertThat(shell.state().openOperations()).hasSize(1);
  }

  @Test
  void aChildOfAnEarlierRunIsNotTakenForOneOfThisRun() {
    OperationSpec.Child spec = ChildrenTest.spec("child", ParentClosePolicy.ABANDON);
    Shell shell = Shell.started(par(A, op("c", spec)));
    Effect.StartChild old = shell.effects(Effect.StartChild.class).getFirst();
    shell.tell(new Command.ChildAcknowledged(new OperationId("c#1")));
    after(shell, next());
    shell.changeCode(() -> new Script(op("c", spec)));
    shell.effects.clear();
    shell.recover();
    OperationId c = new OperationId("c#1");
    Outcome out = new Outcome.Succeeded(Script.text("stale"));
    assertThat(shell.tell(new Command.ChildEnded(c, out, Optional.of(old.origin().guid()))))
        .isInstanceOf(Reply.NotOpen.class);
    Effect.StartChild mine = shell.effects(Effect.StartChild.class).getFirst();
    shell.tell(new Command.ChildEnded(c, out, Optional.of(mine.origin().guid())));
    assertThat(shell.state().status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void updatesThatWereAnsweredKeepTheirAnswersAndOthersAreHandledByTheNextRun() {
    Shell shell = Shell.started(seq(new Script.Part.AnswerUpdate(), A));
    Command.Update u1 = new Command.Update("u1", "set", Script.text("good"));
    Command.Update u2 = new Command.Update("u2", "set", Script.text("good"));
    Reply first = shell.tell(u1);
    shell.tell(u2);
    after(shell, next());
    assertThat(shell.effects(Effect.AnswerUpdate.class)).hasSize(1);
    shell.changeCode(() -> new Script(seq(new Script.Part.AnswerUpdate(), A)));
    assertThat(shell.state().pendingUpdates()).containsOnlyKeys("u2");
    shell.recover();
    assertThat(shell.tell(u1)).isEqualTo(first);
    assertThat(shell.tell(u2)).isInstanceOf(Reply.UpdateAnswered.class);
    assertThat(shell.events(Event.UpdateAdmitted.class)).hasSize(2);
    assertThat(shell.events(Event.UpdateAnswered.class)).hasSize(2);
  }

  @Test
  void updatesBeyondTheLimitOfBytesAreAnsweredThatTheyMayComeAgain() {
    Shell shell = Shell.started(A);
    for (int i = 0; i < 3; i++)
      shell.tell(
          new Command.Update(
              "u" + i, "set", Payload.of(new byte[Limits.CARRIED_UPDATES_BYTES_MAX / 2])));
    after(shell, next());
    assertThat(shell.state().pendingUpdates().keySet()).containsExactly("u0", "u1");
    assertThat(shell.effects(Effect.AnswerUpdate.class))
        .singleElement()
        .satisfies(
            answer ->
                assertThat(((Outcome.Failed) answer.outcome()).failure().message())
                    .contains("CARRIED_UPDATES_BYTES_MAX"));
  }

  @Test
  void aPauseHoldsWhatFollowsToo() {
    Shell shell = Shell.started(A);
    Command both =
        new Command.Several(
            java.util.List.of(
                new Command.AttemptEnded(OperationId.of("", "a", 1), 1, Outcome.DONE),
                new Command.Pause("wait")));
    shell.commit(both, Wishes.of(next()));
    assertThat(shell.state().pauseReason()).contains("wait");
    assertThat(shell.lastCommit()).endsWith(shell.events(Event.Paused.class).getLast());
  }
}
