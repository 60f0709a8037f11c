package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.shard.ShardOf;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.lease.Tenures;
import dev.tenure.sharding.message.Answer;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.message.ShardActors;
import dev.tenure.sharding.node.WorkflowEntity;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.WorkflowId;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.sharding.ShardRegion;
import org.junit.jupiter.api.Test;

/** An owner whose node lost the shard before it began. */
class NoTenureTest {
  private final ConcurrentLinkedQueue<Answer> answers = new ConcurrentLinkedQueue<>();
  private final AtomicInteger passivations = new AtomicInteger();
  private final AtomicBoolean ended = new AtomicBoolean();

  /** A shard that writes down who asks to go, and when the owner has ended. */
  private Behavior<Object> shard(Host host, WorkflowId id) {
    return Behaviors.setup(
        context -> {
          ShardActors shards = new ShardActors(context.getSystem(), host.shards);
          ActorRef<Message> owner =
              context.spawn(
                  WorkflowEntity.behavior(host, context.getSystem(), shards, id), "owner");
          context.watch(owner);
          return Behaviors.receive(Object.class)
              .onMessage(
                  ShardRegion.Passivate.class,
                  passivate -> {
                    passivations.incrementAndGet();
                    return Behaviors.same();
                  })
              .onMessage(
                  Message.class,
                  message -> {
                    owner.tell(message);
                    return Behaviors.same();
                  })
              .onSignal(
                  Terminated.class,
                  gone -> {
                    ended.set(true);
                    return Behaviors.same();
                  })
              .build();
        });
  }

  @Test
  void itAnswersUntilItsShardHasItStop() {
    try (TestNode node = TestNode.start(new TestNode.Plan())) {
      ActorSystem<?> system = node.runtime.system();
      WorkflowId id = WorkflowId.of("not-ours");
      int number = ShardOf.workflow(id.value(), TestDatabase.IDENTITY.shards());
      assertThat(Tenures.of(system).epochOf(number)).as("nobody asked for the shard").isEmpty();
      ActorRef<Object> shard =
          system.systemActorOf(shard(node.node.host(), id), "a-shard", Props.empty());
      for (int i = 1; i <= 20; i++) {
        shard.tell(new Message.Describe(answers::add));
        int sent = i;
        Await.until("it answers", TestNode.SOON, () -> answers.size() == sent);
      }
      assertThat(List.copyOf(answers)).hasOnlyElementsOfType(Answer.Again.class);
      assertThat(passivations).as("it asks the shard to keep what comes").hasValue(1);
      assertThat(ended).isFalse();
      shard.tell(Message.Stop.STOP);
      Await.until("it ends", TestNode.SOON, ended::get);
    }
  }
}
