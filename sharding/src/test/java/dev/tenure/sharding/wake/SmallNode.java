package dev.tenure.sharding.wake;

import dev.tenure.sharding.cluster.ClusterRuntime;
import dev.tenure.sharding.lease.Tenures;
import dev.tenure.sharding.node.WorkflowNode;
import dev.tenure.sharding.process.OwnProcess;
import dev.tenure.sharding.workflow.WorkflowSettingsOfTests;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowRegistration;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A node in a process of its own that gets more work at once than its memory holds. It reads one
 * request per line, {@code <number> <verb>}, and answers with a number; it ends with its input.
 */
public final class SmallNode {
  /** How long a call takes, and with it how long each workflow is at work. */
  static final Duration CALL_TAKES = Duration.ofSeconds(15);

  static final int RESULTS = 20;

  /** Below what is kept beside the journal. */
  static final int RESULT_BYTES = 50_000;

  private static final AtomicInteger CALLED = new AtomicInteger();
  private static final AtomicInteger DONE = new AtomicInteger();

  /** Where the last step of a template waits; other processes have none. */
  static volatile CountDownLatch hold = new CountDownLatch(0);

  /** Sleeps, and then waits for a slow receiver. */
  @Workflow(name = "sleeper")
  public static final class Sleeper {
    public int run(WorkflowContext ctx) {
      ctx.sleep(Duration.ofSeconds(2));
      return ctx.step(
          "call",
          () -> {
            CALLED.incrementAndGet();
            LockSupport.parkNanos(CALL_TAKES.toNanos());
            return DONE.incrementAndGet();
          });
    }
  }

  /** Has got large results, and keeps none of them. */
  @Workflow(name = "large")
  public static final class Large {
    public int run(WorkflowContext ctx) throws InterruptedException {
      int sum = 0;
      for (int i = 0; i < RESULTS; i++)
        sum += ctx.step("part", () -> "r".repeat(RESULT_BYTES)).length();
      ctx.<Integer, InterruptedException>step(
          "last",
          () -> {
            hold.await();
            return DONE.incrementAndGet();
          });
      return sum;
    }
  }

  static List<WorkflowRegistration<?>> types() {
    return List.of(
        WorkflowRegistration.of(Sleeper.class, Sleeper::new),
        WorkflowRegistration.of(Large.class, Large::new));
  }

  private SmallNode() {}

  /** {@code SmallNode <database url>}. */
  public static void main(String[] args) throws IOException {
    ClusterRuntime runtime = OwnProcess.runtime(args[0]);
    WorkflowNode node =
        WorkflowNode.start(runtime, WorkflowSettingsOfTests.usual(), types(), List.of());
    runtime.up().thenAccept(done -> say("up"));
    serve(runtime, node);
    Runtime.getRuntime().halt(3); // the test that started this process is gone
  }

  private static void serve(ClusterRuntime runtime, WorkflowNode node) throws IOException {
    BufferedReader requests =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = requests.readLine(); line != null; line = requests.readLine()) {
      String number = line.split(" ")[0];
      switch (line.split(" ")[1]) {
        case "called" -> answer(number, CALLED.get());
        case "done" -> answer(number, DONE.get());
        case "held" -> answer(number, Tenures.of(runtime.system()).held());
        case "resident" -> answer(number, node.resident());
        case "lacks-leases" ->
            runtime
                .lacksLeases()
                .whenComplete(
                    (lacks, failure) -> answer(number, Boolean.FALSE.equals(lacks) ? 0 : 1));
        case "live-mb" -> answer(number, liveBytes() >> 20);
        default -> say(number + " - unknown");
      }
    }
  }

  private static long liveBytes() {
    Runtime here = Runtime.getRuntime();
    here.gc();
    return here.totalMemory() - here.freeMemory();
  }

  private static void answer(String number, long value) {
    say(number + " + " + value);
  }

  private static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
