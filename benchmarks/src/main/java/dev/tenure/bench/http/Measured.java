package dev.tenure.bench.http;

import dev.tenure.bench.http.load.Plan;
import dev.tenure.bench.http.load.Sent;
import dev.tenure.bench.measure.BenchServer;
import dev.tenure.bench.measure.Options;
import dev.tenure.bench.measure.Stopwatch;
import dev.tenure.bench.workflows.Engine;
import dev.tenure.bench.workflows.SignalBatches;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;

/** Starts and signals over HTTP: as fast as it goes, or at a rate. */
record Measured(BenchServer server, Engine engine, LoadProcess load, Options options) {
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final int NUMBER_DIGITS = Plan.padded(0).length();

  /** Starts of workflows of one step, each under an id of its own. */
  static Plan starting(String name, Integer... statuses) {
    String body =
        "{\"type\":\"starts\",\"id\":\"%s-%d-#\",\"input\":7}"
            .formatted(name, NUMBER.incrementAndGet());
    return Plan.of("/api/v1/workflows", body, statuses);
  }

  /**
   * Counted are the workflows that were recorded as completed within the time, as for the figures
   * in-process; the latency is that of the start's answer.
   *
   * @param rate 0 for as fast as it goes
   */
  Map<String, Object> starts(double rate) {
    engine.clear();
    CompletionStage<Sent> sending = load.run(starting("http", 201).at(rate));
    sleep(options.warmupSeconds);
    Stopwatch watch = new Stopwatch(server);
    watch.start();
    double loadCpu = load.cpuSeconds();
    load.mark();
    Instant from = Instant.now();
    sleep(options.seconds);
    Instant to = Instant.now();
    loadCpu = load.cpuSeconds() - loadCpu;
    watch.stop();
    load.stop();
    Sent sent = Engine.within(sending);
    requireAll(sent.requests());
    long completed =
        server.number(
            Engine.DATABASE,
            "SELECT count(*) FROM workflow_all WHERE closed_at >= '%s' AND closed_at < '%s'"
                .formatted(from, to));
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("starts_per_s", completed / watch.seconds());
    latencies(figures, sent.histogram());
    figures.putAll(watch.costs("start", completed));
    figures.put("cpu_s_per_1000_load", loadCpu * 1000 / completed);
    return figures;
  }

  /** Requests for what is not there: what HTTP costs before anything is done. */
  Map<String, Object> bare() {
    CompletionStage<Sent> sending = load.run(Plan.of("/api/v1/nothing/#", "{\"input\":7}", 404));
    sleep(options.warmupSeconds);
    Stopwatch watch = new Stopwatch(server);
    watch.start();
    double loadCpu = load.cpuSeconds();
    load.mark();
    sleep(options.seconds);
    loadCpu = load.cpuSeconds() - loadCpu;
    watch.stop();
    load.stop();
    Sent sent = Engine.within(sending);
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("requests_per_s", sent.answers(404) / sent.seconds());
    latencies(figures, sent.histogram());
    figures.putAll(watch.costs("request", sent.answers(404)));
    figures.put("cpu_s_per_1000_load", loadCpu * 1000 / sent.answers(404));
    return figures;
  }

  /** Everything that was accepted is there, and comes to its end. */
  private void requireAll(long accepted) {
    Engine.until(() -> engine.unfinished() == 0, "all that was accepted ends");
    long there = server.number(Engine.DATABASE, "SELECT count(*) FROM workflow_all");
    if (there != accepted) {
      throw new IllegalStateException(accepted + " starts were accepted, " + there + " are there");
    }
  }

  /**
   * As in-process, but for how the signals get there.
   *
   * @param rate 0 for as fast as it goes
   */
  Map<String, Object> signals(int waiting, int seconds, double rate) {
    engine.clear();
    Histogram latencies = new Histogram(3);
    double before = load.cpuSeconds();
    Map<String, Object> figures =
        new SignalBatches(waiting, 1).measure(server, new OverHttp(this, rate, latencies), seconds);
    figures.remove("senders");
    latencies(figures, latencies);
    long signals = (Long) figures.get("signals");
    figures.put("cpu_s_per_1000_load", (load.cpuSeconds() - before) * 1000 / signals);
    return figures;
  }

  private static void latencies(Map<String, Object> figures, Histogram latencies) {
    figures.put("p50_ms", latencies.getValueAtPercentile(50) / 1e6);
    figures.put("p99_ms", latencies.getValueAtPercentile(99) / 1e6);
  }

  static void sleep(int seconds) {
    try {
      TimeUnit.SECONDS.sleep(seconds);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while measuring", e);
    }
  }

  /** Starts and waits within the process, signals from the other one. */
  private record OverHttp(Measured at, double rate, Histogram latencies)
      implements SignalBatches.Side {
    @Override
    public CompletionStage<?> start(String id) {
      return new SignalBatches.OfEngine(at.engine).start(id);
    }

    @Override
    public CompletionStage<?> end(String id) {
      return at.engine.completion(id);
    }

    @Override
    public CompletionStage<?> signalAll(List<String> ids, int senders) {
      String first = ids.getFirst();
      String numbered = first.substring(0, first.length() - NUMBER_DIGITS) + "#";
      Plan plan =
          Plan.of("/api/v1/workflows/" + numbered + "/signal/signal", "{\"payload\":\"go\"}", 200)
              .times(ids.size())
              .at(rate);
      return at.load.run(plan).thenAccept(sent -> latencies.add(sent.histogram()));
    }
  }
}
