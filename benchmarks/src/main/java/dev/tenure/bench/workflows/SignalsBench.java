package dev.tenure.bench.workflows;

import dev.tenure.bench.measure.BenchServer;
import dev.tenure.bench.measure.Options;
import dev.tenure.bench.measure.Report;
import dev.tenure.bench.measure.Stopwatch;
import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowRegistration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What a signal costs, from being handed in to the recorded end of the workflow it was for. */
@Command(
    name = "signals",
    mixinStandardHelpOptions = true,
    description = "Workflows that wait for a signal and end with it, beside empty actors.")
public final class SignalsBench implements Callable<Integer> {
  private static final Payload SIGNAL = Engine.json("go");

  @Mixin private Options options;

  @Option(names = "--workflows", defaultValue = "2000", description = "that wait at a time")
  private int waiting;

  @Option(names = "--senders", defaultValue = "32")
  private int senders;

  @Option(names = "--rounds", defaultValue = "2")
  private int rounds;

  private int batches;

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
            Engine.start(server, WorkflowRegistration.of(Waiting.class, Waiting::new))) {
      Rounds all = new Rounds(server, options, report);
      measure(server, engine, options.warmupSeconds);
      for (int round = 0; round < rounds; round++) {
        all.measureEmptyActors();
        all.measure("signals", () -> measure(server, engine, options.seconds));
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

  /** One batch after the other, for so long; the starts between them do not count. */
  private Map<String, Object> measure(BenchServer server, Engine engine, int seconds) {
    engine.clear();
    Stopwatch watch = new Stopwatch(server);
    long deadline = System.nanoTime() + seconds * 1_000_000_000L;
    long signals = 0;
    long commits = 0;
    do {
      List<String> ids = begin(engine);
      long before = engine.commits();
      List<CompletionStage<Void>> ends = ids.stream().map(id -> engine.completion(id)).toList();
      watch.start();
      Engine.withinAll(send(engine, ids));
      Engine.withinAll(ends);
      watch.stop();
      commits += engine.commits() - before;
      signals += ids.size();
    } while (System.nanoTime() < deadline);
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("waiting", waiting);
    figures.put("senders", senders);
    figures.put("signals_per_s", signals / watch.seconds());
    figures.putAll(watch.costs("signal", signals));
    figures.put("commits_per_signal", (double) commits / signals);
    return figures;
  }

  /** A start's answer says that its commit stands, and with it the wait for the signal. */
  private List<String> begin(Engine engine) {
    int batch = batches++;
    List<String> ids = new ArrayList<>();
    List<CompletionStage<?>> starts = new ArrayList<>();
    for (int i = 0; i < waiting; i++) {
      String id = "signals-" + batch + "-" + i;
      ids.add(id);
      starts.add(engine.start(id, "signals", Payload.NONE));
    }
    Engine.withinAll(starts);
    return ids;
  }

  private List<CompletionStage<Void>> send(Engine engine, List<String> ids) {
    AtomicInteger next = new AtomicInteger();
    List<CompletionStage<Void>> ends = new ArrayList<>();
    for (int sender = 0; sender < senders; sender++) ends.add(sendNext(engine, ids, next));
    return ends;
  }

  private CompletionStage<Void> sendNext(Engine engine, List<String> ids, AtomicInteger next) {
    int number = next.getAndIncrement();
    if (number >= ids.size()) return CompletableFuture.completedStage(null);
    return engine
        .workflows()
        .signal(WorkflowId.of(ids.get(number)), "signal", SIGNAL, Optional.empty())
        .thenCompose(
            result -> {
              if (result instanceof SignalResult.Accepted) return sendNext(engine, ids, next);
              throw new IllegalStateException("not accepted: " + result);
            });
  }
}
