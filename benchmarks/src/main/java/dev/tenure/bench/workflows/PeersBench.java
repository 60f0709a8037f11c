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
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The same work on another engine, in turns, on the same server. */
@Command(
    name = "peers",
    mixinStandardHelpOptions = true,
    description = "Steps, starts and signals beside DBOS Java.")
public final class PeersBench implements Callable<Integer> {
  private static final int STEPS = 10;

  @Mixin private Options options;

  @Option(names = "--work", split = ",", defaultValue = "steps,starts,signals")
  private List<String> works;

  @Option(names = "--in-flight", defaultValue = "256")
  private int inFlight;

  @Option(names = "--workflows", defaultValue = "2000", description = "that wait at a time")
  private int waiting;

  @Option(names = "--senders", defaultValue = "32")
  private int senders;

  @Option(names = "--rounds", defaultValue = "2")
  private int rounds;

  private Report report;
  private BenchServer server;
  private Engine tenure;
  private Dbos dbos;

  @Override
  public Integer call() {
    report = new Report("peers", options.json);
    try (BenchServer started = BenchServer.start(options.data);
        Engine engine =
            Engine.start(
                started,
                options,
                WorkflowRegistration.of(PeerSteps.class, PeerSteps::new),
                WorkflowRegistration.of(SignalsBench.Waiting.class, SignalsBench.Waiting::new));
        Dbos peer = new Dbos(started)) {
      server = started;
      tenure = engine;
      dbos = peer;
      for (String work : works) compare(work);
    }
    return 0;
  }

  /** Steps that return their number, and the sum of them. */
  @Workflow(name = "peer-steps")
  public static final class PeerSteps {
    public int run(WorkflowContext ctx, int steps) {
      int sum = 0;
      for (int i = 0; i < steps; i++) {
        int number = i;
        sum += ctx.step("step", () -> number);
      }
      return sum;
    }
  }

  private void compare(String work) {
    switch (work) {
      case "steps" ->
          compare(work, "steps_per_s", () -> ours(STEPS, "step"), () -> theirs(STEPS, "step"));
      case "starts" ->
          compare(work, "starts_per_s", () -> ours(1, "start"), () -> theirs(1, "start"));
      case "signals" -> {
        new SignalBatches(waiting, senders)
            .warm(server, new SignalBatches.OfEngine(tenure), options);
        new SignalBatches(waiting, senders).warm(server, dbos, options);
        compare(
            work,
            "signals_per_s",
            () -> signals(new SignalBatches.OfEngine(tenure)),
            () -> signals(dbos));
      }
      default -> throw new IllegalArgumentException("no such work: " + work);
    }
  }

  private void compare(
      String work,
      String figure,
      Supplier<Map<String, Object>> ours,
      Supplier<Map<String, Object>> theirs) {
    List<Map<String, Object>> tenures = new ArrayList<>();
    List<Map<String, Object>> peers = new ArrayList<>();
    // Not reported: both are to be warm.
    ours.get();
    theirs.get();
    for (int round = 0; round < rounds; round++) {
      tenure.clear();
      tenures.add(ours.get());
      peers.add(theirs.get());
    }
    Map<String, Object> line = new LinkedHashMap<>();
    double mine = mean(tenures, figure);
    double other = mean(peers, figure);
    line.put("peer", "dbos-java");
    line.put("tenure_per_s", mine);
    line.put("peer_per_s", other);
    line.put("ratio", mine / other);
    line.put("tenure_cpu_s_per_1000", mean(tenures, PeersBench::cpu));
    line.put("peer_cpu_s_per_1000", mean(peers, PeersBench::cpu));
    report.line("work", work, line);
  }

  private static double mean(List<Map<String, Object>> all, String figure) {
    return mean(all, figures -> (Double) figures.get(figure));
  }

  private static double mean(
      List<Map<String, Object>> all, ToDoubleFunction<Map<String, Object>> figure) {
    return all.stream().mapToDouble(figure).average().orElseThrow();
  }

  private static double cpu(Map<String, Object> figures) {
    return (Double) figures.get("cpu_s_per_1000_postgres")
        + (Double) figures.get("cpu_s_per_1000_jvm");
  }

  private Map<String, Object> ours(int steps, String unit) {
    return measure(
        completed -> new Flow(tenure, "peer-steps", Engine.json(steps), inFlight, completed),
        steps,
        unit);
  }

  private Map<String, Object> theirs(int steps, String unit) {
    return measure(completed -> dbos.flow(steps, inFlight, completed), steps, unit);
  }

  /** Both are counted when a workflow has completed, with all its steps. */
  private Map<String, Object> measure(
      Function<LongConsumer, Meter.Load> load, int steps, String unit) {
    Meter meter = new Meter(server);
    return meter.measure(load.apply(nanos -> meter.done(nanos, steps)), options, unit);
  }

  private Map<String, Object> signals(SignalBatches.Side side) {
    return new SignalBatches(waiting, senders).measure(server, side, options.seconds);
  }
}
