package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.entry.JournalEntryCodec;
import dev.tenure.persistence.journal.JournalRead;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.sharding.host.Host;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Fork;
import dev.tenure.workflow.operation.OperationId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What stands in the database, read without asking any workflow. */
final class Journal {
  private Journal() {}

  static List<JournalEntry> steps(Storage storage, String id) {
    List<JournalRow> rows =
        storage
            .read(
                List.of(
                    new JournalRead(
                        Host.persistenceId(WorkflowId.of(id)), 1, Long.MAX_VALUE, 10_000)))
            .getFirst();
    return rows.stream().map(row -> JournalEntryCodec.decode(row, storage.payloads())).toList();
  }

  /**
   * Versions without a gap, each commit linked to the one before, each operation's result recorded
   * once in its run, nothing of a run after its end (I2, I4, I6). Returns its events.
   */
  static List<Event> whole(Storage storage, String id) {
    List<JournalEntry> entries = steps(storage, id);
    List<Event> events = new ArrayList<>();
    Set<OperationId> out = new HashSet<>();
    for (int i = 0; i < entries.size(); i++) {
      JournalEntry entry = entries.get(i);
      assertThat(entry.head().version()).as(id).isEqualTo(i + 1);
      if (i > 0) entry.requireAfter(entries.get(i - 1));
      events.addAll(entry.events());
    }
    for (int i = 0; i < events.size(); i++) {
      if (events.get(i) instanceof Event.Completed completed)
        assertThat(out.add(completed.operation())).as(id + " " + completed).isTrue();
      if (events.get(i) instanceof Event.Closed && i + 1 < events.size())
        assertThat(events.get(i + 1)).as(id).isInstanceOf(Event.StartedAgain.class);
      if (Fork.followsRun(events.get(i))) out.clear();
    }
    return events;
  }
}
