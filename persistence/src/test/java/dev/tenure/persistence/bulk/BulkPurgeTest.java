package dev.tenure.persistence.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.bulk.BulkOperation.Progress;
import dev.tenure.persistence.postgres.PostgresStorage;
import dev.tenure.persistence.storage.TestDatabase;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Old bulk operations go, and no other. */
class BulkPurgeTest {
  private static final Duration RETENTION = Duration.ofDays(30);

  @Test
  void onlyWhatIsLongFinishedOrWasNeverConfirmedIsRemoved() {
    try (TestDatabase database = TestDatabase.migrated();
        PostgresStorage storage = database.open()) {
      BulkOperations bulk = storage.bulkOperations();
      for (String id : new String[] {"done", "long done", "asked", "long asked", "long running"})
        bulk.propose(id, "c-" + id, "{}", 1);
      for (String id : new String[] {"done", "long done", "long running"}) bulk.confirm("c-" + id);
      for (String id : new String[] {"done", "long done"}) finish(bulk, id);
      database.execute(
          """
          UPDATE bulk_operation SET beat_at = beat_at - interval '31 days',
            created_at = created_at - interval '31 days' WHERE id LIKE 'long %'
          """);

      assertThat(bulk.purge(RETENTION, 1)).isEqualTo(1);
      assertThat(bulk.purge(RETENTION, 100)).isEqualTo(1);
      assertThat(bulk.purge(RETENTION, 100)).isZero();
      assertThat(bulk.find("done")).isPresent();
      assertThat(bulk.find("asked")).isPresent();
      assertThat(bulk.find("long running")).isPresent();
      assertThat(bulk.find("long done")).isEmpty();
      assertThat(bulk.find("long asked")).isEmpty();
    }
  }

  private static void finish(BulkOperations bulk, String id) {
    Progress before = bulk.find(id).orElseThrow().progress();
    assertThat(bulk.advance(id, BulkState.FINISHED, before)).isTrue();
  }
}
