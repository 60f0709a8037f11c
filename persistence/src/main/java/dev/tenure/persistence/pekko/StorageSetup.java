package dev.tenure.persistence.pekko;

import dev.tenure.persistence.clock.StoreClock;
import dev.tenure.persistence.merging.PipelineSettings;
import dev.tenure.persistence.storage.Storage;
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
   * @param clock the time of the storage, as this node reckons it
   */
  public StorageSetup(Storage storage, PipelineSettings pipeline, StoreClock clock) {
    this.storage = Objects.requireNonNull(storage, "storage");
    this.pipeline = Objects.requireNonNull(pipeline, "pipeline");
    this.clock = Objects.requireNonNull(clock, "clock");
  }

  Storage storage() {
    return storage;
  }

  PipelineSettings pipeline() {
    return pipeline;
  }

  StoreClock clock() {
    return clock;
  }
}
