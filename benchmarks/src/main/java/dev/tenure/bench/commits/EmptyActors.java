package dev.tenure.bench.commits;

import dev.tenure.bench.measure.BenchServer;
import dev.tenure.bench.measure.Meter;
import dev.tenure.bench.measure.Options;
import dev.tenure.persistence.merging.PipelineSettings;
import dev.tenure.persistence.pekko.StorageExtension;
import java.util.Map;
import org.apache.pekko.actor.ActorSystem;

/** Persistent actors that only store: the baseline of everything that stores and does more. */
public final class EmptyActors {
  private EmptyActors() {}

  /** The figures of so many actors, each of which stores one event after the other. */
  public static Map<String, Object> measure(
      BenchServer server, int writers, PipelineSettings settings, Options options) {
    Meter meter = new Meter(server);
    try (FencedStore store = new FencedStore(server, options)) {
      ActorSystem system = Systems.fenced(store, settings);
      StorageExtension storage = StorageExtension.of(system);
      ActorsLoad load =
          new ActorsLoad(
              system,
              storage.commits()::transactions,
              writers,
              "actors" + writers,
              writer ->
                  new Writer.Setup(
                      Systems.FENCED, storage.pluginConfig(), store.fence(writer), meter::done));
      return meter.measure(load, options, "commit");
    }
  }
}
