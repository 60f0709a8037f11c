package dev.tenure.persistence.watch;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitId;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.loss.LossReport;
import dev.tenure.persistence.loss.Losses;
import dev.tenure.persistence.loss.Losses.AcceptedSignal;
import dev.tenure.persistence.loss.StoreMark;
import dev.tenure.persistence.signal.InboxRead;
import dev.tenure.persistence.signal.PendingSignal;
import dev.tenure.persistence.signal.Signal;
import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.persistence.signal.Signals;
import dev.tenure.persistence.storage.ForwardingStorage;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A storage that remembers the newest answers that it gave to this node, and finds out when the
 * store does not have them any more. A primary acknowledges what its standby may not have yet; when
 * the standby takes over, the end of the log is gone.
 *
 * <p>A loss cuts off the end of the log. So the newest answers from before it tell: when they are
 * stored, nothing older is missing. They are looked for when something says that the server may
 * have changed: a call that broke, a head that is behind its owner, or the mark of the store.
 */
public final class LossWatch extends ForwardingStorage {
  private static final Logger log = LoggerFactory.getLogger(LossWatch.class);

  /** More than a node is given between two looks, even at full speed. */
  static final int COMMITS_KNOWN = 1 << 16;

  static final int SIGNALS_KNOWN = 1 << 14;

  /**
   * Without other evidence, older answers are not looked for: what they are of may have been
   * removed. No standby is behind by as much.
   */
  static final Duration RECENT = Duration.ofMinutes(10);

  private static final int ASKED_AT_ONCE = 1_000;
  private static final int HEADS_MAX = 100;
  private static final long ALL_NANOS = Long.MAX_VALUE;

  private final String node;
  private final LongSupplier nanoTime;
  private final Losses losses;
  private final Signals signals = new WatchedSignals();
  private final RecentAnswers<CommitId> commits = new RecentAnswers<>(COMMITS_KNOWN);
  private final RecentAnswers<AcceptedSignal> accepted = new RecentAnswers<>(SIGNALS_KNOWN);
  private final AtomicBoolean suspect = new AtomicBoolean();
  private final Queue<String> headsBehind = new ConcurrentLinkedQueue<>();
  private final Queue<LossReport> unrecorded = new ConcurrentLinkedQueue<>();
  private Optional<StoreMark> mark = Optional.empty();

  /**
   * @param node whose answers they are, for reports
   * @param nanoTime a clock that only measures, as {@link System#nanoTime}
   */
  public LossWatch(Storage inner, String node, LongSupplier nanoTime) {
    super(inner);
    this.node = node;
    this.nanoTime = nanoTime;
    this.losses = inner.losses();
  }

