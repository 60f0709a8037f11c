package dev.tenure.persistence.signal;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.memory.MemoryStorage;
import dev.tenure.persistence.storage.ForwardingStorage;
import dev.tenure.persistence.storage.SettableClock;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageContract;
import dev.tenure.persistence.visibility.WorkflowChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Planted bugs that the promises of signals must find, or the promises are blind. */
class SignalCanaryTest {
  private static final class Planted extends StorageContract {
    private final SettableClock clock = new SettableClock();
    private final Storage storage;

    private Planted(UnaryOperator<Signal> signals, UnaryOperator<SideRow> sideRows) {
      storage = new BuggyStorage(MemoryStorage.create(clock), signals, sideRows);
      storage.prepare(IDENTITY);
    }

    @Override
    public Storage storage() {
      return storage;
    }

    @Override
    public void passTime(Duration time) {
      clock.advance(time);
    }

    @Override
    public void loseAnswer(String workflowId, String signalId) {
      throw new UnsupportedOperationException();
    }
  }

  private static final class BuggyStorage extends ForwardingStorage {
    private final UnaryOperator<Signal> signals;
    private final UnaryOperator<SideRow> sideRows;

    private BuggyStorage(
        Storage to, UnaryOperator<Signal> signals, UnaryOperator<SideRow> sideRows) {
      super(to);
      this.signals = signals;
      this.sideRows = sideRows;
    }

    @Override
    public List<CommitResult> commit(List<Commit> batch) {
      return inner.commit(batch.stream().map(this::changed).toList());
    }

    private Commit changed(Commit commit) {
      List<SideRow> rows = new ArrayList<>();
      for (SideRow row : commit.sideRows()) {
        SideRow changed = sideRows.apply(row);
        if (changed != null) rows.add(changed);
      }
      return new Commit(commit.id(), commit.fence(), commit.manifest(), commit.payload(), rows);
    }

    @Override
    public Signals signals() {
      return new ForwardingSignals(inner.signals()) {
        @Override
        public List<SignalResult> accept(List<Signal> batch, Duration retention) {
          return super.accept(batch.stream().map(signals).toList(), retention);
        }
      };
    }
  }

  @Test
  void aLostDeduplicationIsFound() {
    AtomicInteger number = new AtomicInteger();
    Planted planted =
        new Planted(
            s ->
                new Signal(
                    s.workflowId(),
                    s.name(),
                    s.id() + number.incrementAndGet(),
                    s.identity(),
                    s.payload()),
            row -> row);
    assertThatThrownBy(planted::ofSimultaneousDuplicatesExactlyOneIsStored)
        .isInstanceOf(AssertionError.class);
    assertThatThrownBy(planted::theSameSignalIsAcceptedOnceAndAnsweredAsTheFirstTime)
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void aCloseThatForgetsTheInboxIsFound() {
    Planted planted =
        new Planted(
            s -> s,
            row -> row instanceof SideRow.WorkflowChanged(var change) ? forgetful(change) : row);
    assertThatThrownBy(planted::aSignalThatRacesTheEndIsRecordedOrRefused)
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void anOwnerThatSleepsOverASignalIsFound() {
    Planted planted =
        new Planted(
            s -> s,
            row -> row instanceof SideRow.WorkflowChanged(var change) ? blind(change) : row);
    assertThatThrownBy(planted::anOwnerThatDidNotSeeASignalCannotSleepOverIt)
        .isInstanceOf(AssertionError.class);
  }

  /** Says that it has ended, and leaves the row open. */
  private static SideRow forgetful(WorkflowChange change) {
    return new SideRow.WorkflowChanged(
        WorkflowChange.rests(change.id(), change.status(), Optional.empty(), Long.MAX_VALUE));
  }

  /** Claims to have seen every signal there will ever be. */
  private static SideRow blind(WorkflowChange change) {
    return new SideRow.WorkflowChanged(
        WorkflowChange.rests(change.id(), change.status(), change.wakeAt(), Long.MAX_VALUE));
  }
}
