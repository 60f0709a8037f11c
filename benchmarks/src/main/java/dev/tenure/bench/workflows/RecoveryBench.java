package dev.tenure.bench.workflows;

import dev.tenure.bench.measure.BenchServer;
import dev.tenure.bench.measure.Options;
import dev.tenure.bench.measure.Report;
import dev.tenure.bench.measure.Stopwatch;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowRegistration;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * A node is killed in the middle of many workflows: how soon another one has all of them moving.
 */
@Command(
    name = "recovery",
    mixinStandardHelpOptions = true,
    description = "A node is killed with many workflows at work; another one goes on with them.")
public final class RecoveryBench implements Callable<Integer> {
  private static final int STARTING = 512;
  private static final String READY = "all are at work";

  @Mixin private Options options;

  @Option(names = "--workflows", defaultValue = "10000")
  private int workflows;

  private final Set<String> moving = ConcurrentHashMap.newKeySet();
  private volatile long allMoving;

  /** Has two steps behind it and is in its third, which takes as long as the process lives. */
  @Workflow(name = "recovery")
  public static final class Working {
    private final Consumer<String> third;

    Working(Consumer<String> third) {
      this.third = third;
    }

    public int run(WorkflowContext ctx) {
      String id = ctx.info().id().value();
      int one = ctx.step("one", () -> 1);
      int two = ctx.step("two", () -> 2);
      ctx.step("three", () -> third.accept(id));
      return one + two;
    }
  }

  private void moves(String id) {
    if (moving.add(id) && moving.size() == workflows) allMoving = System.nanoTime();
  }

  @Override
  public Integer call() {
    Report report = new Report("recovery", options.json);
    try (BenchServer server = BenchServer.start(options.data)) {
      Engine.prepare(server);
      Process victim = victim(server);
      awaitReady(victim);
      // SIGKILL: it leaves nothing in order.
      victim.destroyForcibly().onExit().join();
      long killed = System.nanoTime();
      Stopwatch watch = new Stopwatch(server);
      watch.start();
      try (Engine engine =
          Engine.join(
              server,
              options,
              WorkflowRegistration.of(Working.class, () -> new Working(this::moves)))) {
        Engine.until(() -> engine.shards() > 0, "the first lease");
        long leased = System.nanoTime();
        Engine.until(() -> allMoving != 0, "all are moving");
        Engine.until(() -> engine.unfinished() == 0, "all have ended");
        watch.stop();
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("workflows", workflows);
        figures.put("lease_after_kill_s", seconds(killed, leased));
        figures.put("all_moving_after_lease_s", seconds(leased, allMoving));
        figures.putAll(watch.costs("workflow", workflows));
        report.line("verdict", figures);
      }
    }
    return 0;
  }

  private static double seconds(long from, long to) {
    return (to - from) / 1e9;
  }

  private Process victim(BenchServer server) {
    String java = ProcessHandle.current().info().command().orElse("java");
    try {
      return new ProcessBuilder(
              java,
              "--sun-misc-unsafe-memory-access=allow",
              "--enable-native-access=ALL-UNNAMED",
              "-cp",
              System.getProperty("java.class.path"),
              Victim.class.getName(),
              Engine.url(server),
              Integer.toString(workflows),
              Integer.toString(options.connections))
          .redirectError(ProcessBuilder.Redirect.INHERIT)
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start a node", e);
    }
  }

  private static void awaitReady(Process victim) {
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(victim.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = out.readLine(); line != null; line = out.readLine())
        if (line.equals(READY)) return;
    } catch (IOException e) {
      throw new UncheckedIOException("the node cannot be heard", e);
    }
    throw new IllegalStateException("the node ended before it could be killed");
  }

  /** The node that is killed. */
  static final class Victim {
    private Victim() {}

    public static void main(String[] args) throws InterruptedException {
      int workflows = Integer.parseInt(args[1]);
      Options options = new Options();
      options.connections = Integer.parseInt(args[2]);
      CountDownLatch working = new CountDownLatch(workflows);
      CountDownLatch never = new CountDownLatch(1);
      Engine engine =
          Engine.join(
              args[0],
              options,
              WorkflowRegistration.of(
                  Working.class,
                  () ->
                      new Working(
                          id -> {
                            working.countDown();
                            hold(never);
                          })));
      Semaphore starting = new Semaphore(STARTING);
      for (int i = 0; i < workflows; i++) {
        starting.acquireUninterruptibly();
        engine
            .start("recovery-" + i, "recovery", Payload.NONE)
            .whenComplete((started, failure) -> starting.release());
      }
      working.await();
      System.out.println(READY);
      never.await();
    }

    private static void hold(CountDownLatch never) {
      try {
        never.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
