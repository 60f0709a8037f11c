package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.codec.PersistedEntryIncompatibleError;
import dev.tenure.persistence.format.EngineBuild;
import dev.tenure.persistence.format.EngineTooOldError;
import dev.tenure.persistence.format.Engines;
import dev.tenure.persistence.format.FormatLevel;
import dev.tenure.persistence.membership.MemberRow;
import dev.tenure.persistence.shard.ShardOf;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Status;
import java.util.List;
import org.apache.pekko.cluster.typed.Cluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A rolling upgrade from a release that reads a level of formats to one that writes the next, row
 * by row of the contract: what the old one wrote, what the new one writes, the way back, and both
 * at once.
 */
class RollingFormatsTest {
  private TestDatabase database;

  @BeforeEach
  void open() {
    database = TestDatabase.migrated();
  }

  @AfterEach
  void close() {
    database.close();
  }

  private TestNode node(EngineBuild engine) {
    return TestNode.start(
        database, new TestNode.Plan().with(Coded.class, Coded::new).engine(engine));
  }

  private static void begin(TestNode node, String id) {
    Coded.begin(node, id, ctx -> ctx.awaitSignal("go", String.class));
  }

  private static void pause(TestNode node, String id) {
    assertThat(TestNode.await(node.workflows().pause(WorkflowId.of(id), "a look"))).isTrue();
  }

  /** A paused workflow goes on, takes its signal, and ends. */
  private static void finish(TestNode node, String id) {
    assertThat(node.describe(id).status()).isEqualTo(Status.PAUSED);
    assertThat(TestNode.await(node.workflows().resume(WorkflowId.of(id)))).isTrue();
    Coded.signal(node, id, "go", "on");
    assertThat(node.result(id)).isEqualTo("\"on\"");
  }

  private static void awaitMayWrite(TestNode node, int level) {
    Await.until(
        "level " + level + " may be written",
        TestNode.SOON,
        () -> node.storage.writableLevel() == level);
  }

  private static List<Event> readByThisBuild(TestNode node, String id) {
    return Journal.steps(node.storage, id).stream()
        .flatMap(entry -> entry.events().stream())
        .toList();
  }

  /** Old writer, new reader; mixed owners; new writer, old reader, while both are there. */
  @Test
  void besideAnOldNodeTheNewOneWritesWhatTheOldOneReads() {
    TestNode old = node(Engines.old());
    begin(old, "before");
    pause(old, "before");
    TestNode fresh = node(Engines.writing());
    try {
      for (TestNode each : List.of(old, fresh))
        Await.until("both see both", TestNode.SOON, () -> TwoNodes.members(each) == 2);
      newShardsGoTo(fresh);
      String ofFresh = idOn(fresh, "fresh");
      begin(fresh, ofFresh);
      pause(fresh, ofFresh);
      assertThat(fresh.storage.members().raiseFloor().level())
          .as("however often the new node tries it")
          .isEqualTo(FormatLevel.FIRST);
      assertThat(readByThisBuild(fresh, ofFresh)).anyMatch(Event.Paused.class::isInstance);

      // The new node leaves again: the old one owns what the new one wrote.
      fresh.stop();
      Await.until("it is alone", TestNode.SOON, () -> TwoNodes.members(old) == 1);
      finish(old, ofFresh);
      finish(old, "before");
    } finally {
      old.stop();
    }
  }

  /** As Pekko does it, by the version of the build that each node has told it. */
  private static void newShardsGoTo(TestNode fresh) {
    for (int i = 0, looked = 0; looked < 5; i++) {
      String id = "new-" + i;
      if (isPlaced(fresh, id)) continue;
      look(fresh, id);
      assertThat(TwoNodes.owns(fresh, id)).as(id).isTrue();
      looked++;
    }
  }

  /** Whether any node was ever given its shard. */
  private static boolean isPlaced(TestNode node, String id) {
    int shard = ShardOf.workflow(id, TestDatabase.IDENTITY.shards());
    return node.storage.leases().holdings().stream().anyMatch(held -> held.shard() == shard);
  }

  private static void look(TestNode node, String id) {
    node.workflows()
        .describe(WorkflowId.of(id))
        .handle((d, unknown) -> d)
        .toCompletableFuture()
        .join();
  }

  private static String idOn(TestNode node, String name) {
    for (int i = 0; i < 200; i++) {
      String id = name + "-" + i;
      look(node, id);
      if (TwoNodes.owns(node, id)) return id;
    }
    throw new AssertionError("the node owns no shard");
  }

  /** New writer, new reader, once the last old node is gone; downgrade. */
  @Test
  void afterTheLastOldNodeTheFloorRisesAndNoOldNodeComesBack() {
    TestNode old = node(Engines.old());
    begin(old, "before");
    pause(old, "before");
    TestNode fresh = node(Engines.writing());
    try {
      MemberRow row =
          fresh.storage.members().roster().rows().stream()
              .filter(one -> one.engine().equals(Engines.writing().version()))
              .findFirst()
              .orElseThrow();
      assertThat(row.reads()).isEqualTo(FormatLevel.TRIAL);
      assertThat(fresh.storage.writableLevel()).isEqualTo(FormatLevel.FIRST);
      assertThat(Cluster.get(fresh.runtime.system()).selfMember().appVersion().version())
          .as("new shards prefer new nodes")
          .isEqualTo(Engines.writing().version());
      old.stop();
      awaitMayWrite(fresh, FormatLevel.TRIAL);
      finish(fresh, "before");
      begin(fresh, "after");
      pause(fresh, "after");
      assertThatThrownBy(() -> readByThisBuild(fresh, "after"))
          .isInstanceOf(PersistedEntryIncompatibleError.class);
      assertThatThrownBy(() -> node(Engines.old()))
          .isInstanceOf(EngineTooOldError.class)
          .hasMessageContaining("engine 0.1.0")
          .hasMessageContaining("engine 0.3.0");
    } finally {
      fresh.stop();
    }
    assertThatThrownBy(() -> node(Engines.old())).isInstanceOf(EngineTooOldError.class);

    // One release back reads all of it, and goes on to write what it wrote before.
    try (TestNode between = node(Engines.reading())) {
      finish(between, "after");
      begin(between, "back");
      pause(between, "back");
      assertThat(readByThisBuild(between, "back")).anyMatch(Event.Paused.class::isInstance);
    }
    try (TestNode fresh2 = node(Engines.writing())) {
      awaitMayWrite(fresh2, FormatLevel.TRIAL);
      finish(fresh2, "back");
    }
  }
}
