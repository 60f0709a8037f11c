package dev.tenure.bench.workflows;

import dev.tenure.bench.measure.BenchServer;
import dev.tenure.bench.measure.Meter;
import dev.tenure.bench.measure.Options;
import dev.tenure.bench.measure.Report;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowRegistration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What one workflow can do by itself, with many steps at once. */
@Command(
    name = "fanout",
    mixinStandardHelpOptions = true,
    description = "One workflow of many parallel steps, beside empty actors.")
public final class FanOutBench implements Callable<Integer> {
  @Mixin private Options options;

  @Option(names = "--steps", defaultValue = "1000")
  private int steps;

  @Option(names = "--rounds", defaultValue = "2")
  private int rounds;

  /** So many steps at once, and the sum of what they return. */
  @Workflow(name = "fanout")
  public static final class FanOut {
    public int run(WorkflowContext ctx, int steps) {
      List<Handle<Integer>> all = new ArrayList<>(steps);
      for (int i = 0; i < steps; i++) {
        int number = i;
        all.add(ctx.stepAsync("step", StepOptions.DEFAULT, () -> number));
      }
      return ctx.all(all).stream().mapToInt(Integer::intValue).sum();
    }
  }

  @Override
  public Integer call() {
    Report report = new Report("fanout", options.json);
    try (BenchServer server = BenchServer.start(options.data);
        Engine engine =
            Engine.start(server, options, WorkflowRegistration.of(FanOut.class, FanOut::new))) {
      Rounds all = new Rounds(server, options, report);
      measure(server, engine);
      for (int round = 0; round < rounds; round++) {
        all.measureEmptyActors();
        all.measure("fanout", () -> measure(server, engine));
      }
      Map<String, Object> verdict = new LinkedHashMap<>();
      all.into(verdict, "fanout", "steps_per_s");
      verdict.put("to_empty_actor", all.mean("fanout", "steps_per_s") / all.emptyActorsPerSecond());
      all.into(
          verdict,
          "fanout",
          "commits_per_step",
          "wal_bytes_per_step",
          "cpu_s_per_1000_jvm",
          "cpu_s_per_1000_postgres",
          "p50_ms",
          "p99_ms");
      all.verdict(verdict);
    }
    return 0;
  }

  /** The times are those of the whole workflow, the rest is by the step. */
  private Map<String, Object> measure(BenchServer server, Engine engine) {
    engine.clear();
    Meter meter = new Meter(server);
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("parallel", steps);
    Flow flow =
        new Flow(engine, "fanout", Engine.json(steps), 1, nanos -> meter.done(nanos, steps));
    figures.putAll(meter.measure(flow, options, "step"));
    figures.put("commits_per_step", (double) engine.commits() / (flow.done() * steps));
    return figures;
  }
}
