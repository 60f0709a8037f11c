package dev.tenure.persistence.pekko;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigValueFactory;
import dev.tenure.persistence.clock.StoreClock;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.merging.CommitPipeline;
import dev.tenure.persistence.merging.MergedReads;
import dev.tenure.persistence.storage.Storage;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.pekko.actor.AbstractExtensionId;
import org.apache.pekko.actor.ClassicActorSystemProvider;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.Extension;

/** Where the journal and the leases of an actor system find the storage it was started with. */
public final class StorageExtension implements Extension {
  private static final Id ID = new Id();

  private final Storage storage;
  private final CommitPipeline commits;
  private final MergedReads reads;
  private final Config pluginConfig;
  private final StoreClock clock;
  private final CompletableFuture<FencedJournalDao> journal = new CompletableFuture<>();
  private final Map<String, CompletionStage<CommitResult>> inFlight = new ConcurrentHashMap<>();

  private StorageExtension(ExtendedActorSystem system, StorageSetup setup) {
    storage = setup.storage();
    clock = setup.clock();
    commits = new CommitPipeline(storage, setup.pipeline());
    reads = new MergedReads(storage);
    pluginConfig = withoutFallbacks(system.settings().config());
    system.registerOnTermination(
        () -> {
          commits.close();
          reads.close();
        });
  }

  /**
   * Falling back to a value that is no object ends the search for further fallbacks: when Pekko
   * merges this with the system's own configuration, it gets this back unchanged.
   */
  private static Config withoutFallbacks(Config config) {
    return config.root().withFallback(ConfigValueFactory.fromAnyRef(0)).toConfig();
  }

  /** The extension of a system, typed or classic. */
  public static StorageExtension of(ClassicActorSystemProvider system) {
    return ID.get(system);
  }

  /** The storage; the code that opened it closes it, after the system has ended. */
  public Storage storage() {
    return storage;
  }

  /** Stores every commit of this system. */
  public CommitPipeline commits() {
    return commits;
  }

  /** Reads the journal for every recovery of this system. */
  MergedReads reads() {
    return reads;
  }

  /** The journal that Pekko was given, as soon as Pekko has started it. */
  public CompletionStage<FencedJournalDao> journal() {
    return journal;
  }

  void journalIs(FencedJournalDao started) {
    journal.complete(started);
  }

  /** By persistence id, the commit that is under way: the same for each actor of the journal. */
  Map<String, CompletionStage<CommitResult>> inFlight() {
    return inFlight;
  }

  /** The time of the storage, as this node reckons it. */
  public StoreClock clock() {
    return clock;
  }

  /**
   * For {@code journalPluginConfig} and {@code snapshotPluginConfig} of entities: without it each
   * start of an entity merges the whole configuration several times.
   */
  public Optional<Config> pluginConfig() {
    return Optional.of(pluginConfig);
  }

  private static final class Id extends AbstractExtensionId<StorageExtension> {
    @Override
    public StorageExtension createExtension(ExtendedActorSystem system) {
      return system
          .settings()
          .setup()
          .get(StorageSetup.class)
          .map(setup -> new StorageExtension(system, setup))
          .orElseThrow(
              () ->
                  new IllegalStateException(
                      "the actor system '%s' was started without a storage: give ActorSystem.create an ActorSystemSetup that contains a StorageSetup"
                          .formatted(system.name())));
    }
  }
}
