package dev.tenure.persistence.storage;

import java.util.Optional;

/** A call to the storage did not go through; the subclass says what is known of its effect. */
public abstract sealed class StorageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Empty when the store gave no answer. */
  private final String answer;

  private StorageException(String message, Throwable cause, String answer) {
    super(message, cause);
    this.answer = answer;
  }

  /**
   * The store's own code for the error, when the store itself answered with one. The same call that
   * is answered so again may be at fault. Empty when the store was not reached, or was lost.
   */
  public Optional<String> answer() {
    return Optional.of(answer).filter(code -> !code.isEmpty());
  }

  /** Nothing of the call took effect, for certain: it can be made again. */
  public static final class Unavailable extends StorageException {
    private static final long serialVersionUID = 1L;

    public Unavailable(String message, Throwable cause) {
      this(message, cause, "");
    }

    /**
     * @param answer the store's own code for the error; empty when it gave none
     */
    public Unavailable(String message, Throwable cause, String answer) {
      super(message, cause, answer);
    }
  }

  /** The connection broke when the transaction may already have been committed. */
  public static final class OutcomeUnknown extends StorageException {
    private static final long serialVersionUID = 1L;

    public OutcomeUnknown(String message, Throwable cause) {
      this(message, cause, "");
    }

    /**
     * @param answer the store's own code for the error; empty when it gave none
     */
    public OutcomeUnknown(String message, Throwable cause, String answer) {
      super(message, cause, answer);
    }
  }

  /** The store refused the data itself; nothing took effect, and the same call will fail again. */
  public static sealed class Refused extends StorageException permits IdRemoved {
    private static final long serialVersionUID = 1L;

    public Refused(String message, Throwable cause) {
      super(message, cause, "");
    }
  }

  /**
   * A start has the id of a workflow that was removed a short while ago: a request for that one may
   * come again, and must not begin another one.
   */
  public static final class IdRemoved extends Refused {
    private static final long serialVersionUID = 1L;

    public IdRemoved(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
