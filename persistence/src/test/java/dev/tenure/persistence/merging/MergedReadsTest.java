package dev.tenure.persistence.merging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitId;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.Writers;
import dev.tenure.persistence.journal.JournalRead;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.lease.Membership;
import dev.tenure.persistence.memory.MemoryStorage;
import dev.tenure.persistence.storage.FaultyStorage;
import dev.tenure.persistence.storage.FaultyStorage.Operation;
import dev.tenure.persistence.storage.ForwardingStorage;
import dev.tenure.persistence.storage.Gate;
import dev.tenure.persistence.storage.Storage;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Recoveries that begin at once share queries, and no answer has more bytes than it may. */
@Timeout(120)
class MergedReadsTest {
  private static final int WORKFLOWS = 30;
  private static final int ROWS = 3;
  private static final int BYTES = 1024 * 1024;

  /** Notes how many bytes each answer has. */
  private static final class Weighing extends ForwardingStorage {
    private final List<Long> answers = new CopyOnWriteArrayList<>();

    private Weighing(Storage inner) {
      super(inner);
    }

    @Override
    public List<List<JournalRow>> read(List<JournalRead> reads) {
      List<List<JournalRow>> found = inner.read(reads);
      answers.add(
          found.stream().flatMap(List::stream).mapToLong(row -> row.payload().length).sum());
      return found;
    }
  }

  @Test
  void largeHistoriesAreReadInSeveralAnswers() throws Exception {
    try (MemoryStorage memory = MemoryStorage.create(InstantSource.system())) {
      Leases.Claim claim =
          memory
              .leases()
              .acquire(1, new Holder("nora:7355", 1), Membership.UNKNOWN, Duration.ofHours(1));
      Fence fence = new Fence(1, ((Leases.Claim.Granted) claim).epoch(), 1);
      for (int i = 0; i < WORKFLOWS; i++)
        for (int version = 1; version <= ROWS; version++) {
          CommitId id = new CommitId("w" + i, version, Writers.named("w"));
          Commit commit = new Commit(id, fence, "", new byte[BYTES], List.of());
          assertThat(memory.commit(List.of(commit)))
              .containsExactly(new CommitResult.Committed(version));
        }
      Weighing weighing = new Weighing(memory);
      FaultyStorage gates = new FaultyStorage(weighing);
      Gate gate = gates.hold(Operation.READ);
      try (MergedReads reads = new MergedReads(gates)) {
        List<CompletionStage<List<JournalRow>>> all = new ArrayList<>();
        for (int i = 0; i < WORKFLOWS; i++)
          all.add(reads.read(new JournalRead("w" + i, 1, Long.MAX_VALUE, 500)));
        gate.open();
        for (int i = 0; i < WORKFLOWS; i++) {
          List<JournalRow> rows = all.get(i).toCompletableFuture().get(60, TimeUnit.SECONDS);
          assertThat(rows).hasSize(ROWS);
          assertThat(rows.getFirst().persistenceId()).isEqualTo("w" + i);
        }
      }
      assertThat(weighing.answers)
          .as("all rows have %d bytes", (long) WORKFLOWS * ROWS * BYTES)
          .allMatch(bytes -> bytes <= Storage.READ_BYTES_MAX)
          .hasSizeGreaterThan(2)
          .hasSizeLessThan(WORKFLOWS / 2);
    }
  }
}
