package dev.tenure.workflow.kernel;

import static dev.tenure.workflow.kernel.Script.op;
import static dev.tenure.workflow.kernel.Script.par;
import static dev.tenure.workflow.kernel.Script.race;
import static dev.tenure.workflow.kernel.Script.seq;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.ParentClosePolicy;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.audit.HistoryAudit;
import dev.tenure.workflow.lifecycle.WorkflowPhase;
import dev.tenure.workflow.operation.MessageContent;
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

/** What a fork has of the workflow that it was forked from, and what it asks for anew. */
class ForkHistoryTest {
  private static final OperationId CHILD = new OperationId("child#1");
  private static final Script.Part A = op("a", Step.DEFAULT);
  private static final Script.Part B = op("b", Step.DEFAULT);
  private static final Script.Part C = op("c", Step.DEFAULT);
  private static final SignalWait WAIT = new SignalWait("go", Optional.empty());
  private static final Script.Part GO = op("go", WAIT);
  private static final Script.Part STARTED = new Script.Part.AwaitStarted(CHILD);

  private static Script.Part child(ParentClosePolicy policy) {
    return ChildrenTest.child("c", policy);
  }

  /** Its code waits until its child exists before it goes on; the child is open at the fork. */
  private static Script.Part waitsForTheStart(ParentClosePolicy policy) {
    return par(child(policy), seq(STARTED, A, B));
  }

  private static Shell source(Script.Part main) {
    return Shell.started(main);
  }

  /** A workflow under the id "f", as its first owner has it once its code is there. */
  private static Shell fork(Shell source, String operation, Script.Part main) {
    return fork(source, "f", operation, main);
  }

  private static Shell fork(Shell source, String id, String operation, Script.Part main) {
    OperationId from = new OperationId(operation);
    Start start = source.state().start();
    var origin = new Fork.Source(start.id(), start.runId(), source.history.size(), from);
    List<Event> events =
        Fork.of(source.newestRun(), Shell.start(id), origin, source.now).orElseThrow();
    Shell fork = new Shell(main);
    HistoryAudit audit = new HistoryAudit(id);
    fork.journal.onCommit = audit::commit;
    fork.tell(new Command.ForkWorkflow(events));
    recover(fork);
    return fork;
  }

  /** As any owner does it; its code has to fit what is on record. */
  private static void recover(Shell shell) {
    shell.recover();
    assertThat(shell.state().incident()).isEmpty();
  }

  private static Shell sourceWhoseChildHasStarted(ParentClosePolicy policy) {
    Shell source = source(waitsForTheStart(policy));
    source.tell(new Command.ChildAcknowledged(CHILD));
    source.succeed("a#1", "a");
    return source;
  }

  @ParameterizedTest
  @EnumSource
  void codeThatSawItsChildStartGoesOnAndStartsAChildOfItsOwn(ParentClosePolicy policy) {
    Shell fork = fork(sourceWhoseChildHasStarted(policy), "b#1", waitsForTheStart(policy));
    assertThat(fork.effects(Effect.StartChild.class))
        .singleElement()
        .satisfies(
            start -> {
              assertThat(start.operation()).isEqualTo(CHILD);
              assertThat(start.origin().parent()).isEqualTo(WorkflowId.of("f"));
            });
    assertThat(fork.effects(Effect.RunStep.class))
        .extracting(Effect.RunStep::operation)
        .containsExactly(new OperationId("b#1"));
    recover(fork);
    fork.tell(new Command.ChildAcknowledged(CHILD));
    recover(fork);
    fork.succeed("b#1", "b");
    assertThat(fork.state().phase()).as("it waits for its own child").isEqualTo(WorkflowPhase.LIVE);
    recover(fork);
    fork.tell(new Command.ChildEnded(CHILD, new Outcome.Succeeded(Script.text("own"))));
    assertThat(fork.result()).isEqualTo("a#1=a;b#1=b;child#1=own;");
    assertThat(fork.state().phase()).isEqualTo(WorkflowPhase.CLOSED);
    assertThat(fork.state().semaphore().open()).isZero();
    recover(fork);
  }

  @Test
  void theEndOfAForkSaysNothingToAChildOfItsSource() {
    Shell source = sourceWhoseChildHasStarted(ParentClosePolicy.TERMINATE);
    Shell fork = fork(source, "b#1", seq(STARTED, A, B));
    fork.tell(new Command.Terminate("enough"));
    assertThat(fork.state().phase()).as("it has no child").isEqualTo(WorkflowPhase.CLOSED);
    assertThat(fork.effects(Effect.Send.class)).isEmpty();
  }

