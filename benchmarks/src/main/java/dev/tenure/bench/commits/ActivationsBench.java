package dev.tenure.bench.commits;

import com.typesafe.config.ConfigFactory;
import dev.tenure.bench.measure.BenchServer;
import dev.tenure.bench.measure.Meter;
import dev.tenure.bench.measure.Options;
import dev.tenure.bench.measure.Report;
import dev.tenure.persistence.pekko.FencedJournalDao;
import dev.tenure.persistence.pekko.StorageExtension;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.persistence.Persistence;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * What a short life costs: an entity that never was starts, stores one event and stops. On the
 * fenced journal it is an actor that does what the owner of a new workflow does ({@link NewOwner}),
 * on the stock one a persistent actor.
 */
@Command(
    name = "activations",
    mixinStandardHelpOptions = true,
    description = "New entities, one event each, on the fenced and on the stock journal.")
public final class ActivationsBench implements Callable<Integer> {
  @Mixin private Options options;

  @Option(names = "--in-flight", defaultValue = "256")
  private int inFlight;

  @Option(names = "--stock-parallelism", defaultValue = "2")
  private int stockParallelism;

  @Override
  public Integer call() {
    Report report = new Report("activations", options.json);
    double fenced;
    double stock;
    try (BenchServer server = BenchServer.start(options.data)) {
      fenced = report(report, "fenced", fenced(server));
      stock = report(report, "stock", stock(server));
    }
    report.line("verdict", Map.of("fenced_to_stock", fenced / stock));
    return 0;
  }

  private double report(Report report, String path, Map<String, Object> measured) {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("in_flight", inFlight);
    figures.putAll(measured);
    report.line(path, figures);
    return (Double) figures.get("activations_per_s");
  }

  private Map<String, Object> fenced(BenchServer server) {
    try (FencedStore store = new FencedStore(server, options)) {
      ActorSystem system = Systems.fenced(store, options.pipeline());
      StorageExtension storage = StorageExtension.of(system);
      // Pekko starts the plugin at the first request for it.
      Persistence.get(system).journalFor(Systems.FENCED, ConfigFactory.empty());
      FencedJournalDao journal = storage.journal().toCompletableFuture().join();
      Meter meter = new Meter(server);
      Lives lives =
          new Lives(
              system,
              storage.commits()::transactions,
              meter,
              (id, number, done) ->
                  Adapter.spawnAnonymous(
                      system, NewOwner.create(id, store.fence(number), journal, done)));
      return meter.measure(lives.start(inFlight), options, "activation");
    }
  }

  private Map<String, Object> stock(BenchServer server) {
    ActorSystem system = Systems.stock(server, stockParallelism);
    Meter meter = new Meter(server);
    Lives lives =
        new Lives(
            system,
            () -> server.transactions(Systems.STOCK_DATABASE),
            meter,
            (id, number, done) ->
                Adapter.<Writer.Command>spawnAnonymous(
                        system,
                        Writer.create(
                            id,
                            new Writer.Setup(Systems.STOCK, Optional.empty(), null, nanos -> {})))
                    .tell(new Writer.Once(done)));
    return meter.measure(lives.start(inFlight), options, "activation");
  }

  /** Starts an entity that stores one event, says so and stops. */
  private interface Birth {
    void of(String id, int shard, Runnable done);
  }

  /** Keeps so many entities alive: when one has stored its event, the next is born. */
  private record Lives(
      ActorSystem system,
      LongSupplier transactionCount,
      Meter meter,
      Birth birth,
      AtomicLong born,
      AtomicLong stopped)
      implements Meter.Load {
    Lives(ActorSystem system, LongSupplier transactionCount, Meter meter, Birth birth) {
      this(system, transactionCount, meter, birth, new AtomicLong(), new AtomicLong());
    }

    Lives start(int inFlight) {
      for (int i = 0; i < inFlight; i++) next();
      return this;
    }

    private void next() {
      long number = born.incrementAndGet();
      String id = "life|" + number;
      long start = System.nanoTime();
      birth.of(
          id,
          (int) (number % FencedStore.SHARDS),
          () -> {
            meter.done(System.nanoTime() - start);
            if (stopped.get() == 0) next();
          });
    }

    @Override
    public long transactions() {
      return transactionCount.getAsLong();
    }

    @Override
    public void stop() {
      stopped.set(1);
      Systems.stop(system);
    }
  }
}
