package dev.tenure.workflow.kernel;

import java.util.Optional;

/** What a {@link Shell} tells the owner of its workflow. */
sealed interface Told {
  Told REST = new Rest();

  /**
   * A command, and its reply once the owner has one. It has none while its commit does not stand.
   */
  final class Order implements Told {
    final Command command;

    /** What the program asks for next, where a test says it instead of the program. */
    final Optional<Wishes> wishes;

    Reply reply;

    Order(Command command, Optional<Wishes> wishes) {
      this.command = command;
      this.wishes = wishes;
    }

    Order(Command command) {
      this(command, Optional.empty());
    }
  }

  /** Nobody has asked for anything for so long that the workflow may leave the memory. */
  record Rest() implements Told {}
}
