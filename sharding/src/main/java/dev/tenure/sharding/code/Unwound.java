package dev.tenure.sharding.code;

/**
 * Takes a thread of workflow code out of the code. The run goes on elsewhere, or is over: whoever
 * catches this gets it again at the next call of the context.
 */
class Unwound extends Error {
  private static final long serialVersionUID = 1L;

  Unwound() {
    super("this run of the workflow's code is over", null, false, false);
  }
}
