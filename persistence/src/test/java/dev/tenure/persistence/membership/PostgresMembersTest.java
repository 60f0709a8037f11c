package dev.tenure.persistence.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.postgres.PostgresStorage;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.persistence.storage.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The promises, and what only a real server can show: races, locks, and time-outs. */
class PostgresMembersTest extends MembersContract {
  private TestDatabase database;
  private PostgresStorage storage;

  @BeforeEach
  void open() {
    database = TestDatabase.migrated();
    storage = database.open();
  }

  @AfterEach
  void close() {
    storage.close();
    database.close();
  }

  @Override
  protected Members members() {
    return storage.members();
  }

  @Test
  void ofManyThatStartAtOnceOnAnEmptyStoreExactlyOneFounds() throws Exception {
    long seed = Long.getLong("tenure.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int round = 0; round < 30; round++) {
      database.execute("DELETE FROM cluster_member");
      long before = members().roster().generation();
      int nodes = 2 + random.nextInt(4);
      List<Callable<Formation>> starts = new ArrayList<>();
      for (int i = 0; i < nodes; i++) {
        Holder self = new Holder("tenure@n" + i + ":1", random.nextLong());
        starts.add(() -> look(members(), self));
      }

      List<Formation> decisions = atOnce(starts);

      assertThat(decisions)
          .as("round %d, seed %d", round, seed)
          .filteredOn(Formation.Found.class::isInstance)
          .hasSize(1);
      assertThat(members().roster().generation()).isEqualTo(before + 1);
    }
  }

  @Test
  void aFullRestartInAnyOrderAndInterleavingFoundsExactlyOne() throws Exception {
    long seed = Long.getLong("tenure.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int round = 0; round < 20; round++) {
      database.execute("DELETE FROM cluster_member");
      int nodes = 2 + random.nextInt(3);
      for (int i = 0; i < nodes; i++) {
        Holder old = new Holder("tenure@n" + i + ":1", i);
        look(members(), old);
        members().joined(old, members().roster().generation());
      }
      long before = members().roster().generation();
      List<Callable<Formation>> restarts = new ArrayList<>();
      for (int i = 0; i < nodes; i++) {
        Holder self = new Holder("tenure@n" + i + ":1", 100 + random.nextInt(1_000_000));
        restarts.add(
            () -> {
              Newcomer newcomer = new Newcomer(members(), self, WINDOW, System::nanoTime);
              Formation formation = newcomer.look();
              long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
              // Whoever came first sees the others as members that may still live, and looks again.
              while (members().roster().generation() == before && System.nanoTime() < deadline) {
                formation = newcomer.look();
              }
              return formation instanceof Formation.Found ? formation : newcomer.look();
            });
      }

      List<Formation> decisions = atOnce(restarts);

      assertThat(decisions)
          .as("round %d, seed %d", round, seed)
          .filteredOn(Formation.Found.class::isInstance)
          .hasSize(1);
      assertThat(members().roster().generation()).isEqualTo(before + 1);
    }
  }

  @Test
  void ofHalvesThatRemoveEachOtherAtOnceOneRemains() throws Exception {
    for (int round = 0; round < 30; round++) {
      database.execute("DELETE FROM cluster_member");
      look(members(), A);
      look(members(), B);
      long generation = members().roster().generation();
      members().joined(B, generation);

      List<Standing> standings =
          atOnce(
              List.of(
                  () -> members().forget(A, generation, List.of(B)),
                  () -> members().forget(B, generation, List.of(A))));

      assertThat(standings).filteredOn(Standing.Current.class::isInstance).hasSize(1);
      assertThat(members().roster().rows()).hasSize(1);
    }
  }

  @Test
  void aSignOfLifeDuringAFoundingIsEitherBeforeItOrSuperseded() throws Exception {
    for (int round = 0; round < 30; round++) {
      database.execute("DELETE FROM cluster_member");
      look(members(), A);
      long generation = members().roster().generation();

      atOnce(
          List.of(
              () -> members().beat(A, generation, Duration.ZERO),
              () ->
                  members()
                      .seek(
                          B,
                          roster ->
                              new Formation.Found(generation + 1, Formation.Reason.ALL_SILENT))));

      assertThat(members().beat(A, generation, Duration.ZERO))
          .isEqualTo(new Standing.Superseded(generation + 1));
    }
  }

  @Test
  void theLockHeldBySomebodyElseIsWaitedForInTime() throws SQLException {
    try (Connection other = database.owner()) {
      other.setAutoCommit(false);
      other.createStatement().execute("SELECT FROM cluster_generation FOR UPDATE");

      assertThatThrownBy(() -> look(members(), A))
          .isInstanceOf(StorageException.Unavailable.class)
          .hasMessageContaining("looking for a cluster");
      other.rollback();
    }
    assertThat(look(members(), A)).isInstanceOf(Formation.Found.class);
  }

  @Test
  void aDecisionThatNeverEndsDoesNotKeepTheLock() {
    assertThatThrownBy(
            () ->
                members()
                    .seek(
                        A,
                        roster -> {
                          // As if this process were stopped here: the server ends its session.
                          awaitFounding(B);
                          return new Formation.Found(1, Formation.Reason.NO_OTHER_MEMBER);
                        }))
        .isInstanceOf(StorageException.class);
    assertThat(members().beat(B, 1, Duration.ZERO)).isEqualTo(new Standing.Current());
    assertThat(members().roster().generation()).isEqualTo(1);
  }

  private void awaitFounding(Holder node) {
    long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (System.nanoTime() < deadline) {
      try {
        if (look(members(), node) instanceof Formation.Found) return;
      } catch (StorageException.Unavailable stillLocked) {
        assertThat(stillLocked).hasMessageContaining("looking for a cluster");
      }
    }
    throw new AssertionError("the lock was kept for 20 s");
  }

  private static <T> List<T> atOnce(List<Callable<T>> tasks)
      throws InterruptedException, ExecutionException {
    try (ExecutorService threads = Executors.newFixedThreadPool(tasks.size())) {
      List<T> results = new ArrayList<>();
      for (Future<T> result : threads.invokeAll(tasks)) results.add(result.get());
      return results;
    }
  }
}
