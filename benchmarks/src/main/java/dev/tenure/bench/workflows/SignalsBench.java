package dev.tenure.bench.workflows;

import dev.tenure.bench.measure.BenchServer;
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

/** What a signal costs, from being handed in to the recorded end of the workflow it was for. */
@Command(
    name = "signals",
    mixinStandardHelpOptions = true,
    description = "Workflows that wait for a signal and end with it, beside empty actors.")
public final class SignalsBench implements Callable<Integer> {
  @Mixin private Options options;

  @Option(names = "--workflows", defaultValue = "2000", description = "that wait at a time")
  private int waiting;

  @Option(names = "--senders", defaultValue = "32")
  private int senders;

  @Option(names = "--rounds", defaultValue = "2")
  private int rounds;

  /** Waits, and ends with what it was told. */
  @Workflow(name = "signals")
  public static final class Waiting {
    public String run(WorkflowContext ctx) {
      return ctx.awaitSignal("signal", String.class);
    }
  }

  @Override
  public Integer call() {
    Report report = new Report("signals", options.json);
    try (BenchServer server = BenchServer.start(options.data);
        Engine engine =
            Engine.start(server, options, WorkflowRegistration.of(Waiting.class, Waiting::new))) {
      Rounds all = new Rounds(server, options, report);
      batches().warm(server, new SignalBatches.OfEngine(engine), options);
      for (int round = 0; round < rounds; round++) {
        all.measureEmptyActors();
        all.measure("signals", () -> measure(server, engine));
      }
      Map<String, Object> verdict = new LinkedHashMap<>();
      all.into(verdict, "signals", "signals_per_s");
      verdict.put(
          "to_empty_actor", all.mean("signals", "signals_per_s") / all.emptyActorsPerSecond());
      all.into(
          verdict,
          "signals",
          "commits_per_signal",
          "wal_bytes_per_signal",
          "cpu_s_per_1000_jvm",
          "cpu_s_per_1000_postgres");
      all.verdict(verdict);
    }
    return 0;
  }

  private SignalBatches batches() {
    return new SignalBatches(waiting, senders);
  }

  private Map<String, Object> measure(BenchServer server, Engine engine) {
    engine.clear();
    Map<String, Object> figures =
        batches().measure(server, new SignalBatches.OfEngine(engine), options.seconds);
    long signals = (Long) figures.get("signals");
    // All commits but that of each start.
    figures.put("commits_per_signal", (double) (engine.commits() - signals) / signals);
    return figures;
  }
}
