package dev.tenure.bench.commits;

import dev.tenure.bench.measure.BenchServer;
import dev.tenure.bench.measure.Meter;
import dev.tenure.bench.measure.Options;
import dev.tenure.bench.measure.Report;
import dev.tenure.persistence.merging.PipelineSettings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.pekko.actor.ActorSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What a durable commit costs, from the bare statement up to a persistent actor. */
@Command(
    name = "commits",
    mixinStandardHelpOptions = true,
    description =
        "Commits: bare statement, pipeline, actors on the fenced and on the stock journal.")
public final class CommitsBench implements Callable<Integer> {
  private static final int VERDICT_WRITERS = 256;

  @Mixin private Options options;

  @Option(names = "--writers", split = ",", defaultValue = "256,2000")
  private List<Integer> writerCounts;

  @Option(names = "--paths", split = ",", defaultValue = "ceiling,pipeline,actors,stock")
  private List<String> paths;

  @Option(names = "--stock-parallelism", defaultValue = "2")
  private int stockParallelism;

  @Override
  public Integer call() {
    Report report = new Report("commits", options.json);
    PipelineSettings settings = options.pipeline();
    Map<String, Double> rates = new LinkedHashMap<>();
    try (BenchServer server = BenchServer.start(options.data)) {
      // Not reported: the first measurement pays for a cold compiler and cold files.
      measure(server, settings, "ceiling", VERDICT_WRITERS);
      for (int writers : writerCounts) {
        for (String path : paths) {
          Map<String, Object> figures = new LinkedHashMap<>();
          figures.put("writers", writers);
          figures.putAll(measure(server, settings, path, writers));
          if (writers == VERDICT_WRITERS) rates.put(path, (Double) figures.get("commits_per_s"));
          report.line(path, figures);
        }
      }
    }
    if (rates.keySet().containsAll(List.of("ceiling", "pipeline", "actors", "stock"))) {
      report.line(
          "verdict",
          Map.of(
              "pipeline_to_ceiling", rates.get("pipeline") / rates.get("ceiling"),
              "actors_to_stock", rates.get("actors") / rates.get("stock")));
    }
    return 0;
  }

  private Map<String, Object> measure(
      BenchServer server, PipelineSettings settings, String path, int writers) {
    Meter meter = new Meter(server);
    if (path.equals("stock")) {
      ActorSystem system = Systems.stock(server, stockParallelism);
      return meter.measure(
          new ActorsLoad(
              system,
              () -> server.transactions(Systems.STOCK_DATABASE), // the plugin does not count them
              writers,
              "stock" + writers,
              writer -> new Writer.Setup(Systems.STOCK, Optional.empty(), null, meter::done)),
          options,
          "commit");
    }
    if (path.equals("actors")) return EmptyActors.measure(server, writers, settings, options);
    try (FencedStore store = new FencedStore(server, options)) {
      Meter.Load load =
          switch (path) {
            case "ceiling" ->
                new CeilingLoad(store, meter, writers, settings.lanes(), settings.batchLimit());
            case "pipeline" -> new PipelineLoad(store, meter, writers, settings);
            default -> throw new IllegalArgumentException("no such path: " + path);
          };
      return meter.measure(load, options, "commit");
    }
  }
}
