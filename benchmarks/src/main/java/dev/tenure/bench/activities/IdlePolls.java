package dev.tenure.bench.activities;

import dev.tenure.bench.measure.BenchServer;
import dev.tenure.bench.measure.Options;
import dev.tenure.bench.measure.Stopwatch;
import dev.tenure.bench.workflows.Engine;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What workers cost that wait for tasks, beside the same node without them. */
record IdlePolls(BenchServer server, Engine engine, Options options, int seconds) {
  private static final String EMPTY_QUEUE = "never-used";

  private record Idle(double nodeCores, double serverCores, double transactionsPerSecond) {}

  Map<String, Object> measure(int pollers, URI door, List<String> keys) {
    engine.clear();
    Idle without = idle();
    Idle with;
    try (var workers =
        WorkerProcess.start(door, EMPTY_QUEUE, pollers, 1, Calls.ofWorkers(), keys)) {
      Engine.until(() -> engine.tasks().waiting() >= pollers, pollers + " polls wait on the node");
      with = idle();
    }
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("pollers", pollers);
    figures.put("idle_s", seconds);
    figures.put("node_percent_of_core", 100 * with.nodeCores);
    figures.put("node_percent_without", 100 * without.nodeCores);
    figures.put("postgres_percent_of_core", 100 * with.serverCores);
    figures.put("postgres_percent_without", 100 * without.serverCores);
    figures.put(
        "percent_of_core",
        100 * (with.nodeCores + with.serverCores - without.nodeCores - without.serverCores));
    figures.put("transactions_per_s", with.transactionsPerSecond);
    figures.put("transactions_per_s_without", without.transactionsPerSecond);
    return figures;
  }

  private Idle idle() {
    sleep(options.warmupSeconds);
    Stopwatch watch = new Stopwatch(server);
    long transactions = server.transactions(Engine.DATABASE);
    watch.start();
    sleep(seconds);
    watch.stop();
    transactions = server.transactions(Engine.DATABASE) - transactions;
    return new Idle(watch.jvmCores(), watch.serverCores(), transactions / watch.seconds());
  }

  private static void sleep(int seconds) {
    try {
      TimeUnit.SECONDS.sleep(seconds);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while measuring", e);
    }
  }
}
