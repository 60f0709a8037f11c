package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.effect.PendingReplies;
import dev.tenure.sharding.host.OwnerLimits;
import dev.tenure.sharding.host.Residents;
import dev.tenure.sharding.host.WorkflowSettings;
import dev.tenure.sharding.message.Answer;
import dev.tenure.sharding.message.Description;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.message.ReplyTo;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Reply;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** So many may wait for one workflow, and so many workflows may rest in memory. */
class WaitingLimitsTest {
  @Test
  void whoeverComesToAnOwnerThatIsTooBusyIsToldSo() {
    AtomicReference<GatedStorage> gates = new AtomicReference<>();
    try (TestNode node =
        TestNode.start(
            new TestNode.Plan()
                .with(Coded.class, Coded::new)
                .storage(
                    inner -> {
                      gates.set(new GatedStorage(inner));
                      return gates.get();
                    }))) {
      Coded.begin(node, "busy", ctx -> ctx.awaitSignal("go", String.class));
      WorkflowId id = WorkflowId.of("busy");
      GatedStorage.Gate gate = gates.get().hold("busy", Event.CancelRequested.class::isInstance);
      CompletableFuture<Boolean> cancelled =
          node.workflows().cancel(id, "stop").toCompletableFuture();
      gate.awaitArrival();
      List<CompletableFuture<Description>> waiting = new ArrayList<>();
      for (int i = 0; i < WorkflowSettings.WAITING_MAX; i++)
        waiting.add(node.workflows().describe(id).toCompletableFuture());
      CompletableFuture<?> oneMore =
          node.workflows().result(id, TestNode.SOON.minusSeconds(5)).toCompletableFuture();
      Await.until("it is refused", TestNode.SOON, oneMore::isCompletedExceptionally);
      assertThat(oneMore.exceptionNow())
          .isInstanceOf(WorkflowError.Unreachable.class)
          .hasMessageContaining("more than " + WorkflowSettings.WAITING_MAX + " requests wait");
      gate.open();
      TestNode.await(cancelled);
      for (CompletableFuture<Description> one : waiting) TestNode.await(one);
    }
  }

  @Test
  void asManyWaitForAnAnswerAsMayAndThoseWhoWentMakeRoom() {
    AtomicLong nanos = new AtomicLong();
    PendingReplies replies = new PendingReplies(OwnerLimits.DEFAULT.replies(), nanos::get);
    AtomicInteger refused = new AtomicInteger();
    ReplyTo replyTo =
        answer -> {
          assertThat(answer).isEqualTo(new Answer.Busy(OwnerLimits.DEFAULT.replies()));
          refused.incrementAndGet();
        };
    for (int i = 0; i < OwnerLimits.DEFAULT.replies(); i++)
      replies.answer(replyTo, new Reply.UpdatePending("u" + i % 7));
    assertThat(refused).hasValue(0);
    replies.answer(replyTo, new Reply.UpdatePending("u"));
    assertThat(refused).hasValue(1);
    nanos.addAndGet(PendingReplies.PATIENCE.toNanos() + 1);
    replies.answer(replyTo, new Reply.UpdatePending("u"));
    assertThat(refused).hasValue(1);
    assertThat(replies.isEmpty()).isFalse();
  }

  @Test
  void whereTooManyRestThoseThatCanGoAtOnce() {
    Residents residents = new Residents(InstantSource.fixed(Instant.EPOCH), 2);
    List<AtomicBoolean> toldToGo = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      AtomicBoolean told = new AtomicBoolean();
      toldToGo.add(told);
      residents.add(WorkflowId.of("w" + i), resting(told));
    }
    residents.look(true);
    residents.look(true);
    assertThat(toldToGo).allMatch(AtomicBoolean::get);
    residents.remove(WorkflowId.of("w2"), resting(new AtomicBoolean()));
    assertThat(residents.size()).as("another one of that id").isEqualTo(3);

    Residents few = new Residents(InstantSource.fixed(Instant.EPOCH), 2);
    AtomicBoolean told = new AtomicBoolean();
    few.add(WorkflowId.of("a"), resting(told));
    few.add(WorkflowId.of("b"), resting(told));
    few.look(true);
    few.look(true);
    assertThat(told).isFalse();
  }

  private static Residents.Resident resting(AtomicBoolean told) {
    return new Residents.Resident() {
      @Override
      protected void look(long nowMs, boolean crowded, boolean carriers) {
        if (crowded) told.set(true);
      }

      @Override
      protected boolean rests() {
        return true;
      }

      @Override
      protected boolean isQuiet() {
        return true;
      }

      @Override
      protected boolean tell(Message message) {
        return true;
      }

      @Override
      protected long dueMs() {
        return Long.MAX_VALUE;
      }
    };
  }
}
