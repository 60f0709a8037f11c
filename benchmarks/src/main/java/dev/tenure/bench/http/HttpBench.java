package dev.tenure.bench.http;

import dev.tenure.bench.measure.BenchServer;
import dev.tenure.bench.measure.Meter;
import dev.tenure.bench.measure.Options;
import dev.tenure.bench.measure.Report;
import dev.tenure.bench.workflows.Engine;
import dev.tenure.bench.workflows.Flow;
import dev.tenure.bench.workflows.Rounds;
import dev.tenure.bench.workflows.SignalBatches;
import dev.tenure.bench.workflows.SignalsBench;
import dev.tenure.bench.workflows.StartsBench;
import dev.tenure.http.access.Throttle;
import dev.tenure.workflow.WorkflowRegistration;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Starts and signals from another process over HTTP, beside the same in-process. */
@Command(
    name = "http",
    mixinStandardHelpOptions = true,
    description = "Starts and signals over HTTP from a process of its own, beside in-process.")
public final class HttpBench implements Callable<Integer> {
  @Mixin private Options options;

  @Option(names = "--in-flight", defaultValue = "256", description = "starts at a time in-process")
  private int inFlight;

  @Option(names = "--workflows", defaultValue = "2000", description = "that wait at a time")
  private int waiting;

  @Option(names = "--senders", defaultValue = "32", description = "of signals in-process")
  private int senders;

  @Option(names = "--http-connections", defaultValue = "64")
  private int connections;

  @Option(names = "--duplicates", defaultValue = "10000", description = "of one signal")
  private int duplicates;

  @Option(
      names = "--paths",
      split = ",",
      defaultValue = "bare,starts,signals,duplicates,overload",
      description = "what is measured (default ${DEFAULT-VALUE})")
  private List<String> paths;

  @Option(names = "--rounds", defaultValue = "2")
  private int rounds;

  @Override
  public Integer call() {
    Report report = new Report("http", options.json);
    try (BenchServer server = BenchServer.start(options.data);
        Engine engine =
            Engine.start(
                server,
                options,
                WorkflowRegistration.of(StartsBench.OneStep.class, StartsBench.OneStep::new),
                WorkflowRegistration.of(SignalsBench.Waiting.class, SignalsBench.Waiting::new));
        LoadProcess load = LoadProcess.start()) {
      FrontDoors doors = new FrontDoors(engine, options.data, "client");
      URI door = doors.open(Throttle.Limits.DEFAULT);
      load.open(door, connections, doors.keys());
      Measured http = new Measured(server, engine, load, options);
      Rounds all = new Rounds(server, options, report);
      if (paths.contains("bare")) {
        http.bare();
        all.measure("bare", http::bare);
      }
      if (paths.contains("starts")) starts(all, server, engine, http);
      if (paths.contains("signals")) signals(all, server, engine, http);
      if (paths.contains("duplicates")) {
        all.measure("duplicates", () -> new Duplicates(server, engine, load).measure(duplicates));
      }
      if (paths.contains("overload")) {
        all.measure("overload", () -> new Overload(server, engine, doors, load, options).measure());
      }
      all.verdict(verdict(all));
    }
    return 0;
  }

  private void starts(Rounds all, BenchServer server, Engine engine, Measured http) {
    inProcessStarts(server, engine);
    http.starts(0);
    for (int round = 0; round < rounds; round++) {
      all.measure("starts-in-process", () -> inProcessStarts(server, engine));
      all.measure("starts", () -> http.starts(0));
    }
    all.measure("starts-at-half", () -> http.starts(all.mean("starts", "starts_per_s") / 2));
  }

  private void signals(Rounds all, BenchServer server, Engine engine, Measured http) {
    engine.clear();
    new SignalBatches(waiting, senders).warm(server, new SignalBatches.OfEngine(engine), options);
    http.signals(waiting, options.warmupSeconds, 0);
    for (int round = 0; round < rounds; round++) {
      all.measure("signals-in-process", () -> inProcessSignals(server, engine, options.seconds));
      all.measure("signals", () -> http.signals(waiting, options.seconds, 0));
    }
    double half = all.mean("signals", "signals_per_s") / 2;
    all.measure("signals-at-half", () -> http.signals(waiting, options.seconds, half));
  }

  /** What was measured, in one line; the latency at half the load is the worse of the two. */
  private Map<String, Object> verdict(Rounds all) {
    Map<String, Object> verdict = new LinkedHashMap<>();
    double worst = 0;
    for (String work : List.of("start", "signal")) {
      String path = work + "s";
      if (!paths.contains(path)) continue;
      String beside = path + "-in-process";
      double perSecond = all.mean(path, path + "_per_s");
      verdict.put(work + "_to_inprocess", perSecond / all.mean(beside, path + "_per_s"));
      verdict.put(work + "_cpu_to_inprocess", cpu(all, beside) / cpu(all, path));
      verdict.put(path + "_per_s", perSecond);
      double p99 = all.mean(path + "-at-half", "p99_ms");
      verdict.put(work + "_p99_ms_at_half", p99);
      worst = Math.max(worst, p99);
    }
    if (worst > 0) verdict.put("p99_ms_at_half", worst);
    if (paths.contains("duplicates")) {
      verdict.put("duplicate_journal_commits", all.mean("duplicates", "journal_commits"));
    }
    if (paths.contains("overload")) {
      verdict.put("overload_accepted_and_lost", all.mean("overload", "accepted_and_lost"));
      verdict.put(
          "overload_refused_without_retry_after",
          all.mean("overload", "refused_without_retry_after"));
    }
    return verdict;
  }

  /** Of all processes: where processors are the limit, it says the same with less noise. */
  private static double cpu(Rounds all, String path) {
    double load = path.endsWith("-in-process") ? 0 : all.mean(path, "cpu_s_per_1000_load");
    return all.mean(path, "cpu_s_per_1000_postgres") + all.mean(path, "cpu_s_per_1000_jvm") + load;
  }

  private Map<String, Object> inProcessStarts(BenchServer server, Engine engine) {
    engine.clear();
    Meter meter = new Meter(server);
    Flow flow = new Flow(engine, "starts", Engine.json(7), inFlight, meter::done);
    return meter.measure(flow, options, "start");
  }

  private Map<String, Object> inProcessSignals(BenchServer server, Engine engine, int seconds) {
    engine.clear();
    return new SignalBatches(waiting, senders)
        .measure(server, new SignalBatches.OfEngine(engine), seconds);
  }
}
