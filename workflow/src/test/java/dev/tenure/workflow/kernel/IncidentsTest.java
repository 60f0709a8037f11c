package dev.tenure.workflow.kernel;

import static dev.tenure.workflow.kernel.Script.op;
import static dev.tenure.workflow.kernel.Script.par;
import static dev.tenure.workflow.kernel.Script.seq;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.lifecycle.ImpossibleHistoryError;
import dev.tenure.workflow.operation.MessageContent;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationKind;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.OperationSpec.Step;
import dev.tenure.workflow.operation.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class IncidentsTest {
  private static final Script.Part A = op("a", Step.DEFAULT);
  private static final Script.Part B = op("b", Step.DEFAULT);
  private static final Script.Part C = op("c", Step.DEFAULT);

  private static Shell afterA(Script.Part rest, Script.Part newer) {
    Shell shell = Shell.started(seq(A, rest));
    shell.succeed("a#1", "1");
    shell.changeCode(() -> new Script(newer));
    shell.recover();
    return shell;
  }

  // --- drift

  @Test
  void codeThatNoLongerAsksForWhatIsRecordedIsDrift() {
    Shell shell = afterA(B, seq(A, C));
    assertThat(shell.state().incident())
        .contains(
            new Incident.Drift(
                new OperationId("b#1"),
                OperationKind.STEP,
                Optional.empty(),
                List.of(new OperationId("c#1"))));
    assertThat(shell.state().status()).isEqualTo(Status.INCIDENT);
    assertThat(shell.state().incident().orElseThrow().message()).contains("b#1", "no longer asks");
    assertThat(shell.effects(Effect.RunStep.class)).as("nothing of that run happens").isEmpty();
  }

  @Test
  void aRecordedOperationThatCompletedIsAskedForToo() {
    Shell shell = afterA(B, seq(B));
    assertThat(((Incident.Drift) shell.state().incident().orElseThrow()).operation())
        .isEqualTo(new OperationId("a#1"));
  }

  @Test
  void codeThatAsksForItAsAnotherKindIsDrift() {
    OperationSpec activity =
        new OperationSpec.Activity("b", Payload.NONE, RetryPolicy.DEFAULT, Timeouts.DEFAULT);
    Shell shell = afterA(B, seq(A, op("b", activity)));
    assertThat(shell.state().incident())
        .contains(
            new Incident.Drift(
                new OperationId("b#1"), OperationKind.STEP, Optional.of(OperationKind.ACTIVITY)));
    assertThat(shell.state().incident().orElseThrow().message()).contains("STEP", "ACTIVITY");
  }

  @Test
  void codeThatFailsInsteadIsDriftThatSaysWithWhat() {
    Replay replay = new Replay();
    Shell shell = Shell.started(seq(A, B));
    shell.succeed("a#1", "1");
    shell.events().forEach(replay::add);
    Outcome failed = new Outcome.Failed(Failure.permanent("shop.Declined", "no money"));
    Replay.Comparison comparison =
        replay.compare(
            Wishes.of(
                new Wish.Schedule(new OperationId("a#1"), Step.DEFAULT), new Wish.End(failed)));
    assertThat(((Replay.Comparison.Drifted) comparison).drift().message())
        .contains("b#1", "no longer asks for it, and ends with shop.Declined: no money");
  }

  @Test
  void stepsAreFoundByNameSoWhatWasNotReachedMayBeReordered() {
    Shell shell = afterA(seq(B, C), seq(A, B, op("new", Step.DEFAULT), C));
    assertThat(shell.state().incident()).isEmpty();
    shell.succeed("b#1", "2");
    shell.succeed("new#1", "3");
    shell.succeed("c#1", "4");
    assertThat(shell.result()).isEqualTo("a#1=1;b#1=2;new#1=3;c#1=4;");
  }

  @Test
  void newCodeMayAskForMoreBesideWhatIsRecorded() {
    Shell shell = afterA(B, seq(A, par(B, C)));
    assertThat(shell.events(Event.CodeRevised.class)).hasSize(1);
    assertThat(shell.state().semaphore().open()).isEqualTo(3);
    shell.succeed("b#1", "2");
    shell.succeed("c#1", "3");
    assertThat(shell.result()).isEqualTo("a#1=1;b#1=2;c#1=3;");
    assertThat(shell.state().status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void driftIsResolvedByCodeThatFitsAndThenOnly() {
    Shell shell = afterA(B, seq(A, C));
    assertThat(shell.resolve(() -> new Script(seq(A, C)))).isNull();
    assertThat(shell.state().status()).isEqualTo(Status.INCIDENT);
    shell.resolve(() -> new Script(seq(A, B, C)));
    assertThat(shell.state().incident()).isEmpty();
    assertThat(shell.effects(Effect.RunStep.class))
        .as("what was in flight goes out again")
        .extracting(run -> run.operation().value())
        .containsExactly("b#1");
    shell.succeed("b#1", "2");
    shell.succeed("c#1", "3");
    assertThat(shell.result()).isEqualTo("a#1=1;b#1=2;c#1=3;");
  }

  @Test
  void whatIsRecordedDuringAnIncidentReachesTheProgramOnceItIsResolved() {
    Shell shell = afterA(B, seq(A, C));
    shell.succeed("b#1", "2");
    assertThat(shell.state().withheld()).hasSize(1);
    shell.resolve(() -> new Script(seq(A, B, C)));
    assertThat(shell.effects(Effect.RunStep.class))
        .extracting(run -> run.operation().value())
        .containsExactly("c#1");
    shell.succeed("c#1", "3");
    assertThat(shell.result()).isEqualTo("a#1=1;b#1=2;c#1=3;");
  }

  // --- a program that asks for what cannot be

  private static Incident incidentOf(Wish... wishes) {
    Shell shell = Shell.started(seq(A, B));
    Command result = new Command.AttemptEnded(new OperationId("a#1"), 1, Outcome.DONE);
    shell.commit(result, Wishes.of(wishes));
    assertThat(shell.events(Event.Completed.class)).as("the result is kept").hasSize(1);
    assertThat(shell.events(Event.Scheduled.class)).as("and nothing else happens").hasSize(1);
    assertThat(shell.state().status()).isEqualTo(Status.INCIDENT);
    Incident incident = shell.state().incident().orElseThrow();
    shell.resolve(() -> new Script(seq(A, B)));
    shell.succeed("b#1", "2");
    assertThat(shell.state().status()).as("mended code goes on").isEqualTo(Status.COMPLETED);
    return incident;
  }

  private static Wish schedule(String id, OperationSpec spec) {
    return new Wish.Schedule(new OperationId(id), spec);
  }

  @Test
  void askingTwiceForTheSameOperationIsAnIncident() {
    assertThat(incidentOf(schedule("x#1", Step.DEFAULT), schedule("x#1", Step.DEFAULT)).message())
        .contains("x#1 is open already");
  }

  @Test
  void askingAfterTheEndIsAnIncident() {
    assertThat(incidentOf(new Wish.End(Outcome.DONE), schedule("x#1", Step.DEFAULT)).message())
        .contains("after its end");
  }

  @Test
  void anInputPastTheLimitIsAnIncidentThatNamesIt() {
    OperationSpec large =
        new OperationSpec.Activity(
            "x", Payload.of(new byte[Limits.KEPT_BYTES_MAX + 1]), RetryPolicy.NONE, Timeouts.NONE);
    assertThat(incidentOf(schedule("x#1", large)).message()).contains("KEPT_BYTES_MAX");
    OperationSpec travels =
        new OperationSpec.Message(
            WorkflowId.of("other"),
            new MessageContent.Signal("s", Payload.of(new byte[Limits.PAYLOAD_BYTES_MAX + 1])));
    assertThat(incidentOf(schedule("x#1", travels)).message()).contains("PAYLOAD_BYTES_MAX");
  }

  @Test
  void tooManyOpenOperationsAreAnIncidentAndJustEnoughAreNot() {
    List<Wish> wishes = new ArrayList<>();
    for (int at = 0; at <= Limits.OPEN_OPERATIONS_MAX; at++)
      wishes.add(schedule("x#" + (at + 1), Step.DEFAULT));
    assertThat(incidentOf(wishes.toArray(Wish[]::new)).message())
        .contains("OPEN_OPERATIONS_MAX = 10000");
    Shell shell = Shell.started(A);
    Command pause = new Command.Update("u", "x", Payload.NONE);
    shell.commit(pause, new Wishes(wishes.subList(2, wishes.size())));
    assertThat(shell.state().openOperations()).hasSize(Limits.OPEN_OPERATIONS_MAX);
    shell.tell(new Command.Terminate("enough"));
    assertThat(shell.state().status()).isEqualTo(Status.TERMINATED);
  }

  /** As a sliding window has it: some come out, and as many are asked for in the same commit. */
  @Test
  void whatComesOutInACommitMakesRoomAndValuesTakeNone() {
    List<Wish> wishes = new ArrayList<>();
    for (int at = 1; at < Limits.OPEN_OPERATIONS_MAX; at++)
      wishes.add(schedule("x#" + at, Step.DEFAULT));
    Shell shell = Shell.started(A);
    Command update = new Command.Update("u", "x", Payload.NONE);
    shell.commit(update, new Wishes(wishes));
    List<Command> ended = new ArrayList<>();
    List<Wish> next = new ArrayList<>();
    for (int at = 1; at <= 600; at++) {
      ended.add(new Command.AttemptEnded(new OperationId("x#" + at), 1, Outcome.DONE));
      next.add(schedule("y#" + at, Step.DEFAULT));
      next.add(schedule("v#" + at, new OperationSpec.Value(Payload.NONE)));
    }
    Command all = new Command.Several(ended);
    shell.commit(all, new Wishes(next));
    assertThat(shell.state().incident()).isEmpty();
    assertThat(shell.state().openOperations()).hasSize(Limits.OPEN_OPERATIONS_MAX);
  }

  @Test
  void tooManyAttributesAreAnIncident() {
    Map<String, Attribute> many = new HashMap<>();
    for (int at = 0; at < Attribute.COUNT_MAX; at++) many.put("a" + at, Attribute.of(at));
    Shell fits = Shell.started(seq(new Script.Part.Attributes(many), A));
    assertThat(fits.state().attributes()).hasSize(Attribute.COUNT_MAX);
    many.put("one more", Attribute.of(1));
    assertThat(incidentOf(new Wish.SetAttributes(many)).message()).contains("COUNT_MAX = 64");
  }

  @Test
  void answeringWhatWasNotAskedIsAnIncident() {
    assertThat(incidentOf(new Wish.AnswerUpdate("u", Outcome.DONE)).message())
        .contains("waits for no answer");
  }

  @Test
  void whatOnlyTheEngineSaysIsAnIncident() {
    OperationSpec terminate =
        new OperationSpec.Message(WorkflowId.of("x"), new MessageContent.Terminate("x"));
    assertThat(incidentOf(schedule("x#1", terminate)).message()).contains("only the engine");
  }

  @Test
  void aResultPastTheLimitFailsTheWorkflowAndSaysSo() {
    Shell shell = Shell.started(A);
    Command result = new Command.AttemptEnded(new OperationId("a#1"), 1, Outcome.DONE);
    Payload large = Payload.of(new byte[Limits.PAYLOAD_BYTES_MAX + 1]);
    shell.commit(result, Wishes.of(new Wish.End(new Outcome.Succeeded(large))));
    assertThat(shell.state().status()).isEqualTo(Status.FAILED);
  }

  // --- damaged histories

  @Test
  void aHistoryThatCannotBeIsNotFolded() {
    Shell shell = Shell.started(A);
    shell.succeed("a#1", "");
    Event last = shell.events().getLast();
    assertThatThrownBy(() -> Kernel.standard().evolve(shell.state(), last))
        .isInstanceOf(ImpossibleHistoryError.class);
    Shell twice = Shell.started(A);
    Event scheduled = twice.events(Event.Scheduled.class).getFirst();
    assertThatThrownBy(() -> Kernel.standard().evolve(twice.state(), scheduled))
        .isInstanceOf(ImpossibleHistoryError.class)
        .hasMessageContaining("scheduled twice");
    Shell fallen = Shell.started(seq(A, B));
    fallen.succeed("a#1", "");
    Event.Completed completed = fallen.events(Event.Completed.class).getFirst();
    Event.Completed again =
        new Event.Completed(
            fallen.now,
            new OperationId("b#1"),
            Outcome.DONE,
            new Digits(
                fallen.events(Event.Scheduled.class).getFirst().ledger(),
                completed.digits().guid(),
                completed.digits().semaphore()));
    assertThatThrownBy(() -> Kernel.standard().evolve(fallen.state(), again))
        .isInstanceOf(ImpossibleHistoryError.class)
        .hasMessageContaining("I9");
  }
}
