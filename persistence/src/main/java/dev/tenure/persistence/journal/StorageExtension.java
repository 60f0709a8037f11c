package dev.tenure.persistence.journal;

import dev.tenure.persistence.commit.CommitPipeline;
import dev.tenure.persistence.storage.Storage;
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

  private StorageExtension(ExtendedActorSystem system, StorageSetup setup) {
    storage = setup.storage();
    commits = new CommitPipeline(storage, setup.pipeline());
    reads = new MergedReads(storage);
    system.registerOnTermination(
        () -> {
          commits.close();
          reads.close();
        });
  }

  /** The extension of a system, typed or classic. */
  public static StorageExtension of(ClassicActorSystemProvider system) {
    return ID.get(system);
  }

  /** The storage; whoever opened it closes it, after the system has ended. */
  public Storage storage() {
    return storage;
  }

  /** The way of every commit of this system. */
  public CommitPipeline commits() {
    return commits;
  }

  /** The way of every recovery of this system. */
  public MergedReads reads() {
    return reads;
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
