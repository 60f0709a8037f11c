package dev.tenure.node.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StorageProbeTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  private final AtomicLong now = new AtomicLong();
  private final AtomicInteger asked = new AtomicInteger();

  @Test
  void anAnswerServesForAMoment() {
    StorageProbe probe = new StorageProbe(asked::incrementAndGet, now::get, LONG);

    assertThat(objection(probe)).isEmpty();
    now.addAndGet(StorageProbe.FRESH.toNanos() - 1);
    assertThat(objection(probe)).isEmpty();
    assertThat(asked).hasValue(1);

    now.addAndGet(1);
    assertThat(objection(probe)).isEmpty();
    assertThat(asked).hasValue(2);
  }

  @Test
  void aFailureIsAnObjectionWithoutItsDetails() {
    StorageProbe probe =
        new StorageProbe(
            () -> {
              throw new IllegalStateException("user=me password=secret");
            },
            now::get,
            LONG);

    assertThat(objection(probe)).contains("unreachable");
  }

  @Test
  void anErrorIsAnObjectionAndTheNextQuestionIsAsked() {
    StorageProbe probe =
        new StorageProbe(
            () -> {
              if (asked.incrementAndGet() == 1) throw new StackOverflowError("on purpose");
            },
            now::get,
            LONG);

    assertThat(objection(probe)).contains("unreachable");
    now.addAndGet(StorageProbe.FRESH.toNanos());
    assertThat(objection(probe)).isEmpty();
  }

  @Test
  void aStorageThatHangsIsAskedOnlyOnceAndBlocksNobody() {
    CountDownLatch hanging = new CountDownLatch(1);
    StorageProbe probe =
        new StorageProbe(
            () -> {
              asked.incrementAndGet();
              await(hanging);
            },
            now::get,
            Duration.ofMillis(50));

    assertThat(objection(probe)).contains("no answer within 50 ms");
    now.addAndGet(Duration.ofMinutes(5).toNanos());
    assertThat(objection(probe)).contains("no answer within 50 ms");
    assertThat(asked).hasValue(1);

    hanging.countDown();
  }

  private static Optional<String> objection(StorageProbe probe) {
    CompletableFuture<Optional<String>> answer = probe.objection().toCompletableFuture();
    return answer.orTimeout(10, java.util.concurrent.TimeUnit.SECONDS).join();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
