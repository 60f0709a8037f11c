package dev.tenure.client.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;

/** A worker of a queue in memory. */
abstract class WorkerFixture {
  public record Mail(String to, int copies) {}

  static final String MAIL = "{\"to\":\"ada\",\"copies\":2}";

  final FakeServer server = new FakeServer();
  final List<Duration> pauses = new CopyOnWriteArrayList<>();
  final CountDownLatch release = new CountDownLatch(1);
  final AtomicBoolean interrupted = new AtomicBoolean();

  @AfterEach
  void close() {
    release.countDown();
    server.close();
  }

  WorkerBuilder worker() {
    return Worker.builder()
        .url(server.url())
        .queue("mail")
        .name("w")
        .pollWait(Duration.ofSeconds(1))
        .pauses(pauses::add);
  }

  /** Ends when the test says so, or notes that it was interrupted. */
  Object hang() throws InterruptedException {
    try {
      assertThat(release.await(60, TimeUnit.SECONDS)).isTrue();
      return "released";
    } catch (InterruptedException e) {
      interrupted.set(true);
      throw e;
    }
  }

  int done() {
    return server.seen("complete").stream().mapToInt(one -> one.body().get("tasks").size()).sum();
  }
}
