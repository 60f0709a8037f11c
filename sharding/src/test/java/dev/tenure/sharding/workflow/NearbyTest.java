package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.junit.jupiter.api.Test;

/** The short way to workflows in memory, and where it ends. */
class NearbyTest {
  private static final WorkflowId ID = WorkflowId.of("w");

  /** Keeps what goes the long way. */
  private static final class LongWay implements Post {
    final List<Message> told = new ArrayList<>();
    boolean ours = true;
    int asked;

    @Override
    public void tell(WorkflowId id, Message message) {
      told.add(message);
    }

    @Override
    public CompletionStage<Answer> ask(
        WorkflowId id, Function<Asker, Message> message, Duration limit) {
      asked++;
      return CompletableFuture.completedFuture(new Answer.Unknown());
    }

    @Override
    public boolean isOurs(WorkflowId id) {
      return ours;
    }
  }

  private record Resident(List<Message> told, boolean stays) implements Residents.Resident {
    @Override
    public void look(long nowMs, boolean crowded, boolean carriers) {}

    @Override
    public boolean rests() {
      return false;
    }

    @Override
    public long dueMs() {
      return Long.MAX_VALUE;
    }

    @Override
    public boolean tell(Message message) {
      if (stays) told.add(message);
      return stays;
    }
  }

  private final LongWay everywhere = new LongWay();
  private final Residents residents = new Residents(java.time.Instant::now, 10);

  @Test
  void whatIsInMemoryIsToldDirectly() {
    Resident here = new Resident(new ArrayList<>(), true);
    residents.add(ID, here);

    new Nearby(everywhere, residents).tell(ID, Message.WakeUp.WAKE_UP);

    assertThat(here.told).containsExactly(Message.WakeUp.WAKE_UP);
    assertThat(everywhere.told).isEmpty();
  }

  @Test
  void whatIsAboutToLeaveIsReachedThroughItsShard() {
    residents.add(ID, new Resident(new ArrayList<>(), false));

    new Nearby(everywhere, residents).tell(ID, Message.WakeUp.WAKE_UP);

    assertThat(everywhere.told).containsExactly(Message.WakeUp.WAKE_UP);
  }

  @Test
  void whatAnotherNodeHoldsIsAskedWithAnAddress() {
    everywhere.ours = false;

    Answer answer =
        TestNode.await(
            new Nearby(everywhere, residents)
                .ask(ID, Message.Describe::new, Duration.ofSeconds(20)));

    assertThat(everywhere.asked).isEqualTo(1);
    assertThat(answer).isInstanceOf(Answer.Unknown.class);
  }

  @Test
  void aShardThatMovesMeanwhileStillAnswersWhoeverAskedHere() throws Exception {
    ActorSystem system = ActorSystem.create("nearby");
    try {
      CompletionStage<Answer> asked =
          new Nearby(everywhere, residents).ask(ID, Message.Describe::new, Duration.ofSeconds(20));
      MessageSerializer serializer = new MessageSerializer((ExtendedActorSystem) system);
      Message sent = everywhere.told.getFirst();
      Message arrived =
          (Message) serializer.fromBinary(serializer.toBinary(sent), serializer.manifest(sent));

      ((Message.Asked) arrived).replyTo().tell(new Answer.NotNow("elsewhere"));

      assertThat(TestNode.await(asked)).isEqualTo(new Answer.NotNow("elsewhere"));
    } finally {
      system.terminate();
      system.getWhenTerminated().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }
  }
}
