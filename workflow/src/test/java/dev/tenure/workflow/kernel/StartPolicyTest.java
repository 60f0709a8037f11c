package dev.tenure.workflow.kernel;

import static dev.tenure.workflow.kernel.Script.op;
import static dev.tenure.workflow.kernel.Script.par;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.workflow.ParentClosePolicy;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.StartPolicy;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.audit.HistoryAudit;
import dev.tenure.workflow.audit.Violation;
import dev.tenure.workflow.operation.MessageContent;
import dev.tenure.workflow.operation.MessageGuid;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.OperationSpec.SignalWait;
import dev.tenure.workflow.operation.OperationSpec.Step;
import dev.tenure.workflow.operation.Outcome;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One start after another, under one id. */
class StartPolicyTest {
  private static final Script.Part A = op("a", Step.DEFAULT);
  private static final OperationId CHILD = new OperationId("c#1");

  private static Reply again(Shell shell, String request, StartPolicy policy) {
    return shell.tell(new Command.StartWorkflow(Shell.startAgain("w", request), policy));
  }

  private static void audit(Shell shell) {
    HistoryAudit audit = new HistoryAudit("w");
    shell.history.forEach(audit::commit);
  }

  @ParameterizedTest
  @EnumSource(
      value = StartPolicy.class,
      names = {"REJECT_DUPLICATE", "ALLOW_IF_CLOSED"})
  void aWorkflowThatRunsKeepsItsId(StartPolicy policy) {
    Shell shell = Shell.started(A);
    Reply reply = again(shell, "2", policy);
    assertThat(reply)
        .isEqualTo(new Reply.AlreadyStarted(WorkflowId.of("w"), "run-w", Status.RUNNING, false));
    assertThat(shell.history).hasSize(1);
  }

