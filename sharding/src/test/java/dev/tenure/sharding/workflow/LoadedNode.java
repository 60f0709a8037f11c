package dev.tenure.sharding.workflow;

import dev.tenure.sharding.cluster.ClusterRuntime;
import dev.tenure.sharding.host.WorkflowSettings;
import dev.tenure.sharding.node.WorkflowNode;
import dev.tenure.sharding.process.OwnProcess;
import dev.tenure.workflow.ChildCall;
import dev.tenure.workflow.ChildHandle;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowRegistration;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A node in a process of its own, with workflows that keep it busy. It reads one request per line,
 * {@code <number> start <prefix> <count>}, {@code <number> held} or {@code <number> stop}, and ends
 * with its input.
 */
public final class LoadedNode {
  static final int STEPS = 10;
  private static final Duration STEP_TAKES = Duration.ofMillis(15);

  /** The step that a doomed node begins and never ends: it certainly dies in the middle. */
  private static final int HELD_STEP = STEPS / 2;

  private static volatile boolean doomed;
  private static final AtomicLong held = new AtomicLong();

  /** Ten steps in a row; the result tells whether each was seen once and in order. */
  @Workflow(name = "ten-steps")
  public static final class TenSteps {
    public String run(WorkflowContext ctx) throws InterruptedException {
      StringBuilder all = new StringBuilder();
      for (int i = 0; i < STEPS; i++) {
        int number = i;
        all.append(
            ctx.<Integer, InterruptedException>step(
                "step",
                () -> {
                  LockSupport.parkNanos(STEP_TAKES.toNanos());
                  if (doomed && number == HELD_STEP) {
                    held.incrementAndGet();
                    new CountDownLatch(1).await();
                  }
                  return number;
                }));
      }
      return all.toString();
    }
  }

  /** Two children, wherever they live, of which one is told to go on by its parent. */
  @Workflow(name = "family")
  public static final class Family {
    public String run(WorkflowContext ctx) {
      ChildHandle<String> busy = ctx.childAsync(ChildCall.to(TenSteps.class, String.class));
      ChildHandle<String> waiting = ctx.childAsync(ChildCall.to(Waits.class, String.class));
      String word = ctx.step("word", () -> "go");
      waiting.signal("go", word);
      return waiting.get() + busy.get();
    }
  }

  @Workflow(name = "waits")
  public static final class Waits {
    public String run(WorkflowContext ctx) {
      ctx.onUpdate("add", Integer.class, number -> ctx.step("add", () -> number + 1));
      return ctx.awaitSignal("go", String.class);
    }
  }

  static List<WorkflowRegistration<?>> types() {
    return List.of(
        WorkflowRegistration.of(TenSteps.class, TenSteps::new),
        WorkflowRegistration.of(Family.class, Family::new),
        WorkflowRegistration.of(Waits.class, Waits::new));
  }

  private final ClusterRuntime runtime;
  private final Workflows workflows;

  private LoadedNode(ClusterRuntime runtime) {
    this.runtime = runtime;
    this.workflows =
        WorkflowNode.start(
                runtime,
                WorkflowSettings.of(
                    InstantSource.system(),
                    () -> ThreadLocalRandom.current().nextLong(),
                    () -> UUID.randomUUID().toString()),
                types(),
                List.of())
            .workflows();
  }

  /** {@code LoadedNode <database url> [doomed]}. */
  public static void main(String[] args) throws IOException {
    doomed = args.length > 1;
    ClusterRuntime runtime = OwnProcess.runtime(args[0]);
    LoadedNode node = new LoadedNode(runtime);
    runtime.up().thenAccept(done -> say("up"));
    node.serve();
    Runtime.getRuntime().halt(3); // the test that started this process is gone
  }

  private void serve() throws IOException {
    BufferedReader requests =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = requests.readLine(); line != null; line = requests.readLine()) {
      String[] words = line.split(" ");
      switch (words[1]) {
        case "start" -> start(words[0], words[2], Integer.parseInt(words[3]));
        case "held" -> say(words[0] + " + " + held.get());
        case "stop" -> runtime.stop();
        default -> say(words[0] + " - unknown");
      }
    }
  }

  private void start(String number, String prefix, int count) {
    List<CompletableFuture<?>> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      StartRequest request = StartRequest.of(prefix + i, "ten-steps", Payload.NONE);
      all.add(workflows.start(request).toCompletableFuture());
    }
    CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
        .whenComplete(
            (done, failure) ->
                say(number + (failure == null ? " + " + count : " - " + failure.getMessage())));
  }

  private static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
