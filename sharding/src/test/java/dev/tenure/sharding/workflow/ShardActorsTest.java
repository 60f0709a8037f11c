package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.shard.ShardOf;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.message.Answer;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.message.ReplyTo;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.WorkflowId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.ActorNotFound;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Dropped;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.UnhandledMessage;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.cluster.sharding.typed.ShardingEnvelope;
import org.junit.jupiter.api.Test;

/** What is sent to a shard's actor, past the region, while that actor takes nothing any more. */
class ShardActorsTest {
  private static final int SHARDS = TestDatabase.IDENTITY.shards();

  private final ConcurrentHashMap<WorkflowId, Answer> answers = new ConcurrentHashMap<>();
  private final AtomicInteger asked = new AtomicInteger();

  /** Asks once, a workflow that is not in memory. */
  private void ask(TestNode node, String name) {
    WorkflowId id = WorkflowId.of(name);
    asked.incrementAndGet();
    node.node.transport().tell(id, new Message.Describe(answer -> answers.put(id, answer)));
  }

  private void awaitAnswers() {
    Await.until(
        asked + " requests are answered", TestNode.SOON, () -> answers.size() == asked.get());
  }

  private static TestNode.Plan plan() {
    return new TestNode.Plan().with(Coded.class, Coded::new);
  }

  private static ActorRef shardOf(TestNode node, String id) {
    return TestNode.await(
        Adapter.toClassic(node.runtime.system())
            .actorSelection("/system/sharding/workflow/" + ShardOf.workflow(id, SHARDS))
            .resolveOne(TestNode.SOON));
  }

  @Test
  void aRequestBehindTheEndOfItsShardIsAnswered() {
    try (TestNode node = TestNode.start(plan())) {
      ask(node, "first");
      awaitAnswers();
      ActorRef shard = shardOf(node, "first");
      shard.tell(PoisonPill.getInstance(), ActorRef.noSender());
      for (int i = 0; asked.get() < 50; i++)
        if (ShardOf.workflow("r-" + i, SHARDS) == ShardOf.workflow("first", SHARDS))
          ask(node, "r-" + i);
      awaitAnswers();
      assertThat(shardOf(node, "first")).as("the region made another one").isNotEqualTo(shard);
    }
  }

  /** As while a shard hands over: it has an actor, which waits for the end of its entities. */
  @Test
  void aRequestThatItsShardDoesNotTakeIsAnswered() {
    try (TestNode node = TestNode.start(plan())) {
      ask(node, "first");
      awaitAnswers();
      ActorRef shard = shardOf(node, "first");
      WorkflowId id = WorkflowId.of("first");
      ReplyTo replyTo = answer -> answers.put(WorkflowId.of("again"), answer);
      ShardingEnvelope<Message> refused =
          new ShardingEnvelope<>(id.value(), new Message.Describe(replyTo));
      asked.incrementAndGet();
      Adapter.toClassic(node.runtime.system())
          .eventStream()
          .publish(new UnhandledMessage(refused, ActorRef.noSender(), shard));
      awaitAnswers();
    }
  }

  /** As after the loss of a lease: the shard ends, and its owners with it. */
  @Test
  void whatAnOwnerHadNotReadWhenItsShardEndedIsAnswered() {
    try (TestNode node = TestNode.start(plan())) {
      Coded.begin(node, "resident", ctx -> ctx.awaitSignal("go", String.class));
      Requests requests = new Requests(node.node.transport(), "resident");
      ActorRef shard = ActorRef.noSender();
      for (int i = 0; i < 5; i++) {
        shard = nextShardOfResident(node, shard);
        requests.ask(300);
        shard.tell(PoisonPill.getInstance(), ActorRef.noSender());
        requests.ask(300);
        requests.awaitAnswers();
      }
    }
  }

  /**
   * The question has the workflow taken up again. An owner that ends with its shard may answer it,
   * too: then the next question makes the region begin another shard.
   */
  private static ActorRef nextShardOfResident(TestNode node, ActorRef before) {
    List<ActorRef> found = new ArrayList<>(1);
    Await.until(
        "the shard has an actor",
        TestNode.SOON,
        () -> {
          node.describe("resident");
          try {
            ActorRef shard = shardOf(node, "resident");
            if (!shard.equals(before)) found.add(shard);
          } catch (CompletionException gone) {
            assertThat(gone).hasCauseInstanceOf(ActorNotFound.class);
          }
          return !found.isEmpty();
        });
    return found.getFirst();
  }

  /** As when the region is told that a shard moves, while it keeps messages for it. */
  @Test
  void aRequestThatTheRegionGaveUpIsAnswered() {
    try (TestNode node = TestNode.start(plan())) {
      WorkflowId id = WorkflowId.of("given up");
      asked.incrementAndGet();
      ShardingEnvelope<Message> kept =
          new ShardingEnvelope<>(
              id.value(), new Message.Describe(answer -> answers.put(id, answer)));
      ActorRef letters = Adapter.toClassic(node.runtime.system()).deadLetters();
      letters.tell(new Dropped(kept, "a move", letters, letters), ActorRef.noSender());
      awaitAnswers();
      assertThat(answers.get(id)).isInstanceOf(Answer.Again.class);
    }
  }
}
