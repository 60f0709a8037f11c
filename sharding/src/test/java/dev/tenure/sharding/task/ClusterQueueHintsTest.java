package dev.tenure.sharding.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import dev.tenure.persistence.merging.PipelineSettings;
import dev.tenure.persistence.postgres.PostgresStorage;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.cluster.ClusterRuntime;
import dev.tenure.sharding.cluster.ClusterSettings;
import dev.tenure.sharding.process.Await;
import dev.tenure.sharding.wire.UnreadableMessageError;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** Hints travel between nodes as bytes, and a node does not hear its own. */
class ClusterQueueHintsTest {
  private static final Duration SOON = Duration.ofSeconds(60);

  private static final class Node implements AutoCloseable {
    final Storage storage;
    final ClusterRuntime runtime;
    final Set<String> heard = ConcurrentHashMap.newKeySet();
    final ClusterQueueHints hints;

    Node(TestDatabase database) {
      storage = PostgresStorage.open(database.settings());
      runtime =
          ClusterRuntime.start(
              ClusterSettings.node("127.0.0.1", 0, TestDatabase.IDENTITY)
                  .withTimes(Duration.ofMillis(250), Duration.ofSeconds(1))
                  .withoutExit(),
              storage,
              PipelineSettings.DEFAULT,
              InstantSource.system(),
              ConfigFactory.empty());
      hints = ClusterQueueHints.start(runtime.system(), heard::addAll);
      runtime.up().toCompletableFuture().join();
    }

    @Override
    public void close() {
      runtime.stop().toCompletableFuture().join();
      storage.close();
    }
  }

  @Test
  void aHintReachesTheOtherNodesAndNotItsOwn() {
    try (TestDatabase database = TestDatabase.migrated();
        Node one = new Node(database);
        Node two = new Node(database)) {
      // The topics of the two nodes find each other after a while.
      Await.until(
          "a hint of node one reaches node two",
          SOON,
          () -> {
            one.hints.send(Set.of("mail", "日本"));
            return two.heard.containsAll(Set.of("mail", "日本"));
          });
      Set<String> many = new HashSet<>();
      for (int i = 0; i < QueueHint.QUEUES_MAX * 2 + 1; i++) many.add("queue-" + i);
      one.hints.send(many);
      Await.until("many arrive in pieces", SOON, () -> two.heard.containsAll(many));
      assertThat(one.heard).isEmpty();
    }
  }

  @Test
  void aHintIsReadAsItWasWritten() {
    QueueHintSerializer serializer = new QueueHintSerializer();
    QueueHint hint = new QueueHint("pekko://tenure@127.0.0.1:1#7", Set.of("mail", "ü"));
    byte[] bytes = serializer.toBinary(hint);
    assertThat(serializer.fromBinary(bytes, serializer.manifest(hint))).isEqualTo(hint);
    bytes[1] = 9;
    assertThatThrownBy(() -> serializer.fromBinary(bytes, "h"))
        .isInstanceOf(UnreadableMessageError.class);
    assertThatThrownBy(() -> serializer.fromBinary(new byte[0], "h"))
        .isInstanceOf(UnreadableMessageError.class);
    assertThatThrownBy(() -> serializer.fromBinary(bytes, "x"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
