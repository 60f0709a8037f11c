package dev.tenure.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.client.Basket.Customer;
import dev.tenure.client.Basket.Item;
import dev.tenure.persistence.key.KeyText;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The contract of signals over every transport at once, on two nodes of one cluster. */
class TwoNodesTest {
  private static final Item ITEM = new Item("book", 1);
  private static final int ROUNDS = 10;

  private static RealNode one;
  private static RealNode two;
  private static TenureClient tenure;

  @BeforeAll
  static void start() {
    one = RealNode.open();
    two = one.second();
    tenure = TenureClient.to(one.uri()).build();
  }

  @AfterAll
  static void stop() {
    tenure.close();
    two.close();
    one.close();
  }

  private static WorkflowHandle<?> begin(String id) {
    return tenure.start(Basket.TYPE, id, Customer.ada());
  }

  @Test
  void ofSimultaneousDuplicatesOverAllTransportsOneIsReceivedAndAllHearOfIt() throws Exception {
    WorkflowHandle<?> basket = begin("raced");
    for (int round = 0; round < ROUNDS; round++) {
      String signalId = "s:" + round;
      CountDownLatch go = new CountDownLatch(1);
      List<CompletableFuture<SignalReceipt>> answers = new ArrayList<>();
      for (RealNode node : List.of(one, two, one, two)) {
        for (Sender sender : Sender.values()) {
          answers.add(atOnce(go, sender, node, signalId));
        }
      }
      go.countDown();
      Set<SignalReceipt> heard = new HashSet<>();
      for (CompletableFuture<SignalReceipt> answer : answers) heard.add(answer.get());
      assertThat(heard).hasSize(1);
    }
    assertThat(stored("raced")).isEqualTo(ROUNDS);
    RealNode.await("received", () -> basket.query("count", Integer.class) == ROUNDS);
    tenure.workflow("raced").signal("item", Item.DONE);
    assertThat(tenure.workflow("raced", Basket.TYPE).result().items()).hasSize(ROUNDS);
  }

