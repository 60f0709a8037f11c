package dev.tenure.persistence.format;

/**
 * The store has, or may have, records that this engine does not read: the cluster raised the floor
 * when all of its nodes could read them. Nothing was changed.
 */
public final class EngineTooOldError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public EngineTooOldError(EngineBuild engine, FormatFloor floor) {
    super(
        "This is engine %s, which reads formats up to level %d. The store needs level %d since engine %s wrote to it. Start engine %s or a newer one; to go back further, restore a backup from before that."
            .formatted(
                engine.version(),
                engine.reads(),
                floor.level(),
                floor.raisedBy(),
                floor.raisedBy()));
  }
}
