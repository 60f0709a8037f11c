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
import java.util.concurrent.atomic.LongAdder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What a durable step costs, in short workflows and in long ones. */
@Command(
    name = "steps",
    mixinStandardHelpOptions = true,
    description = "Workflows of steps that do nothing but be recorded, beside empty actors.")
public final class StepsBench implements Callable<Integer> {
  @Mixin private Options options;

  @Option(names = "--in-flight", defaultValue = "256")
  private int inFlight;

  @Option(names = "--steps", defaultValue = "10", description = "of the short workflows")
  private int shortSteps;

  @Option(names = "--long-steps", defaultValue = "1000", description = "of the long workflows")
  private int longSteps;

  @Option(names = "--rounds", defaultValue = "2")
  private int rounds;

  private final LongAdder steps = new LongAdder();

  /** The receiver of reports on steps at this moment. */
  private volatile Meter meter;

  /** Steps that only return a number. */
  @Workflow(name = "steps")
  public static final class Steps {
    private final StepsBench bench;

    Steps(StepsBench bench) {
      this.bench = bench;
    }

    public int run(WorkflowContext ctx, int steps) {
      int sum = 0;
      long last = System.nanoTime();
      for (int i = 0; i < steps; i++) {
        int number = i;
        sum += ctx.step("step", () -> number);
        long now = System.nanoTime();
        bench.done(now - last);
        last = now;
      }
      return sum;
    }
  }

  private void done(long nanos) {
    meter.done(nanos);
    steps.increment();
  }

  @Override
  public Integer call() {
    Report report = new Report("steps", options.json);
    try (BenchServer server = BenchServer.start(options.data);
        Engine engine =
            Engine.start(
                server, options, WorkflowRegistration.of(Steps.class, () -> new Steps(this)))) {
      Rounds all = new Rounds(server, options, report);
      // Not reported: the first measurement pays for a cold compiler.
      measure(server, engine, shortSteps);
      for (int round = 0; round < rounds; round++) {
        all.measureEmptyActors();
        all.measure("short", () -> measure(server, engine, shortSteps));
        all.measure("long", () -> measure(server, engine, longSteps));
      }
      verdict(all);
    }
    return 0;
  }

  private void verdict(Rounds all) {
    Map<String, Object> verdict = new LinkedHashMap<>();
    all.into(verdict, "short", "steps_per_s");
    verdict.put("to_empty_actor", all.mean("short", "steps_per_s") / all.emptyActorsPerSecond());
    all.into(
        verdict,
        "short",
        "commits_per_step",
        "wal_bytes_per_step",
        "cpu_s_per_1000_jvm",
        "cpu_s_per_1000_postgres");
    verdict.put("long_to_short_cost", cpu(all, "long") / cpu(all, "short"));
    verdict.put(
        "long_to_short_time", all.mean("short", "steps_per_s") / all.mean("long", "steps_per_s"));
    all.verdict(verdict);
  }

  private static double cpu(Rounds all, String path) {
    return all.mean(path, "cpu_s_per_1000_jvm") + all.mean(path, "cpu_s_per_1000_postgres");
  }

  private Map<String, Object> measure(BenchServer server, Engine engine, int stepsEach) {
    engine.clear();
    steps.reset();
    meter = new Meter(server);
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("in_flight", inFlight);
    figures.put("steps_each", stepsEach);
    Flow flow = new Flow(engine, "steps", Engine.json(stepsEach), inFlight, nanos -> {});
    figures.putAll(meter.measure(flow, options, "step"));
    figures.put("commits_per_step", (double) engine.commits() / steps.sum());
    return figures;
  }
}
