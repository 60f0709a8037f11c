package dev.tenure.workflow.kernel;

import static dev.tenure.workflow.kernel.Script.op;
import static dev.tenure.workflow.kernel.Script.race;
import static dev.tenure.workflow.kernel.Script.seq;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.ParentClosePolicy;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.lifecycle.OperationPhase;
import dev.tenure.workflow.lifecycle.WorkflowPhase;
import dev.tenure.workflow.operation.MessageContent;
import dev.tenure.workflow.operation.MessageGuid;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.OperationSpec.SignalWait;
import dev.tenure.workflow.operation.OperationSpec.Step;
import dev.tenure.workflow.operation.Outcome;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ChildrenTest {
  private static final OperationId CHILD = new OperationId("child#1");
  private static final Script.Part GO = op("go", new SignalWait("go", Optional.empty()));

  static Script.Part child(String id, ParentClosePolicy policy) {
    return op("child", spec(id, policy));
  }

  static OperationSpec.Child spec(String id, ParentClosePolicy policy) {
    return new OperationSpec.Child(
        WorkflowId.of(id),
        "script",
        Optional.empty(),
        Payload.NONE,
        policy,
        Optional.empty(),
        Map.of());
  }

  private static Shell child(Origin origin) {
    Shell shell = new Shell(op("a", Step.DEFAULT));
    shell.tell(new Command.StartWorkflow(Shell.start("c", Optional.of(origin), Optional.empty())));
    return shell;
  }

  @Test
  void aParentKeepsSendingUntilTheChildIsKnownToExist() {
    Shell parent = Shell.started(child("c", ParentClosePolicy.TERMINATE));
    assertThat(parent.state().wakeAt()).isEqualTo(Wake.NOW);
    Effect.StartChild sent = parent.effects(Effect.StartChild.class).getFirst();
    parent.recover();
    assertThat(parent.effects(Effect.StartChild.class))
        .as("the same message, by its GUID")
        .containsExactly(sent);
    parent.tell(new Command.ChildAcknowledged(CHILD));
    assertThat(parent.state().status()).isEqualTo(Status.WAITING);
    assertThat(parent.state().wakeAt()).isEqualTo(Wake.NEVER);
    parent.recover();
    assertThat(parent.effects(Effect.StartChild.class)).isEmpty();
    parent.tell(new Command.ChildEnded(CHILD, new Outcome.Succeeded(Script.text("r"))));
    assertThat(parent.result()).isEqualTo("child#1=r;");
  }

  @Test
  void aRepeatedStartOfTheSameParentIsTheSameStart() {
    Origin origin = new Origin(WorkflowId.of("p"), CHILD, new MessageGuid("g"));
    Shell child = child(origin);
    Start again = child.state().start();
    Reply.AlreadyStarted same = (Reply.AlreadyStarted) child.tell(new Command.StartWorkflow(again));
    assertThat(same.sameRequest()).isTrue();
    Reply.AlreadyStarted other =
        (Reply.AlreadyStarted) child.tell(new Command.StartWorkflow(Shell.start("c")));
    assertThat(other.sameRequest()).isFalse();
    assertThat(child.history).hasSize(1);
  }

  @Test
  void aChildClosesOnlyWhenItsParentKnowsHowItCameOut() {
    Origin origin = new Origin(WorkflowId.of("p"), CHILD, new MessageGuid("g"));
    Shell child = child(origin);
    child.succeed("a#1", "r");
    assertThat(child.state().status()).isEqualTo(Status.COMPLETED);
    assertThat(child.state().phase()).isEqualTo(WorkflowPhase.ENDED);
    assertThat(child.state().wakeAt()).isEqualTo(Wake.NOW);
    child.recover();
    Effect.Send report = child.effects(Effect.Send.class).getFirst();
    assertThat(report.spec().target()).isEqualTo(WorkflowId.of("p"));
    assertThat(report.spec().content())
        .isEqualTo(
            new MessageContent.ChildEnded(
                CHILD,
                child.state().outcome().orElseThrow(),
                child.state().start().origin().map(Origin::guid)));
    child.tell(new Command.MessageAcknowledged(report.operation(), Outcome.DONE));
    assertThat(child.state().phase()).isEqualTo(WorkflowPhase.CLOSED);
    assertThat(child.events(Event.Closed.class)).hasSize(1);
    Digits closer = child.events(Event.Ended.class).getFirst().digits();
    assertThat(closer.guid()).as("the job is closed by its end").hasToString("000111100000001");
    assertThat(closer.activity()).hasToString("201100000000001");
    Digits delivered = child.events(Event.Completed.class).getLast().digits();
    assertThat(delivered.guid()).as("the report is no activity").hasToString("000010000000001");
    assertThat(delivered.semaphore()).isEqualTo(closer.semaphore());
    assertThat(child.tell(new Command.MessageAcknowledged(report.operation(), Outcome.DONE)))
        .isInstanceOf(Reply.NotOpen.class);
  }

  @Test
  void aChildWhoseParentIsGoneClosesAllTheSame() {
    Origin origin = new Origin(WorkflowId.of("p"), CHILD, new MessageGuid("g"));
    Shell child = child(origin);
    child.succeed("a#1", "r");
    Failure gone = Failure.permanent(Failure.UNDELIVERABLE, "There is no workflow p.");
    OperationId report = child.effects(Effect.Send.class).getFirst().operation();
    child.tell(new Command.MessageAcknowledged(report, new Outcome.Failed(gone)));
    assertThat(child.state().phase()).isEqualTo(WorkflowPhase.CLOSED);
  }

  @Test
  void aResultMayComeBeforeTheAcknowledgementAndTwice() {
    Shell parent = Shell.started(child("c", ParentClosePolicy.TERMINATE));
    parent.tell(new Command.ChildEnded(CHILD, new Outcome.Succeeded(Script.text("r"))));
    assertThat(parent.result()).isEqualTo("child#1=r;");
    assertThat(parent.tell(new Command.ChildAcknowledged(CHILD))).isInstanceOf(Reply.NotOpen.class);
    assertThat(parent.tell(new Command.ChildEnded(CHILD, Outcome.DONE)))
        .isInstanceOf(Reply.NotOpen.class);
  }

  @ParameterizedTest
  @EnumSource
  void aParentThatEndsTellsAChildThatRuns(ParentClosePolicy policy) {
    Shell parent = Shell.started(race(child("c", policy), GO));
    parent.tell(new Command.ChildAcknowledged(CHILD));
    parent.tell(new Command.Terminate("enough"));
    assertThat(parent.state().status()).isEqualTo(Status.TERMINATED);
    if (policy == ParentClosePolicy.ABANDON) {
      assertThat(parent.state().phase()).isEqualTo(WorkflowPhase.CLOSED);
      assertThat(parent.effects(Effect.Send.class)).isEmpty();
      return;
    }
    assertThat(parent.state().phase()).isEqualTo(WorkflowPhase.ENDED);
    Effect.Send told = parent.effects(Effect.Send.class).getFirst();
    assertThat(told.spec().target()).isEqualTo(WorkflowId.of("c"));
    assertThat(told.spec().content())
        .isInstanceOf(
            policy == ParentClosePolicy.TERMINATE
                ? MessageContent.Terminate.class
                : MessageContent.Cancel.class);
    parent.tell(new Command.MessageAcknowledged(told.operation(), Outcome.DONE));
    assertThat(parent.state().phase()).isEqualTo(WorkflowPhase.CLOSED);
  }

  @ParameterizedTest
  @EnumSource
  void whatAChildIsToldNeverOvertakesItsStart(ParentClosePolicy policy) {
    Shell parent = Shell.started(race(child("c", policy), GO));
    parent.tell(new Command.Terminate("enough"));
    assertThat(parent.effects(Effect.Send.class)).isEmpty();
    assertThat(parent.state().operation(CHILD).orElseThrow().phase())
        .isEqualTo(OperationPhase.LET_GO);
    parent.recover();
    assertThat(parent.effects(Effect.StartChild.class)).as("sent until acknowledged").hasSize(1);
    parent.tell(new Command.ChildAcknowledged(CHILD));
    if (policy != ParentClosePolicy.ABANDON) {
      Effect.Send told = parent.effects(Effect.Send.class).getFirst();
      parent.tell(new Command.MessageAcknowledged(told.operation(), Outcome.DONE));
    }
    assertThat(parent.state().phase()).isEqualTo(WorkflowPhase.CLOSED);
  }

  @Test
  void aChildThatCouldNotStartNeedsNoFarewell() {
    Shell parent = Shell.started(race(child("c", ParentClosePolicy.TERMINATE), GO));
    parent.tell(new Command.Terminate("enough"));
    Failure taken = Failure.permanent(Failure.UNDELIVERABLE, "The id is taken.");
    parent.tell(new Command.ChildEnded(CHILD, new Outcome.Failed(taken)));
    assertThat(parent.effects(Effect.Send.class)).isEmpty();
    assertThat(parent.state().phase()).isEqualTo(WorkflowPhase.CLOSED);
  }

  private static final Outcome TAKEN =
      new Outcome.Failed(Failure.permanent(Failure.UNDELIVERABLE, "The id is taken."));

  /** So that nothing that the code sends through its handle reaches whoever has the id. */
  @Test
  void aParentKnowsWhichChildItHasNotBecauseTheStartWasRefused() {
    Script.Part main = Script.par(child("c", ParentClosePolicy.TERMINATE), op("a", Step.DEFAULT));
    Shell refused = Shell.started(main);
    assertThat(refused.state().hasNoChild(CHILD)).isFalse();
    refused.tell(new Command.ChildEnded(CHILD, TAKEN));
    assertThat(refused.state().hasNoChild(CHILD)).isTrue();
    refused.recover();
    assertThat(refused.state().hasNoChild(CHILD)).isTrue();
    // The child itself may fail because it sent something to nobody.
    Shell failed = Shell.started(main);
    failed.tell(new Command.ChildAcknowledged(CHILD));
    failed.tell(new Command.ChildEnded(CHILD, TAKEN));
    assertThat(failed.state().hasNoChild(CHILD)).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void aChildThatWasGivenUpBeforeItsStartWasRefusedIsNone(ParentClosePolicy policy) {
    Script.Part main = seq(race(child("c", policy), GO), op("a", Step.DEFAULT));
    Shell refused = Shell.started(main);
    refused.signal("go", 1);
    refused.tell(new Command.ChildEnded(CHILD, TAKEN));
    assertThat(refused.state().hasNoChild(CHILD)).isTrue();
    Shell started = Shell.started(main);
    MessageGuid guid = started.effects(Effect.StartChild.class).getFirst().origin().guid();
    started.signal("go", 1);
    // Its end may be known before its start.
    started.tell(new Command.ChildEnded(CHILD, TAKEN, Optional.of(guid)));
    assertThat(started.state().hasNoChild(CHILD)).isFalse();
  }

  @Test
  void aChildNobodyWaitsForAnyMoreIsAskedToCancel() {
    Shell parent =
        Shell.started(
            seq(race(child("c", ParentClosePolicy.TERMINATE), GO), op("a", Step.DEFAULT)));
    parent.tell(new Command.ChildAcknowledged(CHILD));
    parent.signal("go", 1);
    Effect.Send told = parent.effects(Effect.Send.class).getFirst();
    assertThat(told.spec().content()).isInstanceOf(MessageContent.Cancel.class);
    assertThat(parent.state().semaphore().open()).as("run, a").isEqualTo(2);
    parent.tell(new Command.ChildEnded(CHILD, Outcome.DONE));
    assertThat(parent.state().semaphore().open()).as("run, a").isEqualTo(2);
    assertThat(parent.tell(new Command.ChildEnded(CHILD, Outcome.DONE)))
        .as("its end is no news any more")
        .isInstanceOf(Reply.NotOpen.class);
    parent.succeed("a#1", "");
    assertThat(parent.state().phase()).isEqualTo(WorkflowPhase.ENDED);
    parent.tell(new Command.MessageAcknowledged(told.operation(), Outcome.DONE));
    assertThat(parent.state().phase()).isEqualTo(WorkflowPhase.CLOSED);
  }

  /** One that heeds no cancellation, or needs long for it, does not outlive its parent. */
  @Test
  void aChildThatWasGivenUpIsTerminatedWhenItsParentEndsBeforeIt() {
    Shell parent =
        Shell.started(
            seq(race(child("c", ParentClosePolicy.TERMINATE), GO), op("a", Step.DEFAULT)));
    parent.tell(new Command.ChildAcknowledged(CHILD));
    parent.signal("go", 1);
    parent.recover();
    assertThat(parent.state().operation(CHILD).orElseThrow().phase())
        .isEqualTo(OperationPhase.GIVEN_UP);
    parent.succeed("a#1", "");
    assertThat(told(parent))
        .hasExactlyElementsOfTypes(MessageContent.Cancel.class, MessageContent.Terminate.class);
  }

  private static List<MessageContent> told(Shell parent) {
    return parent.events(Event.Scheduled.class).stream()
        .filter(e -> e.spec() instanceof OperationSpec.Message)
        .map(e -> ((OperationSpec.Message) e.spec()).content())
        .toList();
  }

  @Test
  void aChildThatIsGivenUpBeforeItIsKnownToExistIsCancelledAndThenTerminated() {
    Shell parent =
        Shell.started(
            seq(race(child("c", ParentClosePolicy.TERMINATE), GO), op("a", Step.DEFAULT)));
    parent.signal("go", 1);
    parent.tell(new Command.ChildAcknowledged(CHILD));
    assertThat(told(parent)).hasExactlyElementsOfTypes(MessageContent.Cancel.class);
    parent.succeed("a#1", "");
    assertThat(told(parent))
        .hasExactlyElementsOfTypes(MessageContent.Cancel.class, MessageContent.Terminate.class);
  }

  @Test
  void aChildWhoseStartIsOnItsWayIsTerminatedWhenItsParentIsOver() {
    Shell parent =
        Shell.started(
            seq(race(child("c", ParentClosePolicy.TERMINATE), GO), op("a", Step.DEFAULT)));
    parent.signal("go", 1);
    parent.succeed("a#1", "");
    assertThat(told(parent)).isEmpty();
    parent.tell(new Command.ChildAcknowledged(CHILD));
    assertThat(told(parent)).hasExactlyElementsOfTypes(MessageContent.Terminate.class);
  }

  /** Both in one commit: the parent's end says it all, and nothing can arrive in another order. */
  @Test
  void aParentThatEndsAsItGivesItsChildUpTerminatesIt() {
    Shell parent = Shell.started(race(child("c", ParentClosePolicy.TERMINATE), GO));
    parent.tell(new Command.ChildAcknowledged(CHILD));
    parent.signal("go", 1);
    assertThat(told(parent)).hasExactlyElementsOfTypes(MessageContent.Terminate.class);
  }

  @Test
  void aChildThatMayGoOnIsToldOnlyWhenTheCodeCancelsItItself() {
    for (boolean itself : new boolean[] {false, true}) {
      Shell parent =
          Shell.started(Script.par(child("c", ParentClosePolicy.ABANDON), op("a", Step.DEFAULT)));
      parent.tell(new Command.ChildAcknowledged(CHILD));
      Command done = new Command.AttemptEnded(new OperationId("a#1"), 1, Outcome.DONE);
      parent.commit(done, Wishes.of(new Wish.Abandon(CHILD, itself)));
      assertThat(told(parent)).hasSize(itself ? 1 : 0);
      assertThat(parent.state().operation(CHILD)).isEmpty();
    }
  }

  @Test
  void aMessageIsSentUntilItIsAcknowledgedAndItsFailureIsTheProgramsToHandle() {
    OperationSpec.Message message =
        new OperationSpec.Message(
            WorkflowId.of("other"), new MessageContent.Signal("hello", Script.text("x")));
    Shell shell = Shell.started(op("tell", message));
    assertThat(shell.state().wakeAt()).isEqualTo(Wake.NOW);
    Effect.Send sent = shell.effects(Effect.Send.class).getFirst();
    assertThat(sent.guid().value()).as("fits into a signal id").hasSize(64);
    shell.recover();
    assertThat(shell.effects(Effect.Send.class)).containsExactly(sent);
    Failure unknown = Failure.permanent(Failure.UNDELIVERABLE, "There is no workflow other.");
    shell.tell(new Command.MessageAcknowledged(sent.operation(), new Outcome.Failed(unknown)));
    assertThat(shell.state().outcome()).contains(new Outcome.Failed(unknown));
  }

  @Test
  void aMessageOnItsWayIsDeliveredThoughItsWorkflowEnded() {
    OperationSpec.Message message =
        new OperationSpec.Message(
            WorkflowId.of("other"), new MessageContent.Signal("hello", Script.text("x")));
    Shell shell = Shell.started(race(op("tell", message), GO));
    shell.signal("go", 1);
    assertThat(shell.state().status()).isEqualTo(Status.COMPLETED);
    assertThat(shell.state().phase()).isEqualTo(WorkflowPhase.ENDED);
    shell.recover();
    Effect.Send sent = shell.effects(Effect.Send.class).getFirst();
    shell.tell(new Command.MessageAcknowledged(sent.operation(), Outcome.DONE));
    assertThat(shell.state().phase()).isEqualTo(WorkflowPhase.CLOSED);
  }

  @Test
  void anOwnerThatTookOverAnIncidentDeliversWhatIsOpenWhenItEnds() {
    OperationSpec.Message message =
        new OperationSpec.Message(
            WorkflowId.of("other"), new MessageContent.Signal("hello", Script.text("x")));
    Shell shell = Shell.started(op("tell", message));
    Effect.Send sent = shell.effects(Effect.Send.class).getFirst();
    shell.tell(new Command.RaiseIncident(new Incident.Other("test", "look")));
    shell.recover();
    assertThat(shell.effects(Effect.Send.class)).as("nothing of it happens").isEmpty();
    shell.tell(new Command.Terminate("enough"));
    assertThat(shell.effects(Effect.Send.class)).containsExactly(sent);
    shell.tell(new Command.MessageAcknowledged(sent.operation(), Outcome.DONE));
    assertThat(shell.state().phase()).isEqualTo(WorkflowPhase.CLOSED);
  }

  @Test
  void aGuidIsTheSameForTheSameMessageOnly() {
    WorkflowId w = WorkflowId.of("w");
    MessageGuid guid = MessageGuid.of(w, "r", CHILD, 1);
    assertThat(MessageGuid.of(w, "r", CHILD, 1)).isEqualTo(guid);
    assertThat(MessageGuid.of(w, "r", CHILD, 2)).isNotEqualTo(guid);
    assertThat(MessageGuid.of(w, "r2", CHILD, 1)).isNotEqualTo(guid);
    assertThat(MessageGuid.of(WorkflowId.of("w2"), "r", CHILD, 1)).isNotEqualTo(guid);
    assertThat(MessageGuid.of(WorkflowId.of("wr"), "", CHILD, 1))
        .isNotEqualTo(MessageGuid.of(w, "r", CHILD, 1));
  }
}
