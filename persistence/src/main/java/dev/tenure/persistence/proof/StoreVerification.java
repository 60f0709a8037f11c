package dev.tenure.persistence.proof;

import dev.tenure.persistence.journal.DamagedJournalError;
import dev.tenure.persistence.journal.JournalKey;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.payload.Payloads;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Verifies all histories of a store: a few ranges at once, each over a connection of its own, and
 * tells of them in the order of the ids. What it keeps in memory does not grow with the store.
 */
public final class StoreVerification {
  /** Short enough for a transaction that nothing waits for, long enough to be worth its start. */
  private static final int RANGE_ROWS = 20_000;

  /** How many of them are begun beside each that is verified. */
  private static final int RANGES_AHEAD = 2;

  /** What was verified so far. */
  public record Summary(long workflows, long commits, long payloads, long sealed, long damaged) {
    static final Summary NONE = new Summary(0, 0, 0, 0, 0);

    Summary plus(Verified one) {
      return new Summary(
          workflows + 1,
          commits + one.commits(),
          payloads + one.payloads(),
          sealed + (one.isSealed() ? 1 : 0),
          damaged + (one.finding().isPresent() ? 1 : 0));
    }

    Summary plus(Summary other) {
      return new Summary(
          workflows + other.workflows,
          commits + other.commits,
          payloads + other.payloads,
          sealed + other.sealed,
          damaged + other.damaged);
    }
  }

  /** Is told in the order of the ids, by the thread that verifies. */
  public interface Listener {
    void found(Finding finding);

    /**
     * All up to that id was verified.
     *
     * @param upTo as a row of a workflow has it; a verification can go on behind it
     */
    void progress(Summary sofar, String upTo);
  }

  /** What is known of the histories from elsewhere. Asked for range after range. */
  @FunctionalInterface
  public interface Known {
    Known NOTHING = range -> Map.of();

    /** By the id, as a row of a workflow has it. */
    Map<String, Anchor> in(Histories.Range range);
  }

  private record Outcome(Histories.Range range, Summary summary, List<Finding> findings) {}

  private final Histories histories;
  private final int connections;
  private final Known known;
  private final Listener listener;
  private final int rangeRows;

  /**
   * @param connections how many ranges are verified at once
   */
  public StoreVerification(Histories histories, int connections, Known known, Listener listener) {
    this(histories, connections, known, listener, RANGE_ROWS);
  }

  private StoreVerification(
      Histories histories, int connections, Known known, Listener listener, int rangeRows) {
    this.histories = histories;
    this.connections = connections;
    this.known = known;
    this.listener = listener;
    this.rangeRows = rangeRows;
  }

  /** The same in ranges of another size. */
  StoreVerification withRangesOf(int rows) {
    return new StoreVerification(histories, connections, known, listener, rows);
  }

  /**
   * Verifies what comes behind that id; all of it when it is empty. Blocks.
   *
   * @param after as a row of a workflow has it
   */
  public Summary run(String after) {
    BlockingQueue<Histories.Reader> readers = new LinkedBlockingQueue<>();
    ExecutorService threads =
        Executors.newFixedThreadPool(
            connections, Thread.ofPlatform().daemon().name("tenure-verify-", 1).factory());
    try {
      for (int i = 0; i < connections; i++) readers.add(histories.reader());
      return run(after, threads, readers);
    } finally {
      threads.shutdownNow();
      threads.close();
      readers.forEach(Histories.Reader::close);
    }
  }

  private Summary run(
      String after, ExecutorService threads, BlockingQueue<Histories.Reader> readers) {
    Deque<Future<Outcome>> underWay = new ArrayDeque<>();
    Optional<String> next = Optional.of(after);
    Summary summary = Summary.NONE;
    while (next.isPresent() || !underWay.isEmpty()) {
      while (next.isPresent() && underWay.size() < connections * RANGES_AHEAD) {
        Histories.Range range = histories.next(next.get(), rangeRows);
        Map<String, Anchor> anchors = known.in(range);
        underWay.add(threads.submit(() -> verify(range, anchors, readers)));
        next = range.to();
      }
      Outcome outcome = outcome(underWay.remove());
      summary = summary.plus(outcome.summary());
      outcome.findings().forEach(listener::found);
      if (outcome.range().to().isPresent()) listener.progress(summary, outcome.range().to().get());
    }
    return summary;
  }

  private static Outcome outcome(Future<Outcome> verified) {
    try {
      return verified.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) throw failure;
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static Outcome verify(
      Histories.Range range, Map<String, Anchor> anchors, BlockingQueue<Histories.Reader> readers)
      throws InterruptedException {
    Histories.Reader reader = readers.take();
    try {
      OneRange visitor = new OneRange(anchors);
      reader.read(range, visitor);
      return visitor.outcome(range);
    } finally {
      readers.add(reader);
    }
  }

  private static final class OneRange implements Histories.Visitor {
    private final Map<String, Anchor> vanished;
    private final List<Finding> findings = new ArrayList<>();
    private Summary summary = Summary.NONE;
    private Optional<ChainCheck> check = Optional.empty();
    private boolean hasRow;

    OneRange(Map<String, Anchor> anchors) {
      this.vanished = new TreeMap<>(anchors);
    }

    @Override
    public void begins(String column, Optional<RecordedHead> recorded, Payloads payloads) {
      List<Anchor> anchors = new ArrayList<>();
      recorded.flatMap(RecordedHead::anchor).ifPresent(anchors::add);
      Anchor known = vanished.remove(column);
      // What is left of its history is being removed.
      if (recorded.map(RecordedHead::isRemoved).orElse(false)) {
        check = Optional.empty();
        return;
      }
      if (known != null) anchors.add(known);
      hasRow = recorded.isPresent();
      try {
        check = Optional.of(new ChainCheck(JournalKey.workflow(column), payloads, anchors));
      } catch (DamagedJournalError noId) {
        check = Optional.empty();
        found(new Finding(column, 0, noId.getMessage()));
      }
    }

    @Override
    public void row(JournalRow row) {
      check.ifPresent(one -> one.row(row));
    }

    @Override
    public void ends() {
      if (check.isEmpty()) return;
      Verified verified = HistoryVerification.withRow(check.get().end(), hasRow);
      summary = summary.plus(verified);
      verified.finding().ifPresent(findings::add);
    }

    private void found(Finding finding) {
      findings.add(finding);
      summary = summary.plus(new Summary(1, 0, 0, 0, 1));
    }

    Outcome outcome(Histories.Range range) {
      vanished.forEach(
          (column, anchor) ->
              found(
                  new Finding(
                      KeyText.ofColumn(column),
                      1,
                      "is missing with its whole history: %s names version %d"
                          .formatted(anchor.source(), anchor.version()))));
      return new Outcome(range, summary, List.copyOf(findings));
    }
  }
}
