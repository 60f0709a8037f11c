package dev.tenure.sharding.node;

import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.entry.Snapshot;
import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.host.RecoveryPermits;
import dev.tenure.sharding.message.Message;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.owner.OwnerLoop;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.persistence.JournalProtocol;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the history for an owner's actor. Once the node permits it, it asks Pekko's journal for the
 * first rows, looks for a snapshot when there may be many more, and asks for the rest.
 */
final class HistoryReading {
  /** The messages to the actor while it reads, beside the journal's answers. */
  sealed interface Told {
    long number();

    /** The history may be read now. */
    record MayRead(long number) implements Told {}

    /**
     * The result of the look for a snapshot.
     *
     * @param readTo the version up to which the history was read before
     */
    record Looked(long number, long readTo, Optional<Snapshot> found) implements Told {}
  }

  private static final Logger log = LoggerFactory.getLogger(HistoryReading.class);

  private final Host host;
  private final WorkflowId id;
  private final ActorRef journal;
  private final ActorRef actor;
  private final OwnerLoop<Message, JournalEntry, Snapshot> loop;
  private final AnswerDeadline deadline;

  /** The number of the loop's last request for the history. */
  private long number;

  private int rowsRead;
  private boolean hasLooked;

  /**
   * The version up to which was read before the look for a snapshot that is under way; empty when
   * none is.
   */
  private OptionalLong looksBehind = OptionalLong.empty();

  private RecoveryPermits.Permit permit;

  /**
   * @param actor the owner's actor, which gets the journal's answers and {@link Told}
   */
  HistoryReading(
      Host host,
      WorkflowId id,
      ActorRef journal,
      ActorRef actor,
      OwnerLoop<Message, JournalEntry, Snapshot> loop,
      AnswerDeadline deadline) {
    this.host = host;
    this.id = id;
    this.journal = journal;
    this.actor = actor;
    this.loop = loop;
    this.deadline = deadline;
  }

  /** The number under which the loop waits for the history. */
  long number() {
    return number;
  }

  void begin(long number) {
    forget();
    this.number = number;
    rowsRead = 0;
    hasLooked = false;
    looksBehind = OptionalLong.empty();
    permit = host.recoveries.take(() -> tell(new Told.MayRead(number)));
    if (permit.isRunning()) readFirst();
  }

  void on(Told told) {
    switch (told) {
      case Told.MayRead mayRead -> {
        if (loop.awaits(mayRead.number())) readFirst();
        else end();
      }
      case Told.Looked(long asked, long readTo, var found) -> {
        // A snapshot that comes too late is ignored: the history is being read without it.
        if (loop.awaits(asked) && looksBehind.isPresent()) looked(readTo, found);
      }
    }
  }

  void rowRead(JournalProtocol.ReplayedMessage row) {
    deadline.await(host.settings.journal().readSilenceMax());
    rowsRead++;
    JournalEntry entry = (JournalEntry) row.persistent().payload();
    if (permit != null) permit.read(bytes(entry));
    loop.entryRead(number, entry);
  }

  private static long bytes(JournalEntry entry) {
    long bytes = entry.size();
    for (Payload large : entry.apart()) bytes += large.size();
    return bytes;
  }

  void failed(Throwable failure) {
    end();
    loop.historyFailed(number, failure);
  }

  /** There may be many more rows: looks for a snapshot, which may save reading them. */
  void wasRead(long readTo) {
    if (hasLooked || rowsRead < host.limits.rowsBeforeSnapshot()) {
      deadline.answered();
      if (permit != null) permit.wasRead();
      loop.historyRead(number);
      return;
    }
    hasLooked = true;
    looksBehind = OptionalLong.of(readTo);
    deadline.await(host.settings.journal().lookSilenceMax());
    long asked = number;
    host.reading(() -> host.snapshotReader.find(id, Host.persistenceId(id), readTo))
        .whenComplete(
            (found, failure) ->
                tell(new Told.Looked(asked, readTo, failure == null ? found : Optional.empty())));
  }

  /** Whether a look for a snapshot got no answer. Then the whole history is read. */
  boolean goesOnWithoutSnapshot() {
    if (looksBehind.isEmpty()) return false;
    host.snapshotReader.noAnswer(id);
    log.warn(
        "workflow {}: the store does not say whether there is a snapshot: the whole history is"
            + " read",
        id);
    looked(looksBehind.getAsLong(), Optional.empty());
    return true;
  }

  /** The history is not wanted any more: another owner of the node may read. */
  void end() {
    deadline.answered();
    forget();
  }

  /** The history is not kept in memory any more. */
  void forget() {
    if (permit != null) permit.end();
    permit = null;
  }

  private void looked(long readTo, Optional<Snapshot> found) {
    looksBehind = OptionalLong.empty();
    found.ifPresent(snapshot -> loop.snapshotRead(number, snapshot));
    read(found.map(snapshot -> snapshot.readOn(readTo)).orElse(readTo + 1), Long.MAX_VALUE);
  }

  private void readFirst() {
    read(1, host.limits.rowsBeforeSnapshot());
  }

  private void read(long from, long max) {
    deadline.await(host.settings.journal().readSilenceMax());
    journal.tell(
        new JournalProtocol.ReplayMessages(
            from, Long.MAX_VALUE, max, Host.persistenceId(id), actor),
        actor);
  }

  private void tell(Told told) {
    actor.tell(told, ActorRef.noSender());
  }
}
