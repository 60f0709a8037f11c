package dev.tenure.bench.workflows;

import dev.tenure.bench.measure.BenchServer;
import dev.tenure.bench.measure.Meter;
import dev.tenure.bench.measure.Options;
import dev.tenure.bench.measure.Report;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowRegistration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What an activity costs: without a key, and with one that is claimed, proven and recorded. */
@Command(
    name = "activities",
    mixinStandardHelpOptions = true,
    description = "Activities that return a number, without and with a key, beside steps.")
public final class ActivitiesBench implements Callable<Integer> {
  private static final int EACH = 10;

  private static final ActivityDefinition<Integer, Integer> PLAIN =
      ActivityDefinition.of("number", Integer.class, Integer.class);
  private static final ActivityDefinition<Integer, Integer> KEYED =
      ActivityDefinition.of("keyed-number", Integer.class, Integer.class).keyed();

  @Mixin private Options options;

  @Option(names = "--in-flight", defaultValue = "256")
  private int inFlight;

  @Option(names = "--rounds", defaultValue = "2")
  private int rounds;

  /** The receiver of reports on activities at this moment. */
  private volatile Meter meter;

  /** Activities, one after the other. */
  @Workflow(name = "activities")
  public static final class Activities {
    private final ActivitiesBench bench;

    Activities(ActivitiesBench bench) {
      this.bench = bench;
    }

    public int run(WorkflowContext ctx, boolean keyed) {
      int sum = 0;
      long last = System.nanoTime();
      for (int i = 0; i < EACH; i++) {
        sum += ctx.activity(keyed ? KEYED : PLAIN, i);
        long now = System.nanoTime();
        bench.meter.done(now - last);
        last = now;
      }
      return sum;
    }
  }

  @Override
  public Integer call() {
    Report report = new Report("activities", options.json);
    try (BenchServer server = BenchServer.start(options.data);
        Engine engine =
            Engine.start(
                server,
                options,
                List.of(WorkflowRegistration.of(Activities.class, () -> new Activities(this))),
                List.of(
                    ActivityRegistration.of(PLAIN, (call, number) -> number),
                    ActivityRegistration.of(KEYED, (call, number) -> number)))) {
      Rounds all = new Rounds(server, options, report);
      for (int round = 0; round < rounds; round++) {
        all.measure("unkeyed", () -> measure(server, engine, false));
        all.measure("keyed", () -> measure(server, engine, true));
      }
      verdict(all);
    }
    return 0;
  }

  private void verdict(Rounds all) {
    Map<String, Object> verdict = new LinkedHashMap<>();
    verdict.put(
        "keyed_to_unkeyed", all.mean("keyed", "calls_per_s") / all.mean("unkeyed", "calls_per_s"));
    all.verdict(verdict);
  }

  private Map<String, Object> measure(BenchServer server, Engine engine, boolean keyed) {
    engine.clear();
    meter = new Meter(server);
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("in_flight", inFlight);
    Flow flow = new Flow(engine, "activities", Engine.json(keyed), inFlight, nanos -> {});
    figures.putAll(meter.measure(flow, options, "call"));
    return figures;
  }
}
