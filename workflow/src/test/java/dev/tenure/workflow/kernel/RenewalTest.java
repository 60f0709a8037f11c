package dev.tenure.workflow.kernel;

import static dev.tenure.workflow.kernel.Script.op;
import static dev.tenure.workflow.kernel.Script.par;
import static dev.tenure.workflow.kernel.Script.seq;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.ParentClosePolicy;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.OperationSpec.Content;
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
    shell.admit(done);
    shell.commit(done, Wishes.of(wishes));
  }

  private static Wish next() {
    return new Wish.ContinueAsNew(NEXT, Optional.empty());
  }

  @Test
  void oneRunEndsAndTheNextBeginsInOneCommit() {
    Shell shell = started(A, 2);
    String first = shell.state.start().runId();
    shell.succeed("a#1", "1");
    assertThat(shell.lastCommit())
        .hasExactlyElementsOfTypes(Event.Completed.class, Event.ContinuedAsNew.class);
    assertThat(shell.state.start().runId()).isNotEqualTo(first);
    assertThat(shell.state.start().seed()).isNotEqualTo(Shell.start("w").seed());
    assertThat(shell.state.eventCount()).isEqualTo(1);
    assertThat(shell.state.openOperations()).isEmpty();
    shell.recover();
    assertThat(shell.state.operation(new OperationId("a#1"))).isPresent();
    shell.succeed("a#1", "2");
    shell.recover();
    shell.succeed("a#1", "3");
    assertThat(shell.state.status()).isEqualTo(Status.COMPLETED);
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
    assertThat(again.runId()).isEqualTo(shell.state.start().runId());
  }

  @Test
  void attributesAndWhatWasConsumedGoOver() {
    Shell shell = Shell.started(seq(op("s", new SignalWait("go", Optional.empty())), A));
    shell.signal("go", 7);
    after(shell, new Wish.SetAttributes(Map.of("n", Attribute.of(1))), next());
    assertThat(shell.state.attributes()).containsEntry("n", Attribute.of(1));
    assertThat(shell.state.consumedSignals()).containsEntry("go", 7L);
    assertThat(shell.state.start().input()).isEqualTo(NEXT);
    shell.signal("go", 7);
    assertThat(shell.events(Event.SignalConsumed.class)).hasSize(1);
  }

  @Test
  void theNextRunMayBeOneOfAnotherVersion() {
    Shell shell = Shell.started(A);
    after(shell, new Wish.ContinueAsNew(NEXT, Optional.of(9)));
    assertThat(shell.state.start().type().version()).isEqualTo(9);
  }

  @Test
  void whoWasAskedToStopDoesNotGoOnAsNew() {
    Shell shell = Shell.started(A);
    shell.tell(new Command.Several(java.util.List.of(new Command.Cancel("stop"))));
    Shell other = Shell.started(A);
    Command.Cancel cancel = new Command.Cancel("stop");
    other.admit(cancel);
    other.commit(cancel, Wishes.of(next()));
    assertThat(other.state.status()).isEqualTo(Status.CANCELLED);
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
    assertThat(shell.state.openOperations())
        .singleElement()
        .satisfies(
            left ->
                assertThat(((OperationSpec.Message) left.spec()).content())
                    .isInstanceOf(Content.Cancel.class));
    assertThat(shell.state.semaphore().open()).isEqualTo(2);
  }

  @Test
  void whatMustBeDeliveredGoesOverUnderItsOldName() {
    OperationSpec.Message message =
        new OperationSpec.Message(WorkflowId.of("x"), new Content.Signal("go", Payload.NONE));
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
    assertThat(shell.state.openOperations()).hasSize(1);
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
    assertThat(shell.state.status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void updatesThatWereAnsweredKeepTheirAnswersAndOthersMayComeAgain() {
    Shell shell = Shell.started(seq(new Script.Part.AnswerUpdate(), A));
    Command.Update u1 = new Command.Update("u1", "set", Script.text("good"));
    Command.Update u2 = new Command.Update("u2", "set", Script.text("good"));
    Reply first = shell.tell(u1);
    shell.tell(u2);
    after(shell, next());
    assertThat(shell.effects(Effect.AnswerUpdate.class)).hasSize(2);
    shell.changeCode(() -> new Script(new Script.Part.AnswerUpdate()));
    shell.recover();
    assertThat(shell.tell(u1)).isEqualTo(first);
    assertThat(shell.tell(u2)).isInstanceOf(Reply.UpdateAnswered.class);
    assertThat(shell.events(Event.UpdateAdmitted.class)).hasSize(3);
  }

  @Test
  void aPauseHoldsWhatFollowsToo() {
    Shell shell = Shell.started(A);
    Command both =
        new Command.Several(
            java.util.List.of(
                new Command.AttemptEnded(OperationId.of("", "a", 1), 1, Outcome.DONE),
                new Command.Pause("wait")));
    shell.admit(both);
    shell.commit(both, Wishes.of(next()));
    assertThat(shell.state.pauseReason()).contains("wait");
    assertThat(shell.lastCommit()).endsWith(shell.events(Event.Paused.class).getLast());
  }
}
