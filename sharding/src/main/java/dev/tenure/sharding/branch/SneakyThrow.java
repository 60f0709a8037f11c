package dev.tenure.sharding.branch;

/**
 * Throws an exception without declaring it. The compiler saw a step's exception declared at the
 * step's lambda, and a handle's {@code get} cannot declare it.
 */
public final class SneakyThrow {
  private SneakyThrow() {}

  /** Never returns; declared to return so that callers can write {@code throw}. */
  public static RuntimeException raise(Throwable thrown) {
    throw SneakyThrow.<RuntimeException>as(thrown);
  }

  @SuppressWarnings("unchecked")
  private static <X extends Throwable> X as(Throwable thrown) throws X {
    throw (X) thrown;
  }
}
