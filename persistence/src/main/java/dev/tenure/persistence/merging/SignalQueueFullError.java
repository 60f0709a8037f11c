package dev.tenure.persistence.merging;

/** More signals wait than this node allows; this one was not stored and can be sent again. */
public final class SignalQueueFullError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SignalQueueFullError(int queueLimit) {
    super(
        "%d signals wait to be stored, and no more may: the database is slower than the load, try again later"
            .formatted(queueLimit),
        null,
        false,
        false); // thrown in masses under overload: a stack trace each would make it worse
  }
}
