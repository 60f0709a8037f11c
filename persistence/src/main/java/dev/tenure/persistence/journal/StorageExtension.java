package dev.tenure.persistence.journal;

import dev.tenure.persistence.storage.Storage;
import org.apache.pekko.actor.AbstractExtensionId;
import org.apache.pekko.actor.ClassicActorSystemProvider;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.Extension;

/** Where the journal and the leases of an actor system find the storage it was started with. */
public final class StorageExtension implements Extension {
  private static final Id ID = new Id();

  private final Storage storage;

  private StorageExtension(Storage storage) {
    this.storage = storage;
  }

  /** The extension of a system, typed or classic. */
  public static StorageExtension of(ClassicActorSystemProvider system) {
    return ID.get(system);
  }

  /** The storage; whoever opened it closes it, after the system has ended. */
  public Storage storage() {
    return storage;
  }

  private static final class Id extends AbstractExtensionId<StorageExtension> {
    @Override
    public StorageExtension createExtension(ExtendedActorSystem system) {
      return system
          .settings()
          .setup()
          .get(StorageSetup.class)
          .map(setup -> new StorageExtension(setup.storage()))
          .orElseThrow(
              () ->
                  new IllegalStateException(
                      "the actor system '%s' was started without a storage: give ActorSystem.create an ActorSystemSetup that contains a StorageSetup"
                          .formatted(system.name())));
    }
  }
}
