package dev.tenure.sharding.branch;

/**
 * Throws what a step threw, checked or not: the compiler saw it declared at the step's lambda, and
 * a handle's {@code get} cannot declare it.
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
