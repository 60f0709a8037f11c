package dev.tenure.sharding.lease;

import com.typesafe.config.ConfigFactory;
import dev.tenure.sharding.cluster.ClusterRuntime;
import dev.tenure.sharding.node.WorkflowNode;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.sharding.process.OwnProcess;
import dev.tenure.sharding.workflow.StartRequest;
import dev.tenure.sharding.workflow.WorkflowSettingsOfTests;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowRegistration;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A node in a process of its own whose steps compute without a pause. It reads one request per
 * line: {@code <number> burn <id> <seconds>}, {@code <number> result <id>}, {@code <number> begun}
 * for how many steps have begun, and {@code <number> held} for how many shards it holds. It ends
 * with its input.
 */
public final class BurningNode {
  private static final AtomicInteger BEGUN = new AtomicInteger();

  /** Says how many numbers it has counted in so many seconds. */
  @Workflow(name = "burns")
  public static final class Burns {
    public long run(WorkflowContext ctx, int seconds) {
      return ctx.step("burn", () -> burn(Duration.ofSeconds(seconds)));
    }

    private static long burn(Duration span) {
      BEGUN.incrementAndGet();
      long end = System.nanoTime() + span.toNanos();
      long count = 0;
      while (System.nanoTime() < end) count++;
      return count;
    }
  }

  private BurningNode() {}

  /** {@code BurningNode <database url> <configuration>}. */
  public static void main(String[] args) throws IOException {
    ClusterRuntime runtime = OwnProcess.runtime(args[0], ConfigFactory.parseString(args[1]));
    WorkflowNode node =
        WorkflowNode.start(
            runtime,
            WorkflowSettingsOfTests.usual(),
            List.of(WorkflowRegistration.of(Burns.class, Burns::new)),
            List.of());
    runtime.up().thenAccept(done -> say("up"));
    serve(node, Tenures.of(runtime.system()));
    Runtime.getRuntime().halt(3); // the test that started this process is gone
  }

  private static void serve(WorkflowNode node, Tenures tenures) throws IOException {
    BufferedReader requests =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = requests.readLine(); line != null; line = requests.readLine()) {
      String[] words = line.split(" ");
      switch (words[1]) {
        case "burn" ->
            node.workflows()
                .start(
                    StartRequest.of(
                        words[2],
                        "burns",
                        PayloadCodec.standard()
                            .write(Integer.valueOf(words[3]), Integer.class, "the seconds")))
                .whenComplete((started, failure) -> said(words[0], failure, 1));
        case "result" ->
            node.workflows()
                .result(WorkflowId.of(words[2]), Duration.ofMinutes(2))
                .whenComplete(
                    (ended, failure) ->
                        said(words[0], failure, failure == null && ended.isPresent() ? 1 : 0));
        case "begun" -> said(words[0], null, BEGUN.get());
        case "held" -> said(words[0], null, tenures.held());
        default -> said(words[0], new IllegalArgumentException(line), 0);
      }
    }
  }

  private static synchronized void said(String number, Throwable failure, long value) {
    say(number + (failure == null ? " + " + value : " - " + failure));
  }

  private static synchronized void say(String line) {
    System.out.println(line.replace('\n', ' '));
    System.out.flush();
  }
}
