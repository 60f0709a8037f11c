package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.merging.SignalOutcomeUnknown;
import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.sharding.host.Residents;
import dev.tenure.sharding.message.IncomingSignal;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** The node ends before an owner has answered a signal. */
class SignalsAtTheEndOfANodeTest {
  private static final WorkflowId ID = WorkflowId.of("w");

  /** An owner whose actor ended before it read its messages. */
  private static final class Deaf extends Residents.Resident {
    private final List<IncomingSignal> has = new CopyOnWriteArrayList<>();

    @Override
    protected void look(long nowMs, boolean crowded, boolean carriers) {}

    @Override
    protected boolean rests() {
      return false;
    }

    @Override
    protected boolean isQuiet() {
      return false;
    }

    @Override
    protected boolean tell(Message message) {
      return message instanceof Message.Signalled(IncomingSignal signal) && has.add(signal);
    }

    @Override
    protected long dueMs() {
      return Long.MAX_VALUE;
    }
  }

  private final Deaf owner = new Deaf();

  private CompletableFuture<SignalResult> send(TestNode node) {
    int before = owner.has.size();
    CompletableFuture<SignalResult> answer =
        node.workflows().signal(ID, "go", Payload.NONE, Optional.empty()).toCompletableFuture();
    Await.until("the owner has it", TestNode.SOON, () -> owner.has.size() > before);
    return answer;
  }

  @Test
  void itsSenderIsAnswered() throws Exception {
    CompletableFuture<SignalResult> waits;
    CompletableFuture<SignalResult> taken;
    try (TestNode node = TestNode.start(new TestNode.Plan().with(Coded.class, Coded::new))) {
      node.node.host().residents.add(ID, owner);
      taken = send(node);
      assertThat(owner.has.getLast().take()).isTrue();
      waits = send(node);
    }
    assertThat(failureOrAnswer(taken)).isInstanceOf(SignalOutcomeUnknown.class);
    assertThat(failureOrAnswer(waits)).isNotNull();
  }

  private static Object failureOrAnswer(CompletableFuture<SignalResult> answer)
      throws InterruptedException, TimeoutException {
    try {
      return answer.get(30, TimeUnit.SECONDS);
    } catch (ExecutionException failed) {
      return failed.getCause();
    }
  }
}
