package dev.tenure.sharding.code;

/**
 * Throws what a step threw, checked or not: the compiler saw it declared at the step's lambda, and
 * a handle's {@code get} cannot declare it.
 */
final class Sneaky {
  private Sneaky() {}

  /** Never returns; declared to return so that callers can write {@code throw}. */
  static RuntimeException raise(Throwable thrown) {
    throw Sneaky.<RuntimeException>as(thrown);
  }

  @SuppressWarnings("unchecked")
  private static <X extends Throwable> X as(Throwable thrown) throws X {
    throw (X) thrown;
  }
}
