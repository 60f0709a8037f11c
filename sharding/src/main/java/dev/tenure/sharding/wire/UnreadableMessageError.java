package dev.tenure.sharding.wire;

/**
 * A message of another node that this one cannot read. It is not delivered; a sender that waits for
 * an answer asks again, and the history tells what became of the request.
 */
public abstract sealed class UnreadableMessageError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private UnreadableMessageError(String message, Throwable cause) {
    super(message, cause);
  }

  /** It is of a form that only a newer node knows. */
  public static final class FromNewerNode extends UnreadableMessageError {
    private static final long serialVersionUID = 1L;

    FromNewerNode(String what, int found, int understood) {
      super(
          "%s has version %d, and this node understands versions up to %d. Finish the upgrade of the cluster."
              .formatted(what, found, understood),
          null);
    }

    FromNewerNode(String what, int kind) {
      super(
          "%s of kind %d is not known to this node. Finish the upgrade of the cluster."
              .formatted(what, kind),
          null);
    }

    FromNewerNode(Throwable cause) {
      super(cause.getMessage(), cause);
    }
  }

  /** No node wrote these bytes. */
  public static final class Damaged extends UnreadableMessageError {
    private static final long serialVersionUID = 1L;

    Damaged(String why) {
      super("A message between nodes is damaged: " + why + ". It was not delivered.", null);
    }

    Damaged(Throwable cause) {
      super("A message between nodes is damaged: " + cause + ". It was not delivered.", cause);
    }
  }

  /** For a kind, read somewhere in a message, that has no meaning here. */
  public static FromNewerNode unknown(String what, int kind) {
    return new FromNewerNode(what, kind);
  }
}
