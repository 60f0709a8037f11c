package dev.tenure.sharding.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.message.Answer;
import dev.tenure.sharding.message.LocalAsks;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.message.MessageSerializer;
import dev.tenure.sharding.message.ReplyTo;
import dev.tenure.sharding.message.WorkflowTransport;
import dev.tenure.sharding.workflow.TestNode;
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
class LocalFirstTransportTest {
  private static final WorkflowId ID = WorkflowId.of("w");

  /** Keeps what goes the long way. */
  private static final class LongWay implements WorkflowTransport {
    final List<Message> told = new ArrayList<>();
    boolean ours = true;
    int asked;

    @Override
    public void tell(WorkflowId id, Message message) {
      told.add(message);
    }

    @Override
    public CompletionStage<Answer> ask(
        WorkflowId id, Function<ReplyTo, Message> message, Duration limit) {
      asked++;
      return CompletableFuture.completedFuture(new Answer.Unknown());
    }

    @Override
    public boolean isOurs(WorkflowId id) {
      return ours;
    }
  }

  private static final class Resident extends Residents.Resident {
    final List<Message> told = new ArrayList<>();
    private final boolean stays;

    Resident(boolean stays) {
      this.stays = stays;
    }

    @Override
    protected void look(long nowMs, boolean crowded, boolean carriers) {}

    @Override
    protected boolean rests() {
      return false;
    }

    @Override
    protected long dueMs() {
      return Long.MAX_VALUE;
    }

    @Override
    protected boolean isQuiet() {
      return false;
    }

    @Override
    protected boolean tell(Message message) {
      if (stays) told.add(message);
      return stays;
    }
  }

  private final LongWay everywhere = new LongWay();
  private final LocalAsks asks = new LocalAsks(Runnable::run, System::nanoTime);
  private final Residents residents = new Residents(java.time.Instant::now, 10);

  @Test
  void whatIsInMemoryIsToldDirectly() {
    Resident here = new Resident(true);
    residents.add(ID, here);

    new LocalFirstTransport(everywhere, residents, asks).tell(ID, Message.WakeUp.WAKE_UP);

    assertThat(here.told).containsExactly(Message.WakeUp.WAKE_UP);
    assertThat(everywhere.told).isEmpty();
  }

  @Test
  void whatIsAboutToLeaveIsReachedThroughItsShard() {
    residents.add(ID, new Resident(false));

    new LocalFirstTransport(everywhere, residents, asks).tell(ID, Message.WakeUp.WAKE_UP);

    assertThat(everywhere.told).containsExactly(Message.WakeUp.WAKE_UP);
  }

  @Test
  void whatAnotherNodeHoldsIsAskedWithAnAddress() {
    everywhere.ours = false;

    Answer answer =
        TestNode.await(
            new LocalFirstTransport(everywhere, residents, asks)
                .ask(ID, Message.Describe::new, Duration.ofSeconds(20)));

    assertThat(everywhere.asked).isEqualTo(1);
    assertThat(answer).isInstanceOf(Answer.Unknown.class);
  }

  @Test
  void aShardThatMovesMeanwhileStillAnswersWhoeverAskedHere() throws Exception {
    ActorSystem system = ActorSystem.create("nearby");
    try {
      CompletionStage<Answer> asked =
          new LocalFirstTransport(everywhere, residents, asks)
              .ask(ID, Message.Describe::new, Duration.ofSeconds(20));
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