  @Test
  void aWorkflowThatHasEndedKeepsItsIdUnlessAskedOtherwise() {
    Shell shell = Shell.started(A);
    shell.succeed("a#1", "1");
    assertThat(again(shell, "2", StartPolicy.REJECT_DUPLICATE))
        .isInstanceOf(Reply.AlreadyStarted.class);
    assertThat(shell.state().status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void aNewRunFollowsOneThatHasEnded() {
    Shell shell = Shell.started(A);
    shell.succeed("a#1", "1");
    assertThat(again(shell, "2", StartPolicy.ALLOW_IF_CLOSED))
        .isEqualTo(new Reply.Started(WorkflowId.of("w"), "run-w-2"));
    assertThat(shell.lastCommit()).hasExactlyElementsOfTypes(Event.StartedAgain.class);
    assertThat(shell.state().outcome()).isEmpty();
    assertThat(shell.state().eventCount()).as("it begins a history of its own").isEqualTo(1);
    shell.recover();
    shell.succeed("a#1", "2");
    assertThat(shell.result()).isEqualTo("a#1=2;");
    audit(shell);
  }

  @Test
  void oneCommitEndsARunAndBeginsTheNext() {
    Shell shell = Shell.started(A);
    again(shell, "2", StartPolicy.TERMINATE_IF_RUNNING);
    assertThat(shell.lastCommit())
        .hasExactlyElementsOfTypes(
            Event.Abandoned.class, Event.Ended.class, Event.StartedAgain.class);
    assertThat(shell.effects(Effect.AnnounceEnd.class))
        .singleElement()
        .satisfies(end -> assertThat(end.status()).isEqualTo(Status.TERMINATED));
    assertThat(shell.state().start().runId()).isEqualTo("run-w-2");
    shell.recover();
    shell.succeed("a#1", "2");
    assertThat(shell.result()).isEqualTo("a#1=2;");
    audit(shell);
  }

  @ParameterizedTest
  @ValueSource(strings = {"paused", "blocked", "incident"})
  void whateverHoldsAWorkflowIsOverWithItsRun(String held) {
    Shell shell = Shell.started(A);
    shell.tell(
        switch (held) {
          case "paused" -> new Command.Pause("look");
          case "blocked" -> new Command.Block("no code");
          default -> new Command.RaiseIncident(new Incident.Other("test", "look"));
        });
    assertThat(again(shell, "2", StartPolicy.ALLOW_IF_CLOSED))
        .isInstanceOf(Reply.AlreadyStarted.class);
    assertThat(again(shell, "2", StartPolicy.TERMINATE_IF_RUNNING))
        .isInstanceOf(Reply.Started.class);
    assertThat(shell.state().isHeld()).isFalse();
    shell.recover();
    shell.succeed("a#1", "2");
    assertThat(shell.state().status()).isEqualTo(Status.COMPLETED);
    audit(shell);
  }

  @Test
  void aStartThatIsRepeatedIsAnsweredWithItsOwnRunAlsoWhenAnotherFollowed() {
    Shell shell = Shell.started(A);
    again(shell, "2", StartPolicy.TERMINATE_IF_RUNNING);
    again(shell, "3", StartPolicy.TERMINATE_IF_RUNNING);
    shell.recover();
    int commits = shell.history.size();
    for (StartPolicy policy : StartPolicy.values()) {
      assertThat(shell.tell(new Command.StartWorkflow(Shell.start("w"), policy)))
          .isEqualTo(new Reply.AlreadyStarted(WorkflowId.of("w"), "run-w", Status.RUNNING, true));
      assertThat(((Reply.AlreadyStarted) again(shell, "2", policy)).runId()).isEqualTo("run-w-2");
      assertThat(((Reply.AlreadyStarted) again(shell, "3", policy)).runId()).isEqualTo("run-w-3");
    }
    assertThat(shell.history).hasSize(commits);
  }

  @Test
  void theNewestEarlierStartsAreRecognised() {
    Shell shell = Shell.started(A);
    for (int i = 0; i <= Limits.EARLIER_STARTS_MAX; i++)
      again(shell, "n" + i, StartPolicy.TERMINATE_IF_RUNNING);
    assertThat(shell.state().start().earlier()).hasSize(Limits.EARLIER_STARTS_MAX);
    assertThat(
            ((Reply.AlreadyStarted) again(shell, "n0", StartPolicy.TERMINATE_IF_RUNNING)).runId())
        .isEqualTo("run-w-n0");
  }

  /** The audit allows for the kernel's limit, and finds a kernel that forgets a start before. */
  @Test
  void aStartThatIsDroppedCountsAsNewAndOneThatIsForgottenIsFound() {
    Shell shell = new Shell(Kernel.standard(keeping(1)), () -> new Script(A));
    shell.tell(new Command.StartWorkflow(Shell.start("w")));
    again(shell, "2", StartPolicy.TERMINATE_IF_RUNNING);
    again(shell, "3", StartPolicy.TERMINATE_IF_RUNNING);
    assertThat(
            shell.tell(
                new Command.StartWorkflow(Shell.start("w"), StartPolicy.TERMINATE_IF_RUNNING)))
        .isInstanceOf(Reply.Started.class);

    HistoryAudit same = new HistoryAudit("w", keeping(1));
    shell.history.forEach(same::commit);
    HistoryAudit larger = new HistoryAudit("w", keeping(2));
    assertThatThrownBy(() -> shell.history.forEach(larger::commit))
        .isInstanceOf(Violation.class)
        .hasMessageContaining("I5")
        .hasMessageContaining("one start begins two runs");
  }

  private static KernelLimits keeping(int earlierStarts) {
    KernelLimits usual = KernelLimits.DEFAULT;
    return new KernelLimits(
        usual.openOperations(),
        usual.pendingUpdates(),
        usual.updateAnswerBytes(),
        usual.signalNames(),
        usual.duePerCommit(),
        usual.dueBytesPerCommit(),
        usual.carriedAnswersBytes(),
        usual.carriedUpdatesBytes(),
        earlierStarts,
        usual.openBytes(),
        usual.carriedBytes());
  }

  @Test
  void aParentLearnsThatItsChildWasReplaced() {
    Origin origin =
        new Origin(WorkflowId.of("parent"), new OperationId("c#1"), new MessageGuid("guid"));
    Shell shell = new Shell(A);
    shell.tell(new Command.StartWorkflow(Shell.start("w", Optional.of(origin), Optional.empty())));
    again(shell, "2", StartPolicy.TERMINATE_IF_RUNNING);
    // Nobody sends it before the next owner, who finds it among what the run left.
    assertThat(shell.effects(Effect.Send.class)).isEmpty();
    shell.recover();
    Effect.Send report = shell.effects(Effect.Send.class).getFirst();
    MessageContent.ChildEnded ended = (MessageContent.ChildEnded) report.spec().content();
    assertThat(ended.outcome()).isInstanceOf(Outcome.Terminated.class);
    assertThat(ended.started()).contains(origin.guid());
    shell.tell(new Command.MessageAcknowledged(report.operation(), Outcome.DONE));
    shell.succeed("a#1", "2");
    audit(shell);
  }

  @Test
  void whatAnEndedRunHasNotDeliveredIsDeliveredByTheNext() {
    OperationSpec.Message message =
        new OperationSpec.Message(
            WorkflowId.of("x"), new MessageContent.Signal("go", Payload.NONE));
    Shell shell = Shell.started(par(A, op("tell", message)));
    Effect.Send first = shell.effects(Effect.Send.class).getFirst();
    shell.tell(new Command.Terminate("enough"));
    assertThat(shell.state().phase().isOver()).isTrue();
    shell.effects.clear();
    shell.changeCode(() -> new Script(A));
    again(shell, "2", StartPolicy.ALLOW_IF_CLOSED);
    shell.recover();
    assertThat(shell.effects(Effect.Send.class))
        .singleElement()
        .satisfies(sent -> assertThat(sent.guid()).isEqualTo(first.guid()));
    audit(shell);
  }

  @Test
  void aParentThatEndsDoesNotTouchARunThatTookItsChildsPlace() {
    OperationSpec.Child spec = ChildrenTest.spec("child", ParentClosePolicy.TERMINATE);
    Shell parent = Shell.started(op("c", spec));
    Origin origin = parent.effects(Effect.StartChild.class).getFirst().origin();
    parent.tell(new Command.ChildAcknowledged(CHILD));
    parent.tell(new Command.Terminate("enough"));
    MessageContent.Terminate farewell =
        (MessageContent.Terminate) parent.effects(Effect.Send.class).getFirst().spec().content();

    Shell child = new Shell(A);
    child.tell(new Command.StartWorkflow(Shell.start("w", Optional.of(origin), Optional.empty())));
    again(child, "2", StartPolicy.TERMINATE_IF_RUNNING);
    assertThat(child.tell(new Command.Terminate(farewell.reason(), farewell.child())))
        .isInstanceOf(Reply.AlreadyDone.class);
    assertThat(child.tell(new Command.Cancel(farewell.reason(), farewell.child())))
        .isInstanceOf(Reply.AlreadyDone.class);
    assertThat(child.state().phase().isOver()).isFalse();
  }

  @Test
  void aChildThatTheParentMeansIsEndedWithIt() {
    Shell parent = Shell.started(op("c", ChildrenTest.spec("child", ParentClosePolicy.TERMINATE)));
    Origin origin = parent.effects(Effect.StartChild.class).getFirst().origin();
    Shell child = new Shell(A);
    child.tell(new Command.StartWorkflow(Shell.start("w", Optional.of(origin), Optional.empty())));
    child.tell(new Command.Terminate("Its parent ended.", Optional.of(origin.guid())));
    assertThat(child.state().status()).isEqualTo(Status.TERMINATED);
  }

  @Test
  void resultsOfTheRunBeforeAreNotTakenForThisRuns() {
    Shell shell = Shell.started(op("c", ChildrenTest.spec("child", ParentClosePolicy.ABANDON)));
    Effect.StartChild old = shell.effects(Effect.StartChild.class).getFirst();
    shell.tell(new Command.ChildAcknowledged(CHILD));
    again(shell, "2", StartPolicy.TERMINATE_IF_RUNNING);
    shell.recover();
    assertThat(
            shell.tell(
                new Command.ChildEnded(CHILD, Outcome.DONE, Optional.of(old.origin().guid()))))
        .isInstanceOf(Reply.NotOpen.class);
  }

  @Test
  void updatesOfTheRunBeforeKeepTheirAnswers() {
    Shell shell = Shell.started(par(new Script.Part.AnswerUpdate(), A));
    Command.Update update = new Command.Update("u1", "set", Script.text("good"));
    Reply first = shell.tell(update);
    again(shell, "2", StartPolicy.TERMINATE_IF_RUNNING);
    shell.recover();
    assertThat(shell.tell(update)).isEqualTo(first);
    audit(shell);
  }

  @Test
  void theNewRunWaitsForSignalsOfItsOwn() {
    Shell shell = Shell.started(op("s", new SignalWait("go", Optional.empty())));
    shell.signal("go", 7);
    again(shell, "2", StartPolicy.ALLOW_IF_CLOSED);
    shell.recover();
    assertThat(shell.state().consumedSignals()).isEmpty();
    shell.signal("go", 9);
    assertThat(shell.state().status()).isEqualTo(Status.COMPLETED);
    audit(shell);
  }

  @Test
  void whatIsWrongWithAStartLeavesTheRunAlone() {
    Shell shell = Shell.started(A);
    Start tooLarge =
        new Start(
            WorkflowId.of("w"),
            "run-2",
            shell.state().start().type(),
            Payload.of(new byte[Limits.PAYLOAD_BYTES_MAX + 1]),
            1,
            Optional.of("large"),
            Optional.empty(),
            Optional.empty(),
            java.util.Map.of());
    assertThat(shell.tell(new Command.StartWorkflow(tooLarge, StartPolicy.TERMINATE_IF_RUNNING)))
        .isInstanceOf(Reply.LimitReached.class);
    assertThat(shell.state().status()).isEqualTo(Status.RUNNING);
    assertThat(shell.events(Event.Ended.class)).isEqualTo(List.of());
  }
}
