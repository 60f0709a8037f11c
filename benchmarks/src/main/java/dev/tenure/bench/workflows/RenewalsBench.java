package dev.tenure.bench.workflows;

import dev.tenure.bench.measure.BenchServer;
import dev.tenure.bench.measure.Meter;
import dev.tenure.bench.measure.Options;
import dev.tenure.bench.measure.Report;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowRegistration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What it costs to continue as new, among many workflows and in one alone. */
@Command(
    name = "renewals",
    mixinStandardHelpOptions = true,
    description = "Runs of one step that continue as new, beside starts of one step.")
public final class RenewalsBench implements Callable<Integer> {
  @Mixin private Options options;

  @Option(names = "--in-flight", defaultValue = "256")
  private int inFlight;

  @Option(names = "--rounds", defaultValue = "2")
  private int rounds;

  /** Of the load that runs now: told how long each run took. */
  private static volatile LongConsumer completed = nanos -> {};

  private static volatile boolean stopped;

  /** One step, and the next run. */
  @Workflow(name = "renewals")
  public static final class Renews {
    public long run(WorkflowContext ctx, long before) {
      long now = ctx.step("step", () -> ran(before));
      return stopped ? now : ctx.continueAsNew(now);
    }

    private static long ran(long before) {
      long now = System.nanoTime();
      if (before != 0) completed.accept(now - before);
      return now;
    }
  }

  /** Workflows that continue as new until they are stopped. */
  private static final class Load implements Meter.Load {
    private static final AtomicLong NUMBER = new AtomicLong();

    private final Engine engine;
    private final List<CompletableFuture<Void>> ends = new ArrayList<>();

    Load(Engine engine, int inFlight, LongConsumer each) {
      this.engine = engine;
      completed = each;
      stopped = false;
      for (int i = 0; i < inFlight; i++) {
        String id = "renewals-" + NUMBER.incrementAndGet();
        Engine.within(engine.start(id, "renewals", Engine.json(0L)));
        ends.add(engine.completion(id).toCompletableFuture());
      }
    }

    @Override
    public long transactions() {
      return engine.transactions();
    }

    @Override
    public void stop() {
      stopped = true;
      ends.forEach(Engine::within);
    }
  }

  @Override
  public Integer call() {
    Report report = new Report("renewals", options.json);
    try (BenchServer server = BenchServer.start(options.data);
        Engine engine =
            Engine.start(
                server,
                options,
                WorkflowRegistration.of(Renews.class, Renews::new),
                WorkflowRegistration.of(StartsBench.OneStep.class, StartsBench.OneStep::new))) {
      Rounds all = new Rounds(server, options, report);
      starts(server, engine, inFlight);
      renewals(server, engine, inFlight);
      for (int round = 0; round < rounds; round++) {
        all.measure("starts", () -> starts(server, engine, inFlight));
        all.measure("renewals", () -> renewals(server, engine, inFlight));
        all.measure("starts-alone", () -> starts(server, engine, 1));
        all.measure("renewals-alone", () -> renewals(server, engine, 1));
      }
      Map<String, Object> verdict = new LinkedHashMap<>();
      all.into(verdict, "renewals", "renewals_per_s");
      verdict.put(
          "to_starts", all.mean("renewals", "renewals_per_s") / all.mean("starts", "starts_per_s"));
      verdict.put("alone_per_s", all.mean("renewals-alone", "renewals_per_s"));
      verdict.put(
          "alone_to_starts",
          all.mean("renewals-alone", "renewals_per_s") / all.mean("starts-alone", "starts_per_s"));
      all.verdict(verdict);
    }
    return 0;
  }

  private Map<String, Object> starts(BenchServer server, Engine engine, int concurrent) {
    engine.clear();
    Meter meter = new Meter(server);
    Flow flow = new Flow(engine, "starts", Engine.json(7), concurrent, meter::done);
    return figures(concurrent, meter.measure(flow, options, "start"));
  }

  private Map<String, Object> renewals(BenchServer server, Engine engine, int concurrent) {
    engine.clear();
    Meter meter = new Meter(server);
    Load load = new Load(engine, concurrent, meter::done);
    return figures(concurrent, meter.measure(load, options, "renewal"));
  }

  private static Map<String, Object> figures(int concurrent, Map<String, Object> measured) {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("in_flight", concurrent);
    figures.putAll(measured);
    return figures;
  }
}