  @Override
  public List<CommitResult> commit(List<Commit> batch) {
    List<CommitResult> results = watched(() -> inner.commit(batch));
    List<CommitId> stored = new ArrayList<>(batch.size());
    List<AcceptedSignal> taken = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      Commit commit = batch.get(i);
      CommitId id = commit.id();
      switch (results.get(i)) {
        case CommitResult.Committed committed -> {
          stored.add(id);
          for (SideRow row : commit.sideRows())
            if (row instanceof SideRow.SignalTaken each && isKept(each.retention()))
              taken.add(taken(each));
        }
        case CommitResult.Conflict conflict -> compare(id, conflict);
        case CommitResult.Unknown unknown -> suspect.set(true);
        case CommitResult.Fenced fenced -> {}
        case CommitResult.SignalNotTaken notTaken -> {}
      }
    }
    commits.add(stored, nanoTime.getAsLong());
    if (!taken.isEmpty()) accepted.add(taken, nanoTime.getAsLong());
    return results;
  }

  /** Its sender was told by the owner, whose commit accepted it. */
  private static AcceptedSignal taken(SideRow.SignalTaken row) {
    Signal signal = row.signal();
    return new AcceptedSignal(signal.workflowId().value(), signal.name(), signal.id());
  }

  /** An owner commits behind what it has read, or has been told: that much was stored. */
  private void compare(CommitId id, CommitResult.Conflict conflict) {
    if (conflict.foundVersion() >= conflict.expectedVersion()) return;
    suspect.set(true);
    // A workflow without any row may have been removed.
    if (conflict.foundVersion() > 0 && headsBehind.size() < HEADS_MAX)
      headsBehind.add(
          "%s: version %d was stored, and the newest is %d"
              .formatted(id.persistenceId(), conflict.expectedVersion(), conflict.foundVersion()));
  }

  @Override
  public Signals signals() {
    return signals;
  }

  /** An answer that may have been removed when it is looked for is not remembered. */
  private static boolean isKept(Duration retention) {
    return retention.compareTo(RECENT) > 0;
  }

  /** The caller of a broken call is told by its error; others are not. */
  private <T> T watched(Supplier<T> call) {
    try {
      return call.get();
    } catch (StorageException e) {
      if (e.answer().isEmpty() && !(e instanceof StorageException.Refused)) suspect.set(true);
      throw e;
    }
  }

  private final class WatchedSignals implements Signals {
    @Override
    public List<SignalResult> accept(List<Signal> batch, Duration retention) {
      List<SignalResult> results = watched(() -> inner.signals().accept(batch, retention));
      List<AcceptedSignal> stored = new ArrayList<>();
      for (SignalResult each : results)
        if (each instanceof SignalResult.Accepted a)
          stored.add(
              new AcceptedSignal(
                  a.result().workflowId().value(), a.result().signalName(), a.result().signalId()));
      if (isKept(retention)) accepted.add(stored, nanoTime.getAsLong());
      return results;
    }

    @Override
    public List<List<PendingSignal>> pending(List<InboxRead> reads) {
      return inner.signals().pending(reads);
    }

    @Override
    public List<List<PendingSignal>> unconsumed(List<InboxRead> reads) {
      return inner.signals().unconsumed(reads);
    }

    @Override
    public int purgeAnswers(int limit) {
      return inner.signals().purgeAnswers(limit);
    }
  }

  /**
   * Looks at the store. To be called every few seconds, by one thread.
   *
   * @return a report of what is missing; it is logged, and kept in the store as soon as the store
   *     takes it
   */
  public Optional<LossReport> look() {
    boolean asked = suspect.getAndSet(false);
    try {
      Optional<StoreMark> now = losses.mark();
      List<String> evidence = evidence(now);
      boolean moved = mark.isPresent() && now.isPresent() && mark.get().isElsewhere(now.get());
      Optional<LossReport> report =
          asked || moved || !evidence.isEmpty() ? examine(evidence, moved) : Optional.empty();
      mark = now;
      report.ifPresent(unrecorded::add);
      record();
      return report;
    } catch (StorageException e) {
      suspect.set(true);
      log.debug("the store could not be looked at: {}", e.getMessage());
      return Optional.empty();
    }
  }

  private List<String> evidence(Optional<StoreMark> now) {
    return mark.isPresent() && now.isPresent() ? mark.get().evidenceIn(now.get()) : List.of();
  }

  private Optional<LossReport> examine(List<String> evidence, boolean moved) {
    long age = evidence.isEmpty() ? RECENT.toNanos() : ALL_NANOS;
    long now = nanoTime.getAsLong();
    RecentAnswers.Taken<CommitId> ofCommits = commits.since(now, age);
    RecentAnswers.Taken<AcceptedSignal> ofSignals = accepted.since(now, age);
    List<String> missing = new ArrayList<>();
    for (CommitId id : missing(ofCommits.answers(), losses::missingCommits))
      missing.add("%s: version %d".formatted(id.persistenceId(), id.version()));
    for (AcceptedSignal signal : missing(ofSignals.answers(), losses::missingSignals))
      missing.add(
          "workflow|%s: signal %s, %s".formatted(signal.workflowId(), signal.name(), signal.id()));
    List<String> shown = new ArrayList<>(evidence);
    for (String head = headsBehind.poll(); head != null; head = headsBehind.poll()) shown.add(head);
    int known = ofCommits.answers().size() + ofSignals.answers().size();
    if (missing.isEmpty() && shown.size() == evidence.size()) {
      if (moved || !evidence.isEmpty())
        log.warn(
            "another server answers, or the same with another past{}. It has the {} newest answers"
                + " that this node was given",
            evidence.isEmpty() ? "" : ": " + String.join("; ", evidence),
            known);
      return Optional.empty();
    }
    LossReport report = LossReport.of(inner.time(), node, shown, missing, known);
    commits.forget(ofCommits);
    accepted.forget(ofSignals);
    log.error("{}", report.text());
    return Optional.of(report);
  }

  private static <T> List<T> missing(List<T> answers, Function<List<T>, List<T>> store) {
    List<T> missing = new ArrayList<>();
    for (int i = 0; i < answers.size(); i += ASKED_AT_ONCE)
      missing.addAll(store.apply(answers.subList(i, Math.min(answers.size(), i + ASKED_AT_ONCE))));
    return missing;
  }

  private void record() {
    for (LossReport each = unrecorded.peek(); each != null; each = unrecorded.peek()) {
      losses.record(each);
      unrecorded.remove();
    }
  }
}
