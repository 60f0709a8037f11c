package dev.tenure.sharding.wake;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.entry.Authorship;
import dev.tenure.persistence.entry.ChainLink;
import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.entry.JournalEntryCodec;
import dev.tenure.persistence.entry.JournalEntrySerializer;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.persistence.shard.ShardOf;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Start;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Makes many workflows of one, straight in the database: as if each had been started and had come
 * as far as the template.
 */
final class CopiedHistories {
  private static final int BATCH_ROWS = 500;
  private static final JournalEntrySerializer BYTES = new JournalEntrySerializer(Payloads.NONE);

  private final TestDatabase database;
  private final String template;

  CopiedHistories(TestDatabase database, String template) {
    this.database = database;
    this.template = template;
  }

  private static int shard(String id) {
    return ShardOf.workflow(id, TestDatabase.IDENTITY.shards());
  }

  /** The rows that say what is due, without a history. */
  void rows(List<String> ids) {
    String sql =
        """
        INSERT INTO workflow (started_at, wake_at, signals, run_id, shard, type_version, id, type,
          status, parent)
        SELECT t.started_at, clock_timestamp(), t.signals, t.run_id, c.shard, t.type_version, c.id,
          t.type, t.status, t.parent
        FROM workflow t, unnest(?::text[], ?::int4[]) WITH ORDINALITY AS c (id, shard, number)
        WHERE t.id = ? ORDER BY c.number
        """;
    try (Connection connection = database.owner();
        PreparedStatement insert = connection.prepareStatement(sql)) {
      insert.setArray(1, connection.createArrayOf("text", ids.toArray()));
      insert.setObject(2, ids.stream().mapToInt(CopiedHistories::shard).toArray());
      insert.setString(3, template);
      insert.executeUpdate();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  void histories(List<String> ids) {
    String sql =
        """
        INSERT INTO event_journal (sequence_number, epoch, shard,
          persistence_id, writer, event_ser_manifest, event_payload)
        SELECT t.sequence_number, t.epoch, ?, ?, t.writer,
          t.event_ser_manifest, ?
        FROM event_journal t WHERE t.persistence_id = ? AND t.sequence_number = ?
        """;
    List<JournalEntry> entries = entries();
    try (Connection connection = database.owner();
        PreparedStatement insert = connection.prepareStatement(sql)) {
      connection.setAutoCommit(false);
      int rows = 0;
      for (String id : ids)
        for (JournalEntry entry : copies(entries, id)) {
          insert.setInt(1, shard(id));
          insert.setString(2, id);
          insert.setBytes(3, BYTES.toBinary(entry));
          insert.setString(4, template);
          insert.setLong(5, entry.head().version());
          insert.addBatch();
          if (++rows % BATCH_ROWS == 0) insert.executeBatch();
        }
      insert.executeBatch();
      connection.commit();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private List<JournalEntry> entries() {
    String sql =
        """
        SELECT event_payload, writer FROM event_journal
        WHERE persistence_id = ? ORDER BY sequence_number
        """;
    try (Connection connection = database.owner();
        PreparedStatement query = connection.prepareStatement(sql)) {
      query.setString(1, template);
      List<JournalEntry> all = new ArrayList<>();
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next())
          all.add(
              JournalEntryCodec.decode(rows.getBytes(1))
                  .of(new Authorship(WorkflowId.of(template), rows.getObject(2, UUID.class))));
      }
      return all;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Each entry names the one before by its hash, so all of them have to be made anew. */
  private static List<JournalEntry> copies(List<JournalEntry> entries, String id) {
    List<JournalEntry> all = new ArrayList<>();
    ChainLink link = ChainLink.NONE;
    for (JournalEntry entry : entries) {
      Fence fence = new Fence(shard(id), entry.fence().epoch(), entry.fence().incarnation());
      Authorship was = entry.authorship().orElseThrow();
      JournalEntry copy =
          JournalEntry.encode(
                  new Authorship(WorkflowId.of(id), was.writer()),
                  entry.events().stream().map(event -> of(event, id)).toList(),
                  entry.head(),
                  fence,
                  link)
              .with(List.of());
      link = copy.link();
      all.add(copy);
    }
    return all;
  }

  private static Event of(Event event, String id) {
    if (!(event instanceof Event.Started started)) return event;
    Start was = started.start();
    return new Event.Started(
        started.at(),
        new Start(
            WorkflowId.of(id),
            was.runId(),
            was.type(),
            was.input(),
            was.seed(),
            was.request(),
            was.origin(),
            was.executionTimeout(),
            was.attributes(),
            was.trace()),
        started.inception(),
        started.run());
  }
}
