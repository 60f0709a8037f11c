package dev.tenure.sharding.wake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.postgres.PostgresStorage;
import dev.tenure.persistence.shard.ShardOf;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.deployment.Deployments;
import dev.tenure.sharding.workflow.Coded;
import dev.tenure.sharding.workflow.TestNode;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node whose clock is ahead of the database's takes over a shard with a timer. */
class ClockAheadTest {
  private static final Duration SLEEP = Duration.ofSeconds(50);
  private static final int SHARD = ShardOf.workflow("sleeper", TestDatabase.IDENTITY.shards());
  private static TestDatabase database;
  private static PostgresStorage storage;

  @BeforeAll
  static void start() {
    database = TestDatabase.migrated();
    try (TestNode node =
        TestNode.start(database, new TestNode.Plan().with(Coded.class, Coded::new))) {
      Coded.begin(
          node,
          "sleeper",
          ctx -> {
            ctx.sleep(SLEEP);
            return "awake";
          });
    }
    storage = PostgresStorage.open(database.settings());
    storage.prepare(TestDatabase.IDENTITY);
  }

  @AfterAll
  static void stop() {
    storage.close();
    database.close();
  }

  private static final class Listening implements WakeScanner.Node {
    private final List<WorkflowId> woken = new ArrayList<>();

    @Override
    public Set<Integer> owned() {
      return Set.of(SHARD);
    }

    @Override
    public int shards() {
      return TestDatabase.IDENTITY.shards();
    }

    @Override
    public boolean mayHave(WorkflowType type) {
      return false;
    }

    @Override
    public boolean isGone(Holder holder) {
      return false;
    }

    @Override
    public boolean leads() {
      return false;
    }

    @Override
    public boolean isAtWork(WorkflowId id) {
      return false;
    }

    @Override
    public void countLosses(Set<Integer> shards) {}

    @Override
    public boolean isHeldBack(WorkflowId id) {
      return false;
    }

    @Override
    public boolean mayStart(WorkflowId id) {
      return true;
    }

    @Override
    public Object code() {
      return "its code";
    }

    @Override
    public void blocked(Set<Deployments.Blocked> shards) {}

    @Override
    public void wakeUnreadable(WorkflowId id) {
      throw new AssertionError("There is none: " + id);
    }

    @Override
    public void wake(WorkflowId id) {
      woken.add(id);
    }
  }

  private static InstantSource ahead(Duration by) {
    return InstantSource.offset(InstantSource.system(), by);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 29, 60, 3_600})
  void theTimerIsFoundHoweverFarItIsAhead(long seconds) {
    Duration ahead = Duration.ofSeconds(seconds);
    Listening node = new Listening();
    InstantSource[] clock = {ahead(ahead)};
    WakeScans scans = new WakeScans(storage, node, () -> clock[0].instant());
    scans.shards(Set.of(SHARD));
    for (Duration later = Duration.ZERO;
        later.compareTo(SLEEP.multipliedBy(3)) < 0;
        later = later.plusSeconds(20)) {
      clock[0] = ahead(ahead.plus(later));
      scans.due();
    }
    assertThat(node.woken).contains(WorkflowId.of("sleeper"));
  }

  @Test
  void whatIsNotDueForTheNodeIsLeftAlone() {
    Listening node = new Listening();
    WakeScans scans = new WakeScans(storage, node, InstantSource.system());
    scans.shards(Set.of(SHARD));
    assertThat(node.woken).isEmpty();
  }
}
