package dev.tenure.bench.store;

import dev.tenure.bench.measure.BenchServer;
import dev.tenure.bench.measure.Meter;
import dev.tenure.bench.measure.Options;
import dev.tenure.bench.measure.Report;
import dev.tenure.bench.workflows.Engine;
import dev.tenure.bench.workflows.Flow;
import dev.tenure.bench.workflows.StartsBench.OneStep;
import dev.tenure.sharding.retention.Janitor;
import dev.tenure.sharding.retention.RetentionSettings;
import dev.tenure.sharding.retention.WorkflowRetention;
import dev.tenure.workflow.WorkflowRegistration;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Closed workflows of ten steps are removed while others are started. */
final class PurgeLoad {
  /** What the bench itself starts closes later, and stays. */
  private static final Duration KEEP = Duration.ofDays(30);

  private final BenchServer server;
  private final Options options;
  private final Report report;
  private final long closed;
  private final int inFlight;

  PurgeLoad(BenchServer server, Options options, Report report, long closed, int inFlight) {
    this.server = server;
    this.options = options;
    this.report = report;
    this.closed = closed;
    this.inFlight = inFlight;
  }

  /** Starts alone, starts beside removals, and removals alone. */
  Map<String, Object> measure() {
    Map<String, Object> verdict = new LinkedHashMap<>();
    try (Engine engine =
        Engine.start(server, options, WorkflowRegistration.of(OneStep.class, OneStep::new))) {
      starts(engine, "warm-up");
      new Tables(server).fillClosed(closed);
      Map<String, Object> alone = starts(engine, "alone");
      try (Janitor janitor = new Janitor(engine.storage(), settings(), () -> true)) {
        long before = left();
        long begun = System.nanoTime();
        Map<String, Object> beside = starts(engine, "beside");
        verdict.put("closed", before);
        verdict.put("purged_per_s", purged(before, begun));
        verdict.put("starts_beside_purge", ratio(beside, alone, "starts_per_s"));
        verdict.put("p99_beside_purge", ratio(beside, alone, "p99_ms"));
        before = left();
        begun = System.nanoTime();
        pass();
        verdict.put("purged_per_s_alone", purged(before, begun));
      }
    }
    return verdict;
  }

  private double purged(long before, long begun) {
    double seconds = (System.nanoTime() - begun) / 1e9;
    return (before - left()) / seconds;
  }

  private void pass() {
    try {
      TimeUnit.SECONDS.sleep(options.seconds);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while measuring", e);
    }
  }

  private long left() {
    return server.number(
        Engine.DATABASE,
        "SELECT count(*) FROM workflow_closed WHERE closed_at < now() - interval '30 days'");
  }

  private static double ratio(Map<String, Object> one, Map<String, Object> other, String figure) {
    return ((Number) one.get(figure)).doubleValue() / ((Number) other.get(figure)).doubleValue();
  }

  private static RetentionSettings settings() {
    return new RetentionSettings(
            RetentionSettings.EVERY_MIN,
            RetentionSettings.DEFAULT.batch(),
            RetentionSettings.DEFAULT.bulkOrders())
        .withWorkflows(
            new WorkflowRetention(
                List.of(new WorkflowRetention.Rule(Optional.empty(), Optional.empty(), KEEP))),
            RetentionSettings.DEFAULT.idKeptFor());
  }

  private Map<String, Object> starts(Engine engine, String path) {
    Meter meter = new Meter(server);
    Flow flow = new Flow(engine, "starts", Engine.json(7), inFlight, meter::done);
    Map<String, Object> figures = new LinkedHashMap<>(meter.measure(flow, options, "start"));
    report.line("purge-" + path, figures);
    return figures;
  }
}
