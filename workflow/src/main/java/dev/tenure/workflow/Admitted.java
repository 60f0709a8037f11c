package dev.tenure.workflow;

import java.util.function.Supplier;

/**
 * Values that come from the store were admitted when they were stored, perhaps by a release with
 * higher limits. So limits hold where a value comes in, and not where a stored one is read: a
 * history must not become unreadable because a limit was raised, or lowered, between two releases.
 * What a value must be to be a value at all holds everywhere.
 */
public final class Admitted {
  private static final ScopedValue<Boolean> READING = ScopedValue.newInstance();

  private Admitted() {}

  /** Reads stored values: until this returns, values made on this thread may be beyond limits. */
  public static <T> T read(Supplier<T> work) {
    return ScopedValue.where(READING, true).call(work::get);
  }

  /**
   * Whether a value that is being made is beyond a limit, and not admitted before.
   *
   * @param beyond whether it is beyond
   */
  public static boolean refuses(boolean beyond) {
    return beyond && !READING.isBound();
  }
}
