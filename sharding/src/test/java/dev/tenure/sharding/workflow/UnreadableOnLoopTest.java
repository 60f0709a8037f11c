package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.journal.DamagedJournalError;
import dev.tenure.persistence.journal.JournalRead;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.storage.ForwardingStorage;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.sharding.loop.Loop;
import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Messages that reach a workflow while its history cannot be read. */
class UnreadableOnLoopTest {
  private static final WorkflowId W = WorkflowId.of("w");

  private boolean damaged;
  private int taken;

  /** While the history is damaged, commits fail, and their owners have to read it. */
  private final class Damaged extends ForwardingStorage {
    Damaged(Storage inner) {
      super(inner);
    }

    @Override
    public List<CommitResult> commit(List<Commit> batch) {
      if (damaged) throw new StorageException.Unavailable("on purpose", null);
      for (Commit commit : batch)
        for (SideRow row : commit.sideRows()) if (row instanceof SideRow.SignalTaken) taken++;
      return super.commit(batch);
    }

    @Override
    public List<List<JournalRow>> read(List<JournalRead> reads) {
      List<List<JournalRow>> rows = super.read(reads);
      if (damaged) throw DamagedJournalError.hole(rows.getFirst().getFirst(), 1);
      return rows;
    }
  }

  private final TestLoopNode node = new TestLoopNode(Damaged::new);

  /**
   * The owner puts a signal into the inbox, and is unreadable when it hears what became of it. The
   * next owner must not wait for that answer.
   */
  @Test
  void aSignalThatWasStoredMeanwhileDoesNotKeepTheNextOwnerFromTakingSignals() {
    node.begin(
        "w", ctx -> ctx.awaitSignal("go", Integer.class) + ctx.awaitSignal("go", Integer.class));
    damaged = true;
    node.workflows().signal(W, "stray", TestNode.json(1), Optional.empty());
    node.workflows().cancel(W, "a commit");
    List<String> done = new ArrayList<>();
    // The store has the signal when the owner's commit is under way, and not before.
    while (!done.contains("node-1: w takes Advanced"))
      done.add(next(size -> size - 1).orElseThrow());
    Loop.Choice oldest = Loop.Choice.OLDEST;
    for (Optional<String> one = next(oldest); one.isPresent(); one = next(oldest))
      done.add(one.get());
    assertThat(done)
        .containsSubsequence(
            "node-1: signal stray", "node-1: w commits 2", "node-1: w takes Stored");
    node.pass(Duration.ofMinutes(1));
    assertThat(node.storage.incidents().find(W)).isPresent();

    damaged = false;
    node.workflows().resolveIncident(W, "restored");
    node.quiet();
    assertThat(node.storage.incidents().find(W)).isEmpty();
    node.signal("w", "go", 20);
    taken = 0;
    node.signal("w", "go", 22);
    assertThat(taken).isEqualTo(1);
    assertThat(node.result("w")).isEqualTo("42");
  }

  private Optional<String> next(Loop.Choice choice) {
    return node.loop.doNext(choice);
  }
}
