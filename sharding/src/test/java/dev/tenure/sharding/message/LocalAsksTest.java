package dev.tenure.sharding.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.sharding.workflow.TestNode;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Who waits in this process, on a clock that the test turns. */
class LocalAsksTest {
  private final Deque<Runnable> following = new ArrayDeque<>();
  private long nanos;
  private final LocalAsks asks = new LocalAsks(following::add, () -> nanos);

  private void runFollowing() {
    for (Runnable one = following.poll(); one != null; one = following.poll()) one.run();
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
    asks.look();
  }

  @Test
  void anAnswerIsHandedOnBesideTheThreadThatGivesIt() {
    LocalAsks.Ask ask = asks.begin(Duration.ofSeconds(20));

    ask.tell(new Answer.Unknown());

    assertThat(ask.answer()).isNotDone();
    runFollowing();
    assertThat(ask.answer()).isCompletedWithValue(new Answer.Unknown());
    assertThat(asks.size()).isZero();
  }

  @Test
  void whoeverWaitsForTooLongIsToldByALook() {
    LocalAsks.Ask soon = asks.begin(Duration.ofMillis(50));
    LocalAsks.Ask later = asks.begin(Duration.ofSeconds(20));

    pass(Duration.ofMillis(49));
    runFollowing();
    assertThat(soon.answer()).isNotDone();
    pass(Duration.ofMillis(1));
    runFollowing();

    assertThatThrownBy(soon.answer()::join)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(TimeoutException.class);
    assertThat(later.answer()).isNotDone();
    assertThat(asks.size()).isEqualTo(1);
  }

  @Test
  void anAnswerThatComesTooLateIsOfNoInterest() {
    LocalAsks.Ask ask = asks.begin(Duration.ofMillis(50));
    pass(Duration.ofMillis(50));

    ask.tell(new Answer.Unknown());
    runFollowing();

    assertThat(ask.answer()).isCompletedExceptionally();
  }

  @Test
  void whenNobodyLooksAnyMoreThereIsStillALimit() {
    CompletableFuture<Answer> before = asks.begin(Duration.ofMillis(20)).answer();
    asks.close();
    CompletableFuture<Answer> after = asks.begin(Duration.ofMillis(20)).answer();

    for (CompletableFuture<Answer> each : java.util.List.of(before, after))
      assertThatThrownBy(() -> TestNode.await(each)).hasCauseInstanceOf(TimeoutException.class);
  }
}
