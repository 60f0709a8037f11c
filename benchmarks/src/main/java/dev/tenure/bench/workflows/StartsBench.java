package dev.tenure.bench.workflows;

import dev.tenure.bench.measure.BenchServer;
import dev.tenure.bench.measure.Meter;
import dev.tenure.bench.measure.Options;
import dev.tenure.bench.measure.Report;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowRegistration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What a short workflow costs from its start to its end, among many and alone. */
@Command(
    name = "starts",
    mixinStandardHelpOptions = true,
    description =
        "Workflows of one step, from start to end, beside empty actors and a bare insert.")
public final class StartsBench implements Callable<Integer> {
  @Mixin private Options options;

  @Option(names = "--in-flight", defaultValue = "256")
  private int inFlight;

  @Option(names = "--rounds", defaultValue = "2")
  private int rounds;

  /** A start, one step, and the end. */
  @Workflow(name = "starts")
  public static final class OneStep {
    public int run(WorkflowContext ctx, int number) {
      return ctx.step("step", () -> number);
    }
  }

  @Override
  public Integer call() {
    Report report = new Report("starts", options.json);
    try (BenchServer server = BenchServer.start(options.data);
        Engine engine =
            Engine.start(server, options, WorkflowRegistration.of(OneStep.class, OneStep::new))) {
      Rounds all = new Rounds(server, options, report);
      measure(server, engine, inFlight);
      for (int round = 0; round < rounds; round++) {
        all.measureEmptyActors();
        all.measure("many", () -> measure(server, engine, inFlight));
        all.measure("bare-insert", () -> bareInsert(server));
        all.measure("alone", () -> measure(server, engine, 1));
      }
      Map<String, Object> verdict = new LinkedHashMap<>();
      all.into(verdict, "many", "starts_per_s");
      verdict.put("to_empty_actor", all.mean("many", "starts_per_s") / all.emptyActorsPerSecond());
      all.into(
          verdict,
          "many",
          "commits_per_start",
          "wal_bytes_per_start",
          "allocated_bytes_per_start",
          "cpu_s_per_1000_jvm",
          "cpu_s_per_1000_postgres");
      verdict.put("alone_p50_ms", all.mean("alone", "p50_ms"));
      verdict.put("bare_insert_p50_ms", all.mean("bare-insert", "p50_ms"));
      verdict.put(
          "alone_to_bare_insert", all.mean("alone", "p50_ms") / all.mean("bare-insert", "p50_ms"));
      all.verdict(verdict);
    }
    return 0;
  }

  private Map<String, Object> measure(BenchServer server, Engine engine, int concurrent) {
    engine.clear();
    Meter meter = new Meter(server);
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("in_flight", concurrent);
    Flow flow = new Flow(engine, "starts", Engine.json(7), concurrent, meter::done);
    figures.putAll(meter.measure(flow, options, "start"));
    figures.put("commits_per_start", (double) engine.commits() / flow.done());
    return figures;
  }

  private Map<String, Object> bareInsert(BenchServer server) {
    Meter meter = new Meter(server);
    return meter.measure(new BareInsert(server, meter), options, "insert");
  }
}
