package dev.tenure.bench.workflows;

import dev.tenure.bench.measure.BenchServer;
import dev.tenure.bench.measure.JavaProcess;
import dev.tenure.bench.measure.Options;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** The node that is killed, in a process of its own. */
final class RecoveryVictim {
  private static final String READY = "all are at work";

  private final Process process;

  private RecoveryVictim(Process process) {
    this.process = process;
  }

  static RecoveryVictim start(BenchServer server, int port, Options options, int workflows) {
    return new RecoveryVictim(
        JavaProcess.start(
            RecoveryVictim.class,
            List.of(),
            List.of(
                Engine.url(server),
                Integer.toString(port),
                Integer.toString(options.connections),
                Integer.toString(workflows))));
  }

  void awaitAtWork() {
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = out.readLine(); line != null; line = out.readLine())
        if (line.equals(READY)) return;
    } catch (IOException e) {
      throw new UncheckedIOException("the node cannot be heard", e);
    }
    throw new IllegalStateException("the node ended before it could be killed");
  }

  /** SIGKILL: it leaves nothing in order. Returns when that was. */
  long kill() {
    process.destroyForcibly().onExit().join();
    return System.nanoTime();
  }

  public static void main(String[] args) throws InterruptedException {
    Options options = new Options();
    options.connections = Integer.parseInt(args[2]);
    int workflows = Integer.parseInt(args[3]);
    CountDownLatch working = new CountDownLatch(workflows);
    CountDownLatch never = new CountDownLatch(1);
    Engine engine =
        Engine.join(
            args[0],
            Integer.parseInt(args[1]),
            options,
            RecoveryWork.registration(
                id -> {
                  if (!RecoveryWork.counts(id)) return;
                  working.countDown();
                  hold(never);
                }));
    // Pekko starts a shard when a message is sent to it, and then moves it to its node.
    RecoveryWork.warm(engine, "before", Engine.SHARDS * 20);
    engine.awaitSteadyShards();
    RecoveryWork.start(engine, workflows);
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