  /** Its id is the one that the source's child has. */
  @Test
  void aForkWhoseChildCannotBeStartedLearnsThat() {
    Shell source = sourceWhoseChildHasStarted(ParentClosePolicy.TERMINATE);
    Shell fork = fork(source, "b#1", waitsForTheStart(ParentClosePolicy.TERMINATE));
    Failure taken = Failure.permanent(Failure.UNDELIVERABLE, "Another workflow has the id.");
    fork.tell(new Command.ChildEnded(CHILD, new Outcome.Failed(taken)));
    assertThat(fork.state().outcome()).contains(new Outcome.Failed(taken));
    assertThat(fork.state().phase()).isEqualTo(WorkflowPhase.CLOSED);
    assertThat(fork.effects(Effect.Send.class)).isEmpty();
  }

  @Test
  void aForkCanBeForkedWhileItsOwnChildIsOpenAndAfterwards() {
    Script.Part main =
        par(child(ParentClosePolicy.TERMINATE), seq(STARTED, A, B, op("d", Step.DEFAULT)));
    Shell source = source(main);
    source.tell(new Command.ChildAcknowledged(CHILD));
    source.succeed("a#1", "a");
    Shell fork = fork(source, "b#1", main);
    fork.succeed("b#1", "b");
    Shell beforeTheStart = fork(fork, "g", "d#1", main);
    fork.tell(new Command.ChildAcknowledged(CHILD));
    Shell started = fork(fork, "h", "d#1", main);
    for (Shell next : List.of(beforeTheStart, started)) {
      assertThat(next.effects(Effect.StartChild.class)).hasSize(1);
      next.tell(new Command.ChildAcknowledged(CHILD));
      next.tell(new Command.ChildEnded(CHILD, new Outcome.Succeeded(Script.text("own"))));
      next.succeed("d#1", "d");
      assertThat(next.result()).isEqualTo("a#1=a;b#1=b;child#1=own;d#1=d;");
      recover(next);
    }
    Shell again = fork(started, "i", "b#1", main);
    again.succeed("b#1", "b2");
    assertThat(again.effects(Effect.StartChild.class)).hasSize(1);
    recover(again);
  }

  @Test
  void aForkAfterTheChildCameOutHasTheChildsResult() {
    Script.Part main = par(child(ParentClosePolicy.TERMINATE), seq(STARTED, A, B));
    Shell source = sourceWhoseChildHasStarted(ParentClosePolicy.TERMINATE);
    Shell first = fork(source, "b#1", main);
    first.tell(new Command.ChildAcknowledged(CHILD));
    first.tell(new Command.ChildEnded(CHILD, new Outcome.Succeeded(Script.text("own"))));
    first.succeed("b#1", "b");
    Script.Part longer = seq(main, C, op("d", Step.DEFAULT));
    Shell second = source(longer);
    second.tell(new Command.ChildAcknowledged(CHILD));
    second.succeed("a#1", "a");
    second.succeed("b#1", "b");
    second.tell(new Command.ChildEnded(CHILD, new Outcome.Succeeded(Script.text("r"))));
    second.succeed("c#1", "c");
    Shell fork = fork(second, "d#1", longer);
    assertThat(fork.effects(Effect.StartChild.class)).isEmpty();
    fork.succeed("d#1", "d");
    assertThat(fork.result()).isEqualTo("a#1=a;b#1=b;child#1=r;c#1=c;d#1=d;");
  }

  /** The code gave the child up before anybody knew whether it exists. */
  @ParameterizedTest
  @EnumSource
  void aChildThatTheSourceHadLetGoIsOverInTheFork(ParentClosePolicy policy) {
    Script.Part main = seq(race(child(policy), A), B, C);
    Shell source = source(main);
    source.succeed("a#1", "a");
    source.succeed("b#1", "b");
    Shell before = fork(source, "c#1", main);
    source.tell(new Command.ChildAcknowledged(CHILD));
    Shell after = fork(source, "c#1", main);
    for (Shell fork : List.of(before, after)) {
      assertThat(fork.effects(Effect.StartChild.class)).isEmpty();
      assertThat(fork.effects(Effect.Send.class)).isEmpty();
      assertThat(fork.state().hasNoChild(CHILD)).isTrue();
      recover(fork);
      fork.succeed("c#1", "c");
      assertThat(fork.result()).isEqualTo("a#1=a;b#1=b;c#1=c;");
      assertThat(fork.state().phase()).isEqualTo(WorkflowPhase.CLOSED);
      assertThat(fork.effects(Effect.Send.class)).isEmpty();
    }
  }

