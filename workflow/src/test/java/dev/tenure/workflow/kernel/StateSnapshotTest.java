package dev.tenure.workflow.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.Payload;
import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A snapshot is all of a state; {@link UniverseTest} compares the two after every commit. */
class StateSnapshotTest {
  /** A field that no component holds would be lost in silence. */
  @Test
  void everyFieldOfAStateHasItsComponent() {
    Set<String> fields = new TreeSet<>();
    for (Field field : WorkflowState.class.getDeclaredFields())
      if (!field.isSynthetic()) fields.add(field.getName());
    fields.remove("updates");
    for (Field field : RecordedUpdates.class.getDeclaredFields())
      if (!field.isSynthetic()) fields.add(field.getName() + "Updates");
    // What tells an update from another is kept with its answer, or made of what was admitted.
    fields.remove("bodiesUpdates");
    Set<String> components = new TreeSet<>();
    for (RecordComponent component : StateSnapshot.class.getRecordComponents())
      components.add(component.getName());
    // The order in which open operations came to where they stand is one field's of another class.
    components.remove("entered");
    assertThat(components).isEqualTo(fields);
  }

  @Test
  void itDoesNotChangeWithTheStateItIsOf() {
    Shell shell = Shell.started(Script.op("charge", OperationSpec.Step.DEFAULT));
    StateSnapshot before = StateSnapshot.of(shell.state());
    assertThat(before.open()).hasSize(1);
    shell.succeed("charge#1", "1");
    assertThat(shell.state().openOperations()).isEmpty();
    assertThat(before.open()).hasSize(1);
    assertThat(StateSnapshot.of(before.state())).isEqualTo(before);
  }

  /** A program that goes on from a snapshot is told what it would have been told by then. */
  @Test
  void whatIsWithheldAtASnapshotIsToldBehindIt() {
    Shell shell = Shell.started(Script.op("charge", OperationSpec.Step.DEFAULT));
    shell.tell(new Command.Pause("look"));
    shell.succeed("charge#1", "1");
    StateSnapshot snapshot = StateSnapshot.of(shell.state());
    assertThat(snapshot.withheld()).hasSize(1);
    assertThat(since(snapshot, shell).news(shell.state())).isEmpty();
    shell.tell(new Command.Resume());
    assertThat(since(snapshot, shell).news(shell.state())).isEqualTo(snapshot.withheld());
  }

  @Test
  void aNewRunNeedsNothingThatTheOneBeforeItRemembered() {
    Shell shell = Shell.started(Script.op("charge", OperationSpec.Step.DEFAULT));
    Replay replay = new Replay(StateSnapshot.of(shell.state()), Payload.NONE);
    assertThat(replay.memory()).contains(Payload.NONE);
    replay.add(
        new Event.ContinuedAsNew(
            Shell.EPOCH,
            Shell.start("w"),
            Ledgers.inception(Accounting.CODE, 0),
            ActivityLedger.NEW,
            0,
            List.of(),
            List.of(),
            List.of()));
    assertThat(replay.memory()).isEmpty();
  }

  private static Replay since(StateSnapshot snapshot, Shell shell) {
    Replay replay = new Replay(snapshot, Payload.NONE);
    shell.events().stream().skip(snapshot.events()).forEach(replay::add);
    return replay;
  }

  /** Who waits for longest gets the next signal: also after it was asked and waited again. */
  @Test
  void waitsKeepTheOrderInWhichTheyCameToWait() {
    OpenOperations open = new OpenOperations();
    for (int at = 1; at <= 3; at++)
      open.add(
          Fold.scheduled(
              new Event.Scheduled(
                  Shell.EPOCH,
                  new OperationId("wait#" + at),
                  new OperationSpec.SignalWait("x", Optional.empty()),
                  ActivityLedger.NEW),
              at));
    var first = open.longestWaiting("x").orElseThrow();
    Operation wait = open.get(first);
    open.replace(wait.answered(wait.ledger(), wait.guid(), Optional.empty()));
    open.replace(open.get(first).leftOpen(wait.ledger(), wait.guid()));
    OpenOperations restored = new OpenOperations();
    restored.restore(List.copyOf(open.all()), open.entered());
    assertThat(restored.waiting("x")).containsExactlyElementsOf(open.waiting("x"));
    assertThat(restored.all()).containsExactlyElementsOf(open.all());
    assertThat(restored.longestWaiting("x")).contains(new OperationId("wait#2"));
  }
}
