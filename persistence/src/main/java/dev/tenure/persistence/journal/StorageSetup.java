package dev.tenure.persistence.journal;

import dev.tenure.persistence.storage.Storage;
import java.util.Objects;
import org.apache.pekko.actor.setup.Setup;

/**
 * Hands a storage to the actor system that is started with it. Plugins are built from configuration
 * by name, which can carry a class but no open storage.
 */
public final class StorageSetup extends Setup {
  private final Storage storage;

  public StorageSetup(Storage storage) {
    this.storage = Objects.requireNonNull(storage, "storage");
  }

  Storage storage() {
    return storage;
  }
}