  /** The source still delivers it. */
  @Test
  void aMessageThatTheSourceHadLetGoIsNotSentAgain() {
    OperationSpec message =
        new OperationSpec.Message(
            WorkflowId.of("other"), new MessageContent.Signal("go", Script.text("x")));
    Script.Part main = seq(race(op("m", message), A), B);
    Shell source = source(main);
    source.succeed("a#1", "a");
    Shell fork = fork(source, "b#1", main);
    assertThat(fork.effects(Effect.Send.class)).isEmpty();
    fork.succeed("b#1", "b");
    assertThat(fork.state().phase()).isEqualTo(WorkflowPhase.CLOSED);
  }

  /** The fork's program learns when the signal came and how large it was, and of no operation. */
  private static void requireCopyOfWhatWasNotReceived(Shell fork) {
    Event.SourceSignalNotReceived copy =
        fork.events(Event.SourceSignalNotReceived.class).getFirst();
    Command.Arrival arrival = Shell.arrival("go", 1);
    assertThat(copy.operation()).isEqualTo(new OperationId("go#1"));
    assertThat(copy.bytes()).isEqualTo(arrival.payload().size()).isPositive();
    assertThat(News.of(copy))
        .containsExactly(
            new News.SignalNotReceived(copy.at(), copy.operation(), arrival.payload().size()));
    assertThat(fork.events(Event.ValueRecorded.class)).isEmpty();
  }

  /** The signal came in the commit in which the code went another way. */
  @Test
  void aSignalThatWasGivenBackBeforeTheOperationWasNotReceived() {
    Script.Part main = seq(race(GO, A), B, GO);
    Shell source = source(main);
    source.tell(
        new Command.Several(
            List.of(
                new Command.AttemptEnded(
                    new OperationId("a#1"), 1, new Outcome.Succeeded(Script.text("a"))),
                new Command.Signals(List.of(Shell.arrival("go", 1))))));
    assertThat(source.events(Event.SignalReturned.class)).hasSize(1);
    Shell fork = fork(source, "b#1", main);
    assertThat(fork.events(Event.Completed.class))
        .extracting(Event.Completed::operation)
        .doesNotContain(new OperationId("go#1"));
    requireCopyOfWhatWasNotReceived(fork);
    recover(fork);
    fork.succeed("b#1", "b");
    fork.signal("go", 1);
    assertThat(fork.result()).isEqualTo("a#1=a;b#1=b;go#2=s1;");
    recover(fork);
  }

  /**
   * At the operation the wait was over, and the code did not know it; later it gave the wait up.
   */
  @Test
  void aSignalThatWasGivenBackAfterTheOperationWasNotReceivedBeforeIt() {
    OperationId go = new OperationId("go#1");
    Shell source = source(par(GO, seq(A, B)));
    Command signal = new Command.Signals(List.of(Shell.arrival("go", 1)));
    source.commit(signal, Wishes.NONE);
    source.succeed("a#1", "a");
    Command failed =
        new Command.AttemptEnded(
            new OperationId("b#1"), 1, new Outcome.Succeeded(Script.text("b")));
    source.commit(failed, new Wishes(List.of(new Wish.GiveBack(go, Shell.arrival("go", 1)))));
    Shell fork = fork(source, "b#1", par(GO, seq(A, B)));
    assertThat(fork.state().operation(go)).as("it waits for signals of its own").isPresent();
    assertThat(fork.effects(Effect.LookForSignal.class)).hasSize(1);
    requireCopyOfWhatWasNotReceived(fork);
    fork.signal("go", 1);
    fork.succeed("b#1", "own");
    assertThat(fork.result()).isEqualTo("a#1=a;go#1=s1;b#1=own;");
  }

  @Test
  void aSignalThatTheSourceReceivedIsPartOfTheCopy() {
    Script.Part main = seq(GO, A, B);
    Shell source = source(main);
    source.signal("go", 7);
    source.succeed("a#1", "a");
    Shell fork = fork(source, "b#1", main);
    fork.succeed("b#1", "b");
    assertThat(fork.result()).isEqualTo("go#1=s7;a#1=a;b#1=b;");
  }
}
