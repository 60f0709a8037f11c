package dev.tenure.sharding.workflow;

import dev.tenure.persistence.entry.HistoryChain;
import dev.tenure.persistence.entry.JournalEntryCodec;
import dev.tenure.persistence.journal.JournalRead;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.sharding.host.Host;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Start;
import dev.tenure.workflow.kernel.Status;
import java.util.List;
import java.util.Optional;

/**
 * Finds in the journal how a run ended after another start has taken its place: the owner keeps
 * nothing of such a run. A run and the runs that it continued as count as one and have the same
 * end.
 */
final class RunEnds {
  private static final int PAGE_ROWS = 500;

  /** What the journal says of the run. */
  sealed interface Found {
    record EndedAs(Workflows.Ended ended) implements Found {}

    /**
     * It is the newest run, or one that continued as it.
     *
     * @param firstRunId of the run that began with the same start
     */
    record Newest(String firstRunId) implements Found {}

    /** The journal has no such run as far as it was read. */
    record None(Read read) implements Found {}
  }

  /**
   * What was read of the journal.
   *
   * @param to the newest version
   * @param firstRunId of the run that began with the newest start
   */
  record Read(long to, String firstRunId) {
    static final Read NOTHING = new Read(0, "");
  }

  private final Storage storage;
  private final WorkflowId id;
  private boolean isOfIt;
  private long readTo;
  private String firstRunId;
  private Optional<Workflows.Ended> ended = Optional.empty();

  /**
   * @param before what was read before, and does not have the run
   */
  RunEnds(Storage storage, WorkflowId id, Read before) {
    this.storage = storage;
    this.id = id;
    this.readTo = before.to();
    this.firstRunId = before.firstRunId();
  }

  /** Reads the history, page by page, until the run has ended. Blocks. */
  Found find(String runId) {
    HistoryChain chain = new HistoryChain(id);
    while (true) {
      JournalRead read =
          new JournalRead(Host.persistenceId(id), readTo + 1, Long.MAX_VALUE, PAGE_ROWS);
      List<JournalRow> rows = storage.read(List.of(read)).getFirst();
      for (JournalRow row : rows)
        for (Event event : chain.next(JournalEntryCodec.decode(row, storage)).events()) {
          if (event instanceof Event.StartedAgain && ended.isPresent())
            return new Found.EndedAs(ended.get());
          look(event, runId);
        }
      if (!rows.isEmpty()) readTo = rows.getLast().version();
      if (rows.size() < PAGE_ROWS) break;
    }
    return isOfIt ? new Found.Newest(firstRunId) : new Found.None(new Read(readTo, firstRunId));
  }

  private void look(Event event, String runId) {
    switch (event) {
      case Event.Started e -> begins(e.start(), runId);
      case Event.StartedAgain e -> begins(e.start(), runId);
      case Event.ContinuedAsNew e -> isOfIt |= e.start().runId().equals(runId);
      case Event.Ended e -> {
        if (isOfIt) ended = Optional.of(new Workflows.Ended(Status.of(e.outcome()), e.outcome()));
      }
      case Event.OfOperation _,
          Event.OfEngine _,
          Event.SignalReturned _,
          Event.AttributesChanged _,
          Event.CancelRequested _,
          Event.DeadlinePassed _,
          Event.UpdateAdmitted _,
          Event.UpdateAnswered _,
          Event.SourceChildStarted _,
          Event.SourceSignalNotReceived _,
          Event.Forked _ -> {}
    }
  }

  private void begins(Start start, String runId) {
    firstRunId = start.runId();
    isOfIt = firstRunId.equals(runId);
  }
}
