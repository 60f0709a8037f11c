package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.merging.SignalOutcomeUnknown;
import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.sharding.host.HoldingOwner;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** The node ends before an owner has answered a signal. */
class SignalsAtTheEndOfANodeTest {
  private static final WorkflowId ID = WorkflowId.of("w");

  private final HoldingOwner owner = new HoldingOwner();

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
