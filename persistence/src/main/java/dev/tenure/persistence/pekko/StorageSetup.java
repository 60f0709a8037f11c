package dev.tenure.persistence.pekko;

import dev.tenure.persistence.clock.StoreClock;
import dev.tenure.persistence.merging.PipelineSettings;
import dev.tenure.persistence.storage.Storage;
import java.time.InstantSource;
import java.util.Objects;
import org.apache.pekko.actor.setup.Setup;

/**
 * Hands a storage to the actor system that is started with it. Plugins are built from configuration
 * by name, which can carry a class but no open storage.
 */
public final class StorageSetup extends Setup {
  private final Storage storage;
  private final PipelineSettings pipeline;
  private final StoreClock clock;

  /**
   * Looks at the storage's clock.
   *
   * @param machine the clock of the machine, which people set: nothing is decided by it
   */
  public StorageSetup(Storage storage, PipelineSettings pipeline, InstantSource machine) {
    this.storage = Objects.requireNonNull(storage, "storage");
    this.pipeline = Objects.requireNonNull(pipeline, "pipeline");
    this.clock = new StoreClock(storage::time, machine, System::nanoTime);
  }

  Storage storage() {
    return storage;
  }

  PipelineSettings pipeline() {
    return pipeline;
  }

  /** The time of the storage, as this node reckons it. */
  StoreClock clock() {
    return clock;
  }
}
