package dev.tenure.persistence.start;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.start.StartKeys.Claim;
import dev.tenure.persistence.storage.PostgresStorage;
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
    keys = new StartKeys(storage.dataSource());
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

  @Test
  void aKeyIsForgottenWithItsWorkflowAndNotBeforeItCouldHaveStarted() {
    keys.claim("fresh", claim("never-started", "h"));
    keys.claim("old", claim("long-gone", "h"));
    database.execute(
        "UPDATE start_key SET claimed_at = now() - interval '2 days' WHERE key = 'old'");
    assertThat(keys.purge(100)).isEqualTo(1);
    assertThat(keys.claim("old", claim("another", "h2")).workflowId().value()).isEqualTo("another");
    assertThat(keys.claim("fresh", claim("another", "h2")).workflowId().value())
        .isEqualTo("never-started");
  }
}
