package dev.tenure.sharding.workflow;

import dev.tenure.persistence.entry.HistoryChain;
import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.entry.JournalEntryCodec;
import dev.tenure.persistence.journal.JournalRead;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.sharding.host.Host;
import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Fork;
import dev.tenure.workflow.kernel.Sizes;
import dev.tenure.workflow.kernel.Start;
import dev.tenure.workflow.operation.OperationId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Reads the history of one workflow, and makes the history of another one out of it. */
final class Forks {
  /**
   * The most bytes that an event has besides its payload and {@link Sizes#requestBytes}, unless its
   * names are very long.
   */
  private static final int EVENT_BYTES = 256;

  /**
   * How many times the size of a commit is read of a run at most. The copy of a longer run would
   * hardly fit into one commit.
   */
  private static final int READ_TIMES = 16;

  /** Journal entries may be large, and two forks read at once. */
  private static final int PAGE_COMMITS = 100;

  /** How long a fork waits for other forks on the node: as long as its caller waits. */
  private static final Duration TURN_LIMIT = Duration.ofSeconds(20);

  private final Host host;

  /** The copied history is one commit: either all of the new workflow exists, or nothing. */
  private final long bytesMax;

  private final int pageCommits;

  Forks(Host host) {
    this.host = host;
    this.bytesMax = host.limits.forkBytes();
    this.pageCommits = Math.min(PAGE_COMMITS, host.limits.rowsPerPage());
  }

  /** Blocks, also while other forks read: few histories are in memory at the same time. */
  List<Event> make(ForkRequest request) {
    try {
      if (!host.forking.tryAcquire(TURN_LIMIT.toMillis(), TimeUnit.MILLISECONDS))
        throw new WorkflowError.NotNow(
            request.source(),
            "%d forks are read on this node. Ask again.".formatted(Host.FORKS_MAX));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new WorkflowError.NotNow(request.source(), "The node is stopping.");
    }
    try {
      return made(request);
    } catch (RuntimeException e) {
      throw HistoryPage.refusal(request.source(), e);
    } finally {
      host.forking.release();
    }
  }

  private List<Event> made(ForkRequest request) {
    List<Event> history = new ArrayList<>();
    long version = read(request, history);
    if (version == 0) throw new WorkflowError.NotFound(request.source());
    List<Event> run = history.subList(Fork.beginning(history), history.size());
    Start old = Fork.start(run.getFirst());
    if (old.accounting().isOfGraph()) throw new WorkflowError.NotForkable(request.source());
    var source = new Fork.Source(request.source(), old.runId(), version, request.from());
    List<Event> made =
        Fork.of(run, start(request, old, version(run)), source, host.clock.instant())
            .orElseThrow(() -> new WorkflowError.NoSuchOperation(request.source(), request.from()));
    long bytes = 0;
    for (Event event : made) bytes += bytes(event);
    if (bytes > bytesMax) throw tooLarge(request, bytes);
    return made;
  }

  private static long bytes(Event event) {
    return EVENT_BYTES + Sizes.requestBytes(event) + Sizes.payloadBytes(event);
  }

  private WorkflowError tooLarge(ForkRequest request, long bytes) {
    return new WorkflowError.OverLimit(
        request.source(), "FORK_BYTES_MAX", bytes, bytesMax, "Fork from an earlier operation.");
  }

  /** The version that the run has now: the record may be of code that it was moved away from. */
  private static int version(List<Event> run) {
    int version = Fork.start(run.getFirst()).type().version();
    for (Event event : run) if (event instanceof Event.Repinned moved) version = moved.version();
    return version;
  }

  private Start start(ForkRequest request, Start old, int version) {
    Map<String, Attribute> attributes = old.attributes();
    return new Start(
            request.id(),
            host.ids.get(),
            new WorkflowType(old.type().name(), request.version().orElse(version)),
            old.input(),
            // All random values before the fork came from this seed, and the copy must get them
            // again.
            old.seed(),
            Optional.of(request.request().orElseGet(host.ids)),
            // No parent waits for the new workflow's result: the parent of the old one gets the old
            // one's.
            Optional.empty(),
            old.executionTimeout(),
            attributes,
            old.trace())
        .of(old.kind());
  }

  /**
   * Reads the newest run up to the operation, and stops as soon as the copy is certainly too large.
   * Operations that are still open there are not copied, so more may be read than fits.
   */
  private long read(ForkRequest request, List<Event> history) {
    long version = 0;
    long bytes = 0;
    boolean past = false;
    HistoryChain chain = new HistoryChain(request.source());
    while (true) {
      JournalRead page =
          new JournalRead(
              Host.persistenceId(request.source()), version + 1, Long.MAX_VALUE, pageCommits, true);
      List<JournalRow> rows = host.storage.read(List.of(page)).getFirst();
      for (JournalRow row : rows) {
        JournalEntry entry = chain.next(JournalEntryCodec.decode(row, host.storage));
        for (Event event : entry.newestRun()) {
          if (Fork.followsRun(event)) {
            history.clear();
            bytes = 0;
            past = false;
          }
          if (past ? countsBehind(event) : !isLeftOut(event)) {
            history.add(event);
            bytes += bytes(event);
          }
          past |= asksFor(event, request.from());
        }
        version = row.version();
        if (bytes > READ_TIMES * bytesMax) throw tooLarge(request, bytes);
      }
      if (rows.size() < pageCommits) return version;
    }
  }

  private static boolean asksFor(Event event, OperationId operation) {
    return event instanceof Event.Scheduled asked && asked.operation().equals(operation)
        || event instanceof Event.ValueRecorded value && value.operation().equals(operation);
  }

  /** The version that the run has now, and the signals that its code has not received. */
  private static boolean countsBehind(Event event) {
    return event instanceof Event.Repinned || event instanceof Event.SignalReturned;
  }

  /** Events that no copy has, and of which a run may have any number. */
  private static boolean isLeftOut(Event event) {
    return event instanceof Event.AttemptFailed
        || event instanceof Event.AttemptStarted
        || event instanceof Event.Redelivered
        || event instanceof Event.Retried
        || event instanceof Event.Concluded;
  }
}
