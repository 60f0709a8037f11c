package dev.tenure.sharding.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.commit.SideRow;
import dev.tenure.sharding.mailbox.SeenSignals;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Decision;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Kernel;
import dev.tenure.workflow.kernel.Start;
import dev.tenure.workflow.kernel.Wish;
import dev.tenure.workflow.kernel.Wishes;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which commits tell the workflow's row what the owner knows of the inbox. */
class VisibilityRowsTest {
  private static final WorkflowId ID = WorkflowId.of("w");
  private static final Instant NOW = Instant.parse("2026-03-01T09:00:00Z");

  private final SeenSignals seen = new SeenSignals();
  private final VisibilityRows rows = new VisibilityRows(ID, 0, seen);
  private WorkflowState state = WorkflowState.none();

  /** The rows that go with the commit. */
  private List<SideRow> commit(Command command, Wish... wishes) {
    Decision decision = Kernel.standard().decide(state, command, new Wishes(List.of(wishes)), NOW);
    for (Event event : decision.events()) state = Kernel.standard().evolve(state, event);
    return rows.of(
        decision.events(), decision.returned(), List.of(), false, state, NOW, Optional.empty());
  }

  private static Wish.Schedule waitFor(String signal) {
    return new Wish.Schedule(
        new OperationId("signal:" + signal + "#1"),
        new OperationSpec.SignalWait(signal, Optional.empty()));
  }

  /** Neither the status nor the time to wake changes by it. */
  private List<SideRow> update(String id, Wish... wishes) {
    Wish answer = new Wish.AnswerUpdate(id, Outcome.DONE);
    Wish[] all = Arrays.copyOf(wishes, wishes.length + 1);
    all[wishes.length] = answer;
    return commit(new Command.Update(id, "set", Payload.NONE), all);
  }

  private void startWaitingFor(String signal) {
    commit(
        new Command.StartWorkflow(
            new Start(
                ID,
                "run",
                new WorkflowType("rows", 1),
                Payload.NONE,
                1,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Map.of())),
        waitFor(signal));
  }

  @Test
  void aCommitThatChangesNothingForListsAndWakeUpsWritesNoRow() {
    startWaitingFor("a");
    assertThat(update("u1")).isEmpty();
    seen.readBegins();
    seen.saw("b", 1);
    seen.readEnds();
    assertThat(update("u2")).as("the row learns what was seen").isNotEmpty();
    assertThat(update("u3")).isEmpty();
  }

  /** The row was written when nothing waited for the signal: it would be slept over (I8). */
  @Test
  void aWaitThatBeginsAfterItsSignalWasAcceptedWritesARowThatWasFoundDueBefore() {
    startWaitingFor("a");
    seen.readBegins();
    seen.saw("b", 1);
    seen.readEnds();
    assertThat(update("u1")).isNotEmpty();
    rows.wasDue();
    assertThat(update("u2", waitFor("b"))).isNotEmpty();
  }
}
