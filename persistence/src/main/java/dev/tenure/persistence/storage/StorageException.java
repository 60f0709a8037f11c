package dev.tenure.persistence.storage;

/** A call to the storage did not go through; the subclass says what is known of its effect. */
public abstract sealed class StorageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private StorageException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Nothing of the call took effect, for certain: it can be made again. */
  public static final class Unavailable extends StorageException {
    private static final long serialVersionUID = 1L;

    public Unavailable(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** The connection broke when the transaction may already have been committed. */
  public static final class OutcomeUnknown extends StorageException {
    private static final long serialVersionUID = 1L;

    public OutcomeUnknown(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** The store refused the data itself; nothing took effect, and the same call will fail again. */
  public static final class Refused extends StorageException {
    private static final long serialVersionUID = 1L;

    public Refused(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
