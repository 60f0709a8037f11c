package dev.tenure.persistence.journal;

import dev.tenure.persistence.commit.PipelineSettings;
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

  public StorageSetup(Storage storage) {
    this(storage, PipelineSettings.DEFAULT);
  }

  public StorageSetup(Storage storage, PipelineSettings pipeline) {
    this.storage = Objects.requireNonNull(storage, "storage");
    this.pipeline = Objects.requireNonNull(pipeline, "pipeline");
  }

  Storage storage() {
    return storage;
  }

  PipelineSettings pipeline() {
    return pipeline;
  }
}
