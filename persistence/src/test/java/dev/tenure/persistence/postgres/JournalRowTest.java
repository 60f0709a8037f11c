package dev.tenure.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitId;
import dev.tenure.persistence.commit.CommitResult.Committed;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.Writers;
import dev.tenure.persistence.journal.JournalRead;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Leases.Claim;
import dev.tenure.persistence.lease.Membership;
import dev.tenure.persistence.storage.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;

/** What a row of the journal takes, and how a journal of longer rows becomes one of these. */
class JournalRowTest {
  private static final Holder NORA = new Holder("nora:7355", 1);

  private static List<String> query(TestDatabase database, String sql) {
    try (Connection connection = database.owner();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> found = new ArrayList<>();
      while (rows.next()) found.add(rows.getString(1));
      return found;
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  private static long number(TestDatabase database, String sql) {
    return Long.parseLong(query(database, sql).getFirst());
  }

  private static Commit commit(PostgresStorage storage, String id, byte[] payload) {
    Claim claim = storage.leases().acquire(1, NORA, Membership.UNKNOWN, Duration.ofMinutes(10));
    Fence fence = new Fence(1, ((Claim.Granted) claim).epoch(), NORA.incarnation());
    Commit commit =
        new Commit(new CommitId(id, 1, Writers.named("w")), fence, "s", payload, List.of());
    assertThat(storage.commit(List.of(commit))).containsExactly(new Committed(1));
    return commit;
  }

  private static List<JournalRow> history(PostgresStorage storage, String id) {
    return storage.read(List.of(new JournalRead(id, 1, Long.MAX_VALUE, 10))).getFirst();
  }

  @Test
  void theRowOfAStepIsShort() {
    try (TestDatabase database = TestDatabase.migrated();
        PostgresStorage storage = database.open()) {
      String id = UUID.randomUUID().toString();
      commit(storage, id, new byte[111]);
      assertThat(number(database, "SELECT pg_column_size(j.*) FROM event_journal j"))
          .as("its header, and what the columns have to have: nothing between them, no null")
          .isEqualTo(24 + 8 + 8 + 4 + 16 + (1 + id.length()) + 2 + (1 + 111));
    }
  }

  @Test
  void whatIsLargeIsCompressedAndWhatIsRandomIsLeftAlone() {
    byte[] order =
        "{\"article\": \"blue paint\", \"pieces\": 12}, "
            .repeat(200)
            .getBytes(StandardCharsets.UTF_8);
    byte[] encrypted = new byte[order.length];
    new Random(7).nextBytes(encrypted);
    try (TestDatabase database = TestDatabase.migrated();
        PostgresStorage storage = database.open()) {
      Map.of("plain", order, "encrypted", encrypted)
          .forEach(
              (id, payload) -> {
                commit(storage, id, payload);
                assertThat(history(storage, id).getFirst().payload()).isEqualTo(payload);
              });
      String stored =
          "SELECT pg_column_size(event_payload) FROM event_journal WHERE persistence_id = ";
      assertThat(number(database, stored + "'plain'")).isLessThan(order.length / 5);
      assertThat(number(database, stored + "'encrypted'")).isEqualTo(encrypted.length);
    }
  }

  @Test
  void rowsThatAreNeverChangedAreFrozenByTheFirstVacuum() {
    try (TestDatabase database = TestDatabase.migrated()) {
      assertThat(
              query(
                  database,
                  """
                  SELECT c.relname FROM pg_class c, pg_class t
                  WHERE c.relname IN ('event_journal', 'payload') AND t.oid = c.reltoastrelid
                    AND 'autovacuum_freeze_min_age=0' = ALL (ARRAY[
                      (SELECT o FROM unnest(c.reloptions) o WHERE o LIKE '%freeze_min_age%'),
                      (SELECT o FROM unnest(t.reloptions) o WHERE o LIKE '%freeze_min_age%')])
                  ORDER BY c.relname\
                  """))
          .containsExactly("event_journal", "payload");
    }
  }

  @Test
  void aJournalOfLongerRowsIsCopied() {
    try (TestDatabase database = TestDatabase.empty()) {
      migrate(database, "12");
      database.execute(
          """
          INSERT INTO event_journal (persistence_id, sequence_number, writer, shard, epoch,
            event_ser_id, event_ser_manifest, event_payload, write_timestamp)
          VALUES ('workflow|a', 1, 'one-1', 7, 3, 740001, 'r', '\\x01', 5),
            ('workflow|a', 2, 'one-2', 7, 4, 740001, 's', '\\x02', 6),
            ('workflow|workflow|b', 1, 'two', 8, 1, 740001, 's', '\\x03', 7),
            ('other|c', 1, 'three', 9, 1, 7, 'Step', '\\x04', 8)\
          """);
      try (PostgresStorage storage = database.open()) {
        assertThat(history(storage, "a"))
            .extracting(
                JournalRow::version,
                JournalRow::epoch,
                JournalRow::shard,
                JournalRow::beginsRun,
                row -> row.payload()[0])
            .containsExactly(
                org.assertj.core.groups.Tuple.tuple(1L, 3L, 7, true, (byte) 1),
                org.assertj.core.groups.Tuple.tuple(2L, 4L, 7, false, (byte) 2));
        assertThat(history(storage, "a")).extracting(JournalRow::writer).doesNotHaveDuplicates();
        assertThat(history(storage, "workflow|b")).hasSize(1);
        assertThat(history(storage, "other|c"))
            .extracting(JournalRow::manifest)
            .containsExactly("7:Step");
        commit(storage, "new", new byte[1]);
      }
      assertThat(
              query(database, "SELECT indexname FROM pg_indexes WHERE tablename = 'event_journal'"))
          .containsExactlyInAnyOrder("event_journal_pkey", "event_journal_runs");
      assertThat(query(database, "SELECT relname FROM pg_class WHERE relname LIKE '%ordering%'"))
          .isEmpty();
    }
  }

  private static void migrate(TestDatabase database, String target) {
    Flyway.configure()
        .dataSource(database.url(), dev.tenure.persistence.embedded.LocalPostgres.OWNER, "")
        .loggers("slf4j")
        .locations(Migrations.LOCATION)
        .table(Migrations.HISTORY_TABLE)
        .target(target)
        // The grants are those of all tables.
        .repeatableSqlMigrationPrefix("none")
        .placeholders(
            Map.of("application_role", dev.tenure.persistence.embedded.LocalPostgres.APPLICATION))
        .load()
        .migrate();
  }
}
