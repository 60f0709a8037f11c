package dev.tenure.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.storage.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Lists of incidents go along their indexes. */
class IncidentPlansTest {
  private static TestDatabase database;

  @BeforeAll
  static void open() {
    database = TestDatabase.migrated();
    database.execute(
        """
        INSERT INTO incident (workflow_id, run_id, type, type_version, shard, version, since, kind,
          fingerprint, evidence)
        SELECT 'w-' || n, 'r-' || n, 'type-' || n % 5, 1, n % 64, 1,
          now() - n * interval '1 second', 'kind-' || n % 3, 'f-' || n % 100, 'evidence'
        FROM generate_series(1, 20000) n
        """);
    database.execute("ANALYZE incident");
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @Test
  void theNewestAreReadFromTheEndOfAnIndex() {
    assertThat(Plans.plan(database, PostgresIncidents.LIST))
        .contains("Index Scan Backward using incident_list")
        .contains("ROW(since, number) <");
  }

  @Test
  void thoseOfOneCauseStandTogether() {
    assertThat(Plans.plan(database, PostgresIncidents.LIST_OF_GROUP))
        .contains("Index Scan Backward using incident_groups")
        .contains("(fingerprint = $1)");
  }

  @Test
  void causesAreFoundByJumpingFromOneToTheNext() {
    assertThat(Plans.plan(database, PostgresIncidents.GROUPS))
        .contains("Index Only Scan using incident_groups")
        .doesNotContain("Seq Scan on incident");
  }
}
