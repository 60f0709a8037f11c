package dev.tenure.persistence.format;

/**
 * The levels of the formats of stored records. Each kind of record, in each of its versions, has
 * the level from which on engines read it. A level rises with a change that an engine of the level
 * before would not understand; what such an engine may pass over keeps the level.
 *
 * <p>A release that brings a level reads it and does not write it yet: {@link #READ} rises one
 * release before {@link #WRITTEN}. So the release before can take over again at any time.
 */
public final class FormatLevel {
  /** What all engines read. */
  public static final int FIRST = 1;

  /** The newest level that this build reads. */
  public static final int READ = 1;

  /** The newest level that this build writes, once the store allows it. */
  public static final int WRITTEN = 1;

  /**
   * The level of a form of events that only engines of tests read and write, so that the way to a
   * new level is tested while there is none.
   */
  public static final int TRIAL = READ + 1;

  private FormatLevel() {}
}
