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
      FrontDoors doors = new FrontDoors(engine, options.data);
      URI door = doors.open(Throttle.Limits.DEFAULT);
      load.open(door, connections, doors.keys());
      Measured http = new Measured(server, engine, load, options);
      Rounds all = new Rounds(server, options, report);
      inProcessStarts(server, engine);
      http.starts(0);
      inProcessSignals(server, engine, options.warmupSeconds);
      http.signals(waiting, options.warmupSeconds, 0);
      for (int round = 0; round < rounds; round++) {
        all.measure("starts-in-process", () -> inProcessStarts(server, engine));
        all.measure("starts", () -> http.starts(0));
        all.measure("signals-in-process", () -> inProcessSignals(server, engine, options.seconds));
        all.measure("signals", () -> http.signals(waiting, options.seconds, 0));
      }
      double starts = all.mean("starts", "starts_per_s");
      double signals = all.mean("signals", "signals_per_s");
      all.measure("starts-at-half", () -> http.starts(starts / 2));
      all.measure("signals-at-half", () -> http.signals(waiting, options.seconds, signals / 2));
      all.measure("duplicates", () -> new Duplicates(server, engine, load).measure(duplicates));
      all.measure("overload", () -> new Overload(server, engine, doors, load, options).measure());
      all.verdict(verdict(all, starts, signals));
    }
    return 0;
  }

  private Map<String, Object> verdict(Rounds all, double starts, double signals) {
    Map<String, Object> verdict = new LinkedHashMap<>();
    verdict.put("start_to_inprocess", starts / all.mean("starts-in-process", "starts_per_s"));
    verdict.put("signal_to_inprocess", signals / all.mean("signals-in-process", "signals_per_s"));
    verdict.put("start_cpu_to_inprocess", cpu(all, "starts-in-process") / cpu(all, "starts"));
    verdict.put("signal_cpu_to_inprocess", cpu(all, "signals-in-process") / cpu(all, "signals"));
    double ofStarts = all.mean("starts-at-half", "p99_ms");
    double ofSignals = all.mean("signals-at-half", "p99_ms");
    verdict.put("p99_ms_at_half", Math.max(ofStarts, ofSignals));
    verdict.put("starts_per_s", starts);
    verdict.put("signals_per_s", signals);
    verdict.put("start_p99_ms_at_half", ofStarts);
    verdict.put("signal_p99_ms_at_half", ofSignals);
    verdict.put("duplicate_journal_commits", all.mean("duplicates", "journal_commits"));
    verdict.put("overload_accepted_and_lost", all.mean("overload", "accepted_and_lost"));
    verdict.put(
        "overload_refused_without_retry_after",
        all.mean("overload", "refused_without_retry_after"));
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
