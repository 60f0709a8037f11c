package dev.tenure.persistence.merging;

/** More commits wait than the pipeline allows; this one was not stored and can be tried again. */
public final class PipelineSaturatedError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public PipelineSaturatedError(int queueLimit) {
    super(
        "the commit queue is full (%d wait): the database is slower than the load, try again later"
            .formatted(queueLimit),
        null,
        false,
        false); // thrown in masses under overload: a stack trace each would make it worse
  }
}
