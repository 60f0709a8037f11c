package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.storage.ForwardingStorage;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.StartPolicy;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Signals to a run that began in the place of one which left signals unconsumed. */
class SignalsOfNextRunTest {
  private int taken;
  private int refused;

  /** Counts the commits that take a signal, and those that are refused for it. */
  private final class Counting extends ForwardingStorage {
    Counting(Storage inner) {
      super(inner);
    }

    @Override
    public List<CommitResult> commit(List<Commit> batch) {
      for (Commit commit : batch)
        for (SideRow row : commit.sideRows()) if (row instanceof SideRow.SignalTaken) taken++;
      List<CommitResult> results = super.commit(batch);
      for (CommitResult result : results)
        if (result instanceof CommitResult.SignalNotTaken) refused++;
      return results;
    }
  }

  private final TestLoopNode node = new TestLoopNode(Counting::new);

  private static Object twoSignals(WorkflowContext ctx) {
    return ctx.awaitSignal("go", Integer.class) + ctx.awaitSignal("go", Integer.class);
  }

  private void startAgain() {
    node.begin(
        StartRequest.of("w", "coded", Payload.NONE).ifTaken(StartPolicy.ALLOW_IF_CLOSED),
        SignalsOfNextRunTest::twoSignals);
    taken = 0;
  }

  private void assertTakesTheSecond() {
    node.signal("w", "go", 20);
    assertThat(refused).isZero();
    assertThat(taken).as("where the first stands is not known").isZero();
    node.signal("w", "go", 22);
    assertThat(taken).isEqualTo(1);
    assertThat(refused).isZero();
    assertThat(node.result("w")).isEqualTo("42");
  }

  private void beginAndLeaveSignals() {
    node.begin(
        "w",
        ctx -> {
          ctx.sleep(Duration.ofSeconds(1));
          return 1;
        });
    for (int i = 0; i < 3; i++) node.signal("w", "stray", i);
    assertThat(node.result("w")).isEqualTo("1");
  }

  @Test
  void anOwnerThatReadTheEarlierRunOnlyIsNotRefusedWhatItTakes() {
    beginAndLeaveSignals();
    node.dies();
    startAgain();
    assertTakesTheSecond();
  }

  @Test
  void anOwnerThatReadTheNextRunIsNotRefusedWhatItTakes() {
    beginAndLeaveSignals();
    startAgain();
    node.dies();
    // Somebody asks for it, and it is in memory.
    node.workflows().describe(WorkflowId.of("w"));
    node.quiet();
    assertTakesTheSecond();
  }

  @Test
  void anOwnerThatSawWhatWasLeftTakesTheFirst() {
    beginAndLeaveSignals();
    startAgain();
    node.signal("w", "go", 20);
    assertThat(taken).isEqualTo(1);
    assertThat(refused).isZero();
  }
}
