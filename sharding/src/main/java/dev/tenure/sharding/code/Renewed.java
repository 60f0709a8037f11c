package dev.tenure.sharding.code;

/** Takes the code out of a run that continues as new. */
final class Renewed extends Unwound {
  private static final long serialVersionUID = 1L;
}
