package dev.tenure.persistence.format;

/**
 * The level that every engine on a store must read, because records of it may stand there. It only
 * rises: once all nodes read a level, and one of them is about to write it.
 *
 * @param raisedBy the version of the engine that raised it; empty for the first level
 */
public record FormatFloor(int level, String raisedBy) {
  /** Of a new store. */
  public static final FormatFloor FIRST = new FormatFloor(FormatLevel.FIRST, "");

  /** Whether an engine may work on the store. */
  public boolean allows(EngineBuild engine) {
    return engine.reads() >= level;
  }
}
