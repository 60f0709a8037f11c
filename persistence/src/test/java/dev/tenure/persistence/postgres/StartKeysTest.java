package dev.tenure.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.start.StartKeys;
import dev.tenure.persistence.start.StartKeys.Claim;
import dev.tenure.persistence.start.StartKeys.Place;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.workflow.WorkflowId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class StartKeysTest {
  private static TestDatabase database;
  private static PostgresStorage storage;
  private static StartKeys keys;

  @BeforeAll
  static void open() {
    database = TestDatabase.migrated();
    storage = database.open();
    keys = storage.startKeys();
  }

  @AfterAll
  static void close() {
    storage.close();
    database.close();
  }

  private static Claim claim(String workflow, String hash) {
    return new Claim(WorkflowId.of(workflow), hash);
  }

  @Test
  void theFirstClaimStandsForEver() {
    Claim first = claim("w:1%", "h");
    assertThat(keys.claim("key\0:é", first)).isEqualTo(first);
    assertThat(keys.claim("key\0:é", first)).isEqualTo(first);
    assertThat(keys.claim("key\0:é", claim("w:2", "h"))).isEqualTo(first);
    assertThat(keys.claim("key\0:é", claim("w:1%", "other"))).isEqualTo(first);
    assertThat(keys.claim("key\0:e", claim("w:2", "h"))).isEqualTo(claim("w:2", "h"));
  }

  @Test
  void ofSimultaneousClaimsOneWinsAndAllHearOfIt() throws Exception {
    for (int round = 0; round < 20; round++) {
      String key = "race-" + round;
      CountDownLatch go = new CountDownLatch(1);
      List<CompletableFuture<Claim>> answers = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        Claim mine = claim("racer-" + i, "h" + i);
        answers.add(
            CompletableFuture.supplyAsync(
                () -> {
                  try {
                    go.await();
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                  return keys.claim(key, mine);
                },
                task -> Thread.ofVirtual().start(task)));
      }
      go.countDown();
      Set<Claim> heard = new HashSet<>();
      for (CompletableFuture<Claim> answer : answers) heard.add(answer.get());
      assertThat(heard).hasSize(1);
    }
  }

  /** In one walk through all keys. */
  private static int purged(int limit) {
    int removed = 0;
    Place place = Place.BEGINNING;
    do {
      StartKeys.Purged some = keys.purge(place, limit);
      removed += some.keys();
      place = some.next();
    } while (!place.equals(Place.BEGINNING));
    return removed;
  }

  private static void age(String pattern) {
    database.execute(
        "UPDATE start_key SET claimed_at = now() - interval '2 days' WHERE key LIKE '%s'"
            .formatted(pattern));
  }

  @Test
  void aWalkComesToEveryKeyInSmallBatchesAndSparesThoseOfWorkflows() {
    database.execute(
        """
        INSERT INTO workflow (id, shard, run_id, type, type_version, status, started_at)
        VALUES ('walk-7', 1, 'r', 't', 1, 'waiting', now())
        """);
    database.execute(
        """
        INSERT INTO workflow_closed (number, started_at, closed_at, signals, shard, type_version,
          id, run_id, type, status)
        VALUES (1, now(), now(), 0, 1, 1, 'walk-8', 'r', 't', 'failed')
        """);
    for (int i = 0; i < 25; i++) keys.claim("walk-" + i, claim("walk-" + i, "h"));
    age("walk-%");
    keys.claim("walk-young", claim("walk-young", "h"));
    assertThat(purged(4)).isEqualTo(23);
    assertThat(keys.claim("walk-7", claim("another", "h2"))).isEqualTo(claim("walk-7", "h"));
    assertThat(keys.claim("walk-8", claim("another", "h2"))).isEqualTo(claim("walk-8", "h"));
    assertThat(keys.claim("walk-young", claim("another", "h2")))
        .isEqualTo(claim("walk-young", "h"));
  }

  @Test
  void aClaimThatIsMadeAgainIsSparedBecauseItsStartIsTriedNow() {
    keys.claim("again", claim("not-yet", "h"));
    age("again");
    assertThat(keys.claim("again", claim("not-yet", "h"))).isEqualTo(claim("not-yet", "h"));
    assertThat(purged(100)).isZero();
    assertThat(keys.claim("again", claim("another", "h2"))).isEqualTo(claim("not-yet", "h"));
  }

  @Test
  void aWalkLooksKeysAndTheirWorkflowsUp() {
    database.execute(
        """
        INSERT INTO start_key (key, workflow_id, request_hash)
        SELECT 'plan-' || n, 'workflow-' || n, 'h' FROM generate_series(1, 20000) n
        """);
    database.execute("ANALYZE start_key");
    for (String plan : Plans.whenEmptyAndFull(database, PostgresStartKeys.PURGE)) {
      assertThat(plan)
          .contains("using start_key_pkey")
          .contains("using workflow_pkey")
          .contains("using workflow_closed_other_pkey")
          .contains("Index Cond: (key = ANY")
          .doesNotContain("Seq Scan");
    }
    database.execute("DELETE FROM start_key WHERE key LIKE 'plan-%'");
  }

  @Test
  void aKeyIsForgottenWithItsWorkflowAndNotBeforeItCouldHaveStarted() {
    keys.claim("fresh", claim("never-started", "h"));
    keys.claim("old", claim("long-gone", "h"));
    database.execute(
        "UPDATE start_key SET claimed_at = now() - interval '2 days' WHERE key = 'old'");
    assertThat(purged(100)).isEqualTo(1);
    assertThat(keys.claim("old", claim("another", "h2")).workflowId().value()).isEqualTo("another");
    assertThat(keys.claim("fresh", claim("another", "h2")).workflowId().value())
        .isEqualTo("never-started");
  }
}
