package dev.tenure.client.worker;

import static dev.tenure.client.worker.FakeServer.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.client.RetryPolicy;
import dev.tenure.client.Task;
import dev.tenure.client.TenureClient;
import dev.tenure.client.worker.FakeServer.Trouble;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a worker does when the server is away, and when it is told to end. */
class WorkerTroublesTest extends WorkerFixture {
  // --- a server that is away

  @Test
  void aReportIsSentAgainUntilItIsHeardAndTheCodeRunsOnce() {
    server.trouble(
        "complete",
        new Trouble(503, "StorageUnavailable"),
        new Trouble(503, "StorageOutcomeUnknown"),
        new Trouble(502, "none"));
    server.offer("t1", "send", MAIL);
    AtomicInteger runs = new AtomicInteger();
    try (Worker worker =
        worker().activity("send", Mail.class, (context, mail) -> runs.incrementAndGet()).start()) {
      await("it is sent again", () -> server.seen("complete").size() == 4);
      await("it is over", () -> worker.running() == 0);
      assertThat(runs).hasValue(1);
      assertThat(pauses).hasSizeGreaterThanOrEqualTo(3);
    }
  }

  @Test
  void pollsThatFailAreMadeAgainAfterPausesThatGrowAndAreRandom() {
    Trouble[] many = new Trouble[12];
    Arrays.fill(many, new Trouble(503, "Overloaded"));
    server.trouble("take", many);
    server.offer("t1", "send", MAIL);
    try (Worker worker = worker().activity("send", Mail.class, (context, mail) -> 1).start()) {
      server.first("complete");
    }
    assertThat(pauses).hasSize(12);
    for (int i = 0; i < pauses.size(); i++)
      assertThat(pauses.get(i))
          .isLessThanOrEqualTo(Backoff.MAX)
          .isLessThanOrEqualTo(Backoff.FIRST.multipliedBy(1L << i));
    assertThat(Set.copyOf(pauses)).hasSizeGreaterThan(3);
  }

  @Test
  void aWorkerThatMayNotTakeTriesAgainForACredentialMayChange() {
    server.trouble("take", new Trouble(403, "QueueForbidden"), new Trouble(401, "Unauthorized"));
    server.offer("t1", "send", MAIL);
    try (Worker worker = worker().activity("send", Mail.class, (context, mail) -> 1).start()) {
      server.first("complete");
      assertThat(pauses).hasSize(2);
    }
  }

  // --- the end

  @Test
  void closingWaitsForWhatRunsAndTakesNoMore() throws InterruptedException {
    server.offer("t1", "send", MAIL);
    Worker worker = worker().activity("send", Mail.class, (context, mail) -> hang()).start();
    await("it runs", () -> worker.running() == 1);
    Thread closing = Thread.ofVirtual().start(worker::close);
    assertThat(closing.join(Duration.ofMillis(300))).isFalse();
    int polls = server.seen("take").size();
    server.offer("t2", "send", MAIL);
    release.countDown();
    assertThat(closing.join(FakeServer.SOON)).isTrue();
    assertThat(server.seen("complete")).hasSize(1);
    assertThat(server.seen("take")).hasSize(polls);
    assertThat(interrupted).isFalse();
    worker.close();
  }

  @Test
  void whatDoesNotEndInTimeIsInterruptedAndLeftToAnother() {
    server.offer("t1", "send", MAIL);
    Worker worker =
        worker()
            .drainLimit(Duration.ofMillis(100))
            .activity("send", Mail.class, (context, mail) -> hang())
            .start();
    await("it runs", () -> worker.running() == 1);
    worker.close();
    assertThat(interrupted).isTrue();
    assertThat(server.seen("fail")).isEmpty();
    assertThat(server.seen("complete")).isEmpty();
  }

  @Test
  void aServerThatIsAwayDoesNotHoldUpTheEnd() {
    server.offer("t1", "send", MAIL);
    Worker worker =
        worker()
            .drainLimit(Duration.ofMillis(200))
            .activity("send", Mail.class, (context, mail) -> hang())
            .start();
    await("it runs", () -> worker.running() == 1);
    Trouble[] many = new Trouble[100_000];
    Arrays.fill(many, new Trouble(503, "Overloaded"));
    server.trouble("complete", many);
    release.countDown();
    worker.close();
    await("it is given up", () -> worker.running() == 0);
  }

  @Test
  void tasksThatComeWhenItIsClosingAreGivenBack() {
    try (TenureClient client = TenureClient.to(server.url()).retries(RetryPolicy.NONE).build()) {
      server.offer("late", "send", MAIL);
      List<Task> late = client.tasks().take("mail", "w", Set.of(), 1, Duration.ZERO);
      Worker worker =
          worker().client(client).activity("send", Mail.class, (context, mail) -> 1).start();
      worker.close();
      assertThat(worker.begin(late)).isZero();
      assertThat(server.first("return").get("token").asText()).isEqualTo("late");
      server.trouble("return", new Trouble(503, "Overloaded"));
      assertThat(worker.begin(late)).isZero();
    }
  }

  @Test
  void tasksOfATakeThatIsAnsweredWhileItClosesAreGivenBack() throws InterruptedException {
    CountDownLatch held = new CountDownLatch(1);
    server.heldTakes = Optional.of(held);
    server.offer("t1", "send", MAIL);
    Worker worker = worker().activity("send", Mail.class, (context, mail) -> 1).start();
    await("the server has handed it out", () -> server.taken.get() == 1);
    Thread closing = Thread.ofVirtual().start(worker::close);
    assertThat(closing.join(Duration.ofMillis(20))).as("it waits for the answer").isFalse();
    held.countDown();
    assertThat(closing.join(FakeServer.SOON)).isTrue();
    assertThat(server.first("return").get("token").asText()).isEqualTo("t1");
    assertThat(server.seen("complete")).isEmpty();
  }

  @Test
  void aTakeThatIsNotAnsweredDoesNotHoldUpTheEnd() throws InterruptedException {
    server.heldTakes = Optional.of(release);
    server.offer("t1", "send", MAIL);
    Worker worker = worker().activity("send", Mail.class, (context, mail) -> 1).start();
    await("the server has handed it out", () -> server.taken.get() == 1);
    Thread closing = Thread.ofVirtual().start(worker::close);
    assertThat(closing.join(FakeServer.SOON)).isTrue();
  }

  @Test
  void aWorkerThatCannotWorkIsRefused() {
    WorkerBuilder plan = worker();
    assertThatThrownBy(plan::start).hasMessageContaining("no activity");
    plan.activity("send", Mail.class, (context, mail) -> 1);
    assertThatThrownBy(() -> plan.activity("send", Mail.class, (context, mail) -> 2))
        .hasMessageContaining("twice");
    assertThatThrownBy(() -> plan.atOnce(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> plan.pollWait(Duration.ofSeconds(61)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> Worker.builder().activity("a", Mail.class, (c, m) -> 1).url("x").start())
        .hasMessageContaining("queue");
    assertThatThrownBy(
            () -> Worker.builder().activity("a", Mail.class, (c, m) -> 1).queue("q").start())
        .hasMessageContaining("url");
    assertThatThrownBy(
            () ->
                Worker.builder()
                    .activity("a", Mail.class, (c, m) -> 1)
                    .queue("q")
                    .url("http://tenure.example.com")
                    .apiKey("k")
                    .start())
        .hasMessageContaining("in the clear");
  }
}
