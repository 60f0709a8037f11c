package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.journal.JournalRead;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.storage.ForwardingStorage;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.StartPolicy;
import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A client that asks for a run which its workflow does not have, again and again. */
class UnknownRunTest {
  private static final WorkflowId ID = WorkflowId.of("w");
  private static final int STEPS = 30;
  private int rows;

  /** Counts what is read of the journal. */
  private final class Counting extends ForwardingStorage {
    Counting(Storage inner) {
      super(inner);
    }

    @Override
    public List<List<JournalRow>> read(List<JournalRead> reads) {
      List<List<JournalRow>> read = super.read(reads);
      for (List<JournalRow> one : read) rows += one.size();
      return read;
    }
  }

  private final TestLoopNode node = new TestLoopNode(Counting::new);

  private void begin() {
    node.begin(
        StartRequest.of("w", "coded", Payload.NONE).ifTaken(StartPolicy.TERMINATE_IF_RUNNING),
        ctx -> {
          for (int i = 0; i < STEPS; i++) ctx.step("step", () -> 1);
          return ctx.awaitSignal("go", Integer.class);
        });
  }

  /** How many rows are read to find that there is no such run. */
  private int asked(String runId) {
    rows = 0;
    var answer =
        node.workflows()
            .result(ID, Optional.of(runId), Duration.ofSeconds(1))
            .toCompletableFuture();
    node.quiet();
    assertThat(answer).isDone();
    assertThatThrownBy(answer::join).hasCauseInstanceOf(WorkflowError.NoSuchRun.class);
    return rows;
  }

  @Test
  void theJournalIsReadOnceForIt() {
    begin();
    begin();
    assertThat(asked("nobody's")).isGreaterThanOrEqualTo(2 * STEPS);
    assertThat(asked("nobody's")).isZero();
    assertThat(asked("another")).isGreaterThanOrEqualTo(2 * STEPS);
    begin();
    assertThat(asked("nobody's")).as("what came since").isBetween(STEPS, STEPS + 5);
  }

  private RunEnds.Found find(RunEnds.Read before, String runId) {
    return new RunEnds(node.storage, ID, before).find(runId);
  }

  private String newest() {
    return node.storage.workflows().find(ID).orElseThrow().runId();
  }

  @Test
  void aRunThatCameBehindWhatWasReadIsFound() {
    begin();
    String first = newest();
    RunEnds.Read read = ((RunEnds.Found.None) find(RunEnds.Read.NOTHING, "nobody's")).read();
    assertThat(read.firstRunId()).isEqualTo(first);
    begin();
    String second = newest();
    assertThat(find(read, second)).isEqualTo(new RunEnds.Found.Newest(second));
    begin();
    assertThat(find(read, second)).isInstanceOf(RunEnds.Found.EndedAs.class);
  }
}
