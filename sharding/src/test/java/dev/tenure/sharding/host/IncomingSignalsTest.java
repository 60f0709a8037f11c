package dev.tenure.sharding.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.merging.SignalOutcomeUnknown;
import dev.tenure.persistence.merging.SignalSettings;
import dev.tenure.persistence.signal.Signal;
import dev.tenure.persistence.signal.SignalRequest;
import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.sharding.message.Answer;
import dev.tenure.sharding.message.IncomingSignal;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.message.ReplyTo;
import dev.tenure.sharding.message.WorkflowTransport;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Signals in the hands of an owner that does not come to them. */
class IncomingSignalsTest {
  private static final WorkflowId ID = WorkflowId.of("w");

  private static final class Nowhere implements WorkflowTransport {
    @Override
    public void tell(WorkflowId id, Message message) {}

    @Override
    public CompletionStage<Answer> ask(
        WorkflowId id, Function<ReplyTo, Message> message, Duration limit) {
      throw new AssertionError(id);
    }

    @Override
    public boolean isOurs(WorkflowId id) {
      return true;
    }
  }

  private final HoldingOwner owner = new HoldingOwner();
  private final List<String> handedIn = new ArrayList<>();
  private long nanos;
  private final IncomingSignals signals = signals();

  private IncomingSignals signals() {
    Residents residents = new Residents(java.time.Clock.systemUTC(), 10);
    residents.add(ID, owner);
    return new IncomingSignals(
        residents,
        new Nowhere(),
        signal -> handIn(signal),
        true,
        SignalSettings.DEFAULT,
        () -> "fresh",
        Futures.USUAL,
        Runnable::run,
        () -> nanos);
  }

  private CompletionStage<SignalResult> handIn(Signal signal) {
    handedIn.add(signal.id());
    return CompletableFuture.completedFuture(new SignalResult.Closed(ID));
  }

  private CompletableFuture<SignalResult> send(String signalId) {
    return send(signalId, Payload.NONE);
  }

  private CompletableFuture<SignalResult> send(String signalId, Payload payload) {
    return signals
        .submit(new SignalRequest(ID.value(), "go", Optional.of(signalId), payload))
        .toCompletableFuture();
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
    signals.look();
  }

  @Test
  void whatAnOwnerDoesNotTakeUpInTimeIsAcceptedWithoutIt() {
    List<CompletableFuture<SignalResult>> answers = new ArrayList<>();
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      ids.add("s-" + i);
      answers.add(send("s-" + i));
    }
    pass(IncomingSignals.WAITING_MAX.minusNanos(1));
    assertThat(handedIn).isEmpty();
    pass(Duration.ofNanos(1));
    assertThat(handedIn).as("in the order in which they came").isEqualTo(ids);
    assertThat(answers).allMatch(CompletableFuture::isDone);
    assertThat(owner.has).as("the owner comes too late").noneMatch(IncomingSignal::take);
  }

  @Test
  void whatNoOwnerTookUpWhenTheNodeEndsIsAcceptedInTheOrderInWhichItCame() {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      ids.add("s-" + i);
      send("s-" + i);
    }
    signals.close();
    assertThat(handedIn).isEqualTo(ids);
  }

  /** Its commit may stand or not: only the owner may hand it on. */
  @Test
  void whoIsNotAnsweredByACommitIsToldThatNobodyKnows() {
    CompletableFuture<SignalResult> answer = send("s");
    assertThat(owner.has.getFirst().take()).isTrue();
    pass(IncomingSignals.WAITING_MAX);
    assertThat(answer).isNotDone();
    pass(SignalSettings.DEFAULT.resolveLimit());
    assertThat(handedIn).isEmpty();
    assertThat(answer.exceptionNow()).isInstanceOf(SignalOutcomeUnknown.class);
    owner.has.getFirst().toInbox();
    assertThat(handedIn).containsExactly("s");
  }

  /** However many workflows there are: an outage must not fill the memory. */
  @Test
  void theOwnersOfANodeHoldSoManyTogetherAndNoMore() {
    for (int i = 0; i < IncomingSignals.HANDED_MAX; i++) send("s-" + i);
    assertThat(handedIn).isEmpty();
    send("one more");
    assertThat(handedIn).containsExactly("one more");
    owner.has.getFirst().toInbox();
    send("another");
    assertThat(handedIn).containsExactly("one more", "s-0");
  }

  @Test
  void theOwnersOfANodeHoldSoManyBytesTogetherAndNoMore() {
    Payload large = Payload.of(new byte[1024 * 1024]);
    long count = IncomingSignals.HANDED_BYTES_MAX / large.size();
    for (int i = 0; i < count; i++) send("s-" + i, large);
    assertThat(handedIn).isEmpty();
    send("one more", large);
    assertThat(handedIn).containsExactly("one more");
    send("small", Payload.NONE);
    owner.has.getFirst().toInbox();
    owner.has.getFirst().toInbox();
    send("another", large);
    assertThat(handedIn).containsExactly("one more", "s-0");
    send("yet another", large);
    assertThat(handedIn).containsExactly("one more", "s-0", "yet another");
  }
}
