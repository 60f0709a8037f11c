package dev.tenure.workflow.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.workflow.lifecycle.ImpossibleHistoryError;
import dev.tenure.workflow.lifecycle.OperationPhase;
import dev.tenure.workflow.lifecycle.TransitionTable;
import dev.tenure.workflow.lifecycle.TransitionTable.Row;
import dev.tenure.workflow.lifecycle.WorkflowPhase;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LifecycleTest {
  private static final int LIVES = 4_000;

  private final Set<Row<WorkflowPhase, WorkflowPhase.Trigger>> workflows =
      new HashSet<>(WorkflowPhase.TABLE.rows());
  private final Set<Row<OperationPhase, OperationPhase.Trigger>> operations =
      new HashSet<>(OperationPhase.TABLE.rows());

  @Test
  void everyRowIsVisited() {
    for (long seed = 0; seed < LIVES && !(workflows.isEmpty() && operations.isEmpty()); seed++) {
      Universe universe = new Universe(Kernel.standard(), seed, Course.FAULTY);
      universe.live();
      universe.shells().forEach(shell -> visit(shell.events()));
      universe.shells().forEach(shell -> visit(shell.newestRun()));
    }
    assertThat(workflows).as("rows of the workflow's table that nothing takes").isEmpty();
    assertThat(operations).as("rows of the operation's table that nothing takes").isEmpty();
  }

  private void visit(List<Event> history) {
    WorkflowState state = WorkflowState.none();
    for (Event event : history) {
      WorkflowPhase before = state.phase();
      List<Operation> touched = touched(state, event);
      state = Kernel.standard().evolve(state, event);
      workflows.remove(new Row<>(before, Fold.trigger(state, event), state.phase()));
      for (Operation operation : touched) visit(operation.phase(), operation.id(), state, event);
      if (event instanceof Event.Scheduled scheduled)
        visit(OperationPhase.NEW, scheduled.operation(), state, event);
      if (event instanceof Event.ValueRecorded recorded)
        visit(OperationPhase.NEW, recorded.operation(), state, event);
      if (event instanceof Event.Reentered cycle)
        visit(OperationPhase.NEW, cycle.operation(), state, event);
    }
  }

  private static List<Operation> touched(WorkflowState state, Event event) {
    return switch (event) {
      case Event.Redelivered e ->
          e.operations().stream()
              .map(one -> state.operation(one.operation()).orElseThrow())
              .toList();
      case Event.OfOperation e -> state.operation(e.operation()).stream().toList();
      case Event.Started _,
          Event.ContinuedAsNew _,
          Event.StartedAgain _,
          Event.Published _,
          Event.SignalReturned _,
          Event.AttributesChanged _,
          Event.CancelRequested _,
          Event.DeadlinePassed _,
          Event.Paused _,
          Event.Resumed _,
          Event.Blocked _,
          Event.Unblocked _,
          Event.IncidentRaised _,
          Event.IncidentResolved _,
          Event.Repinned _,
          Event.UpdateAdmitted _,
          Event.UpdateAnswered _,
          Event.CodeRevised _,
          Event.SourceChildStarted _,
          Event.SourceSignalNotReceived _,
          Event.Forked _,
          Event.Ended _,
          Event.Closed _ ->
          List.of();
    };
  }

  /** No two triggers lead from one phase to the same other, so the phases name the row. */
  private void visit(OperationPhase before, OperationId id, WorkflowState state, Event event) {
    OperationPhase after =
        state
            .operation(id)
            .map(Operation::phase)
            .orElse(
                event instanceof Event.Abandoned
                    ? OperationPhase.ABANDONED
                    : OperationPhase.COMPLETED);
    operations.removeIf(row -> row.from() == before && row.to() == after);
  }

  @Test
  void whatIsNotInATableCannotHappen() {
    assertThat(WorkflowPhase.TABLE.next(WorkflowPhase.CLOSED, WorkflowPhase.Trigger.START))
        .isEqualTo(Optional.empty());
    assertThatThrownBy(
            () ->
                OperationPhase.TABLE.require(
                    OperationPhase.WAITING, OperationPhase.Trigger.NEXT_ATTEMPT, "t#1"))
        .isInstanceOf(ImpossibleHistoryError.class)
        .hasMessageContaining("NEXT_ATTEMPT came to t#1, which is WAITING");
  }

  @Test
  void theDocumentedDiagramsAreTheTables() throws IOException {
    Path page = docs().resolve("lifecycle.md");
    String expected =
        """
        # The lives of workflows and operations

        Drawn from the tables in `WorkflowPhase` and `OperationPhase`; what has no arrow cannot happen.

        ## A workflow

        %s
        `LIVE` and `HELD` are what people see as running, waiting, retrying, and as paused, blocked or
        incident. In `ENDED` the outcome is decided and shown, and messages are still to be delivered.
        Nothing of a run follows its end (I4). Another start may begin the next run: see
        [start policies](decisions/start-policies.md).

        ## An operation

        %s
        Steps and activities are `IN_FLIGHT` and `BACKING_OFF`; timers and waits for signals are `WAITING`;
        children and messages are `SENDING` until they are acknowledged, and `LET_GO` when the program does
        not wait for them any more but they have to arrive all the same. A child that runs, and that its
        parent does not wait for any more, is `GIVEN_UP`: it was asked to stop, and is terminated when its
        parent ends before it.
        In a graph an operation is `ANSWERED` from its message until the operations are asked for that the
        message asks for; a hook may stay open then: see [graphs](decisions/accounting-of-graphs.md).
        """
            .formatted(fenced(WorkflowPhase.TABLE), fenced(OperationPhase.TABLE));
    if (System.getenv("TENURE_WRITE_DOCS") != null) Files.writeString(page, expected);
    assertThat(page).as("TENURE_WRITE_DOCS=1 writes it anew").hasContent(expected);
  }

  private static String fenced(TransitionTable<?, ?> table) {
    return "```mermaid\n" + table.diagram() + "```\n";
  }

  private static Path docs() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("settings.gradle"))) folder = folder.getParent();
    return folder.resolve("docs");
  }
}