  private static CompletableFuture<SignalReceipt> atOnce(
      CountDownLatch go, Sender sender, RealNode node, String signalId) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            go.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return sender.send(node, "raced", "item", signalId, ITEM);
        },
        task -> Thread.ofVirtual().start(task));
  }

  @Test
  void whateverFollowsWhateverTheFirstAnswerIsGivenAgainUntilItExpires() {
    WorkflowHandle<?> basket = begin("replayed");
    int received = 0;
    for (Sender first : Sender.values()) {
      String signalId = "first over " + first;
      SignalReceipt receipt = first.send(one, "replayed", "item", signalId, ITEM);
      for (Sender then : Sender.values()) {
        assertThat(then.send(two, "replayed", "item", signalId, ITEM)).isEqualTo(receipt);
      }
      int once = ++received;
      RealNode.await("received", () -> basket.query("count", Integer.class) == once);
      one.database.execute(
          "UPDATE signal_response SET expires_at = accepted_at WHERE signal_id = '"
              + signalId
              + "'");
      // Now the id is new; whoever uses it first is answered, and the others hear that.
      SignalReceipt again = first.send(two, "replayed", "item", signalId, ITEM);
      assertThat(again.acceptedAt()).isAfter(receipt.acceptedAt());
      for (Sender then : Sender.values()) {
        assertThat(then.send(one, "replayed", "item", signalId, ITEM)).isEqualTo(again);
      }
      int twice = ++received;
      RealNode.await("received again", () -> basket.query("count", Integer.class) == twice);
    }
    assertThat(stored("replayed")).isEqualTo(received);
  }

  @Test
  void idsThatACarelessEncodingWouldMergeStayApartOverEveryTransport() {
    // Workflow, name, id: each pair would be one key without escapes, or after a repair.
    String[][] tuples = {
      {"a:b", "c", "d"},
      {"a", "b:c", "d"},
      {"a", "b", "c:d"},
      {"a%3Ab", "c", "d"},
      {"a/b", "c", "d"},
      {"a%2Fb", "c", "d"},
      {"a", "b/c", "d"},
      {"a", "b%2Fc", "d"},
      {"a", "c", "d/e"},
      {"a", "c", "d%2Fe"},
      {"a", "c", "d%252Fe"},
      {"a", "c", "d\\e"},
      {"é", "c", "d"},
      {"e\u0301", "c", "d"},
      {"a", "é", "d"},
      {"a", "e\u0301", "d"},
      {"a", "c", "é"},
      {"a", "c", "e\u0301"},
      {"a", "c", "\u212b"},
      {"a", "c", "\u00c5"},
      {"A", "c", "d"},
      {"a", "c", "d"},
      {"a", "C", "d"},
      {"a", "c", "D"},
      {"a", "c", "ß"},
      {"a", "c", "ẞ"},
      {"a", "c", "ss"},
      {"a", "c", " d"},
      {"a", "c", "d "},
      {"a", "c", "d\n"},
      {"a+b", "c", "d"},
      {"a b", "c", "d"},
      {"a", "b+c", "d"},
      {"a", "b c", "d"},
      {"..", "c", "d"},
      {".", "c", "d"},
      {"a", "..", "d"},
      {"a", ".", "d"},
      {"a\u0000b", "c", "d"},
      {"a%00b", "c", "d"},
      {"a", "c", "\u0000"},
      {"a", "c", "%00"},
      {"x?y", "c", "d"},
      {"x#y", "c", "d"},
      {"x&y", "c", "d"},
      {"x;y", "c", "d"},
      {"\uD83D\uDE00", "c", "d"},
      {"\uD83D\uDE01", "c", "d"},
      {"\u0430", "c", "d"},
    };
    Set<String> begun = new HashSet<>();
    Set<String> keys = new HashSet<>();
    Sender[] senders = Sender.values();
    for (int i = 0; i < tuples.length; i++) {
      String[] tuple = tuples[i];
      String about = String.join("|", tuple);
      if (begun.add(tuple[0])) assertThat(begin(tuple[0]).id()).isEqualTo(tuple[0]);
      Sender first = senders[i % senders.length];
      SignalReceipt receipt = first.send(one, tuple[0], tuple[1], tuple[2], ITEM);
      assertThat(List.of(receipt.workflowId(), receipt.signalName(), receipt.signalId()))
          .as(about)
          .containsExactly(tuple);
      keys.add(receipt.signalStorageKey());
      for (Sender then : senders) {
        assertThat(then.send(two, tuple[0], tuple[1], tuple[2], ITEM)).as(about).isEqualTo(receipt);
      }
    }
    assertThat(keys).hasSize(tuples.length);
    for (String id : begun) {
      long sent = List.of(tuples).stream().filter(tuple -> tuple[0].equals(id)).count();
      assertThat(tenure.workflow(id).describe().workflowId()).isEqualTo(id);
      assertThat(stored(id)).as(id).isEqualTo(sent);
    }
  }

  @Test
  void everyNodeSaysWhichNodesThereAreAndWhoHasWhichShard() {
    for (int i = 0; i < 8; i++) tenure.start(Basket.Echo.TYPE, "spread-" + i, "x");
    try (TenureClient other = TenureClient.to(two.uri()).build()) {
      RealNode.await("both are up", () -> isWhole(tenure) && isWhole(other));
      assertThat(names(tenure)).isEqualTo(names(other)).hasSize(2);
      assertThat(self(tenure)).isNotEqualTo(self(other));
      // Shards may change hands between two questions: some moment, the answers agree.
      RealNode.await("the shards are counted alike", () -> isCountedAlike(other));
      assertThat(tenure.shards()).isNotEmpty().allMatch(shard -> shard.epoch() > 0);
    }
  }

  private static boolean isWhole(TenureClient asked) {
    List<NodeSummary> nodes = asked.nodes();
    return nodes.size() == 2
        && nodes.stream().allMatch(node -> node.reachable() && node.status().equals("up"))
        && nodes.stream().filter(NodeSummary::leader).count() == 1;
  }

  private static Set<String> names(TenureClient asked) {
    return asked.nodes().stream().map(NodeSummary::node).collect(Collectors.toSet());
  }

  private static String self(TenureClient asked) {
    List<NodeSummary> self = asked.nodes().stream().filter(NodeSummary::self).toList();
    assertThat(self).hasSize(1);
    return self.getFirst().node();
  }

  private static boolean isCountedAlike(TenureClient asked) {
    Map<String, Long> held =
        asked.shards().stream()
            .map(ShardSummary::node)
            .flatMap(Optional::stream)
            .collect(Collectors.groupingBy(node -> node, Collectors.counting()));
    return !held.isEmpty()
        && asked.nodes().stream()
            .allMatch(node -> node.shards() == held.getOrDefault(node.node(), 0L));
  }

  /** How many signals a workflow ever accepted. */
  private static long stored(String id) {
    try (Connection connection = one.database.owner();
        PreparedStatement query =
            connection.prepareStatement("SELECT signals FROM workflow_all WHERE id = ?")) {
      query.setString(1, KeyText.column(id));
      try (ResultSet rows = query.executeQuery()) {
        assertThat(rows.next()).as(id).isTrue();
        return rows.getLong(1);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
