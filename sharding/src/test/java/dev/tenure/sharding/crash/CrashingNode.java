package dev.tenure.sharding.crash;

import com.typesafe.config.ConfigFactory;
import dev.tenure.persistence.merging.PipelineSettings;
import dev.tenure.persistence.postgres.PostgresStorage;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.cluster.ClusterRuntime;
import dev.tenure.sharding.cluster.ClusterSettings;
import dev.tenure.sharding.failpoint.Failpoints;
import dev.tenure.sharding.node.WorkflowNode;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.sharding.workflow.StartRequest;
import dev.tenure.sharding.workflow.WorkflowSettingsOfTests;
import dev.tenure.sharding.workflow.Workflows;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A node in a process of its own that stops at a failpoint. It reads one request per line: {@code
 * <number> start <kind> <id>}, {@code <number> held} for how many threads stand at the failpoint,
 * and {@code <number> go} to let them go on. It ends with its input.
 */
public final class CrashingNode {
  /** Stops threads at one place, from a certain hit on. */
  private static final class StopsAt implements Failpoints {
    private final String place;
    private final int from;
    private final boolean halts;
    private final AtomicInteger hits = new AtomicInteger();
    private final AtomicInteger held = new AtomicInteger();
    private final CountDownLatch go = new CountDownLatch(1);

    private StopsAt(String place, int from, boolean halts) {
      this.place = place;
      this.from = from;
      this.halts = halts;
    }

    @Override
    public void hit(String here) {
      if (!here.equals(place) || hits.incrementAndGet() < from) return;
      // Without shutdown hooks, as when the process is killed.
      if (halts) Runtime.getRuntime().halt(9);
      held.incrementAndGet();
      try {
        go.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        held.decrementAndGet();
      }
    }
  }

  private CrashingNode() {}

  /** {@code CrashingNode <database url> <receiver's port> <place> <from hit> halt|hold}. */
  public static void main(String[] args) throws IOException {
    StopsAt failpoint = new StopsAt(args[2], Integer.parseInt(args[3]), args[4].equals("halt"));
    Payments payments = new Payments(Integer.parseInt(args[1]));
    ClusterRuntime runtime =
        ClusterRuntime.start(
            ClusterSettings.node("127.0.0.1", 0, TestDatabase.IDENTITY)
                .withTimes(Duration.ofMillis(250), Duration.ofSeconds(2)),
            PostgresStorage.open(TestDatabase.settings(args[0])),
            PipelineSettings.DEFAULT,
            InstantSource.system(),
            ConfigFactory.empty());
    Workflows workflows =
        WorkflowNode.start(
                runtime,
                WorkflowSettingsOfTests.usual().withFailpoints(failpoint),
                Payments.types(),
                payments.activities())
            .workflows();
    runtime.up().thenAccept(done -> say("up"));
    serve(workflows, failpoint);
    Runtime.getRuntime().halt(3); // the test that started this process is gone
  }

  private static void serve(Workflows workflows, StopsAt failpoint) throws IOException {
    BufferedReader requests =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = requests.readLine(); line != null; line = requests.readLine()) {
      String[] words = line.split(" ");
      switch (words[1]) {
        case "start" ->
            workflows
                .start(
                    StartRequest.of(
                            words[3],
                            "payment",
                            PayloadCodec.standard().write(words[2], String.class, "the kind"))
                        .request("start " + words[3]))
                .whenComplete(
                    (started, failure) ->
                        say(words[0] + (failure == null ? " + 1" : " - " + failure)));
        case "held" -> say(words[0] + " + " + failpoint.held.get());
        case "go" -> {
          failpoint.go.countDown();
          say(words[0] + " + 1");
        }
        default -> say(words[0] + " - unknown");
      }
    }
  }

  private static synchronized void say(String line) {
    System.out.println(line.replace('\n', ' '));
    System.out.flush();
  }
}
