package dev.tenure.sharding.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.membership.RowWatch.Sighting;
import dev.tenure.sharding.process.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An address that refuses connections has no node; one that is silent may have. */
class KnockerTest {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final ArbiterTimes TIMES =
      new ArbiterTimes(
          Duration.ofSeconds(1),
          Duration.ofSeconds(9),
          Duration.ofSeconds(2),
          Duration.ofMillis(500),
          Duration.ofMillis(150),
          Duration.ofMillis(100));

  private final AtomicInteger heard = new AtomicInteger();
  private final Knocker knocker = new Knocker(TIMES, heard::incrementAndGet);

  @AfterEach
  void close() {
    knocker.close();
  }

  private static Sighting at(String host, int port) {
    return new Sighting(new Holder("tenure@" + host + ":" + port, 1), 7);
  }

  @Test
  void anAddressThatRefusesIsProofAndIsToldOnce() {
    Sighting gone = at("127.0.0.1", CountingCluster.freePort());
    knocker.knock(Set.of(gone));
    Await.until("the refusal was heard", SOON, () -> heard.get() == 1);
    assertThat(knocker.hasRefused(gone)).isTrue();
    assertThat(knocker.hasRefused(new Sighting(gone.node(), 8))).isFalse();

    knocker.knock(Set.of());
    assertThat(knocker.hasRefused(gone)).as("it beats again").isFalse();
  }

  @Test
  void neitherANodeThatListensNorSilenceNorAnUnknownNameIsProof() throws IOException {
    // A process that is stopped listens, and its accept queue fills up.
    try (ServerSocket listens = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      Sighting stopped = at("127.0.0.1", listens.getLocalPort());
      Sighting unknown = at("no-such-host.invalid", 7301);
      Sighting gone = at("127.0.0.1", CountingCluster.freePort());
      for (int i = 0; i < 4; i++) {
        int before = heard.get();
        knocker.knock(Set.of(stopped, unknown));
        // One thread tries them in turn: what comes later tells that they were tried.
        knocker.knock(Set.of(stopped, unknown, gone));
        Await.until("the refusal was heard", SOON, () -> heard.get() > before);
        assertThat(knocker.hasRefused(stopped)).isFalse();
        assertThat(knocker.hasRefused(unknown)).isFalse();
        knocker.knock(Set.of());
      }
    }
  }
}
