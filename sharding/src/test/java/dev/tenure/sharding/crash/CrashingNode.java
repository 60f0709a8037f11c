package dev.tenure.sharding.crash;

import dev.tenure.sharding.cluster.ClusterRuntime;
import dev.tenure.sharding.failpoint.Failpoints;
import dev.tenure.sharding.node.WorkflowNode;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.sharding.process.OwnProcess;
import dev.tenure.sharding.workflow.StartRequest;
import dev.tenure.sharding.workflow.WorkflowSettingsOfTests;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A node in a process of its own that stops at failpoints. It reads one request per line: {@code
 * <number> start <kind> <id>}, {@code <number> held} for how many threads stand at a failpoint,
 * {@code <number> go} to let them go on, and {@code <number> running} for how many attempts at
 * activities have not ended. It ends with its input.
 */
public final class CrashingNode {
  /** Stops threads at certain places, each from a certain hit on. */
  private static final class Stops implements Failpoints {
    private record Stop(int from, int every, boolean halts, AtomicInteger hits) {
      private boolean isAt() {
        int hit = hits.incrementAndGet();
        return hit >= from && (hit - from) % every == 0;
      }
    }

    private final Map<String, Stop> places = new HashMap<>();
    private final AtomicInteger held = new AtomicInteger();
    private final CountDownLatch go = new CountDownLatch(1);

    private Stops(List<String> words) {
      for (int i = 0; i < words.size(); i += 3) {
        String[] hits = words.get(i + 1).split("/");
        places.put(
            words.get(i),
            new Stop(
                Integer.parseInt(hits[0]),
                hits.length == 1 ? 1 : Integer.parseInt(hits[1]),
                words.get(i + 2).equals("halt"),
                new AtomicInteger()));
      }
    }

    @Override
    public void hit(String here) {
      Stop stop = places.get(here);
      if (stop == null || !stop.isAt()) return;
      // Without shutdown hooks, as when the process is killed.
      if (stop.halts) Runtime.getRuntime().halt(9);
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

  /**
   * {@code CrashingNode <database url> <receiver's port> [<place> <from hit>[/<every>]
   * halt|hold]…}.
   */
  public static void main(String[] args) throws IOException {
    Stops failpoints = new Stops(List.of(args).subList(2, args.length));
    Payments payments = new Payments(Integer.parseInt(args[1]));
    ClusterRuntime runtime = OwnProcess.runtime(args[0]);
    WorkflowNode node =
        WorkflowNode.start(
            runtime,
            WorkflowSettingsOfTests.usual().withFailpoints(failpoints),
            Payments.types(),
            payments.activities());
    runtime.up().thenAccept(done -> say("up"));
    serve(node, failpoints);
    Runtime.getRuntime().halt(3); // the test that started this process is gone
  }

  private static void serve(WorkflowNode node, Stops failpoints) throws IOException {
    BufferedReader requests =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = requests.readLine(); line != null; line = requests.readLine()) {
      String[] words = line.split(" ");
      switch (words[1]) {
        case "start" ->
            node.workflows()
                .start(
                    StartRequest.of(
                            words[3],
                            "payment",
                            PayloadCodec.standard().write(words[2], String.class, "the kind"))
                        .request("start " + words[3]))
                .whenComplete(
                    (started, failure) ->
                        say(words[0] + (failure == null ? " + 1" : " - " + failure)));
        case "held" -> say(words[0] + " + " + failpoints.held.get());
        case "go" -> {
          failpoints.go.countDown();
          say(words[0] + " + 1");
        }
        case "running" -> say(words[0] + " + " + node.host().activities.size());
        default -> say(words[0] + " - unknown");
      }
    }
  }

  private static synchronized void say(String line) {
    System.out.println(line.replace('\n', ' '));
    System.out.flush();
  }
}
