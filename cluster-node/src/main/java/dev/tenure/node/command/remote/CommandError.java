package dev.tenure.node.command.remote;

/** A command that cannot be carried out as it was given; the message says why, and no secret. */
final class CommandError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Exit exit;

  CommandError(String message) {
    this(Exit.USAGE, message);
  }

  CommandError(Exit exit, String message) {
    super(message);
    this.exit = exit;
  }

  Exit exit() {
    return exit;
  }
}
