package dev.tenure.sharding.run;

import dev.tenure.sharding.message.IncomingSignal;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.message.ReplyTo;
import dev.tenure.sharding.program.Inquiry;
import dev.tenure.workflow.kernel.Command;
import java.time.Instant;
import java.util.Optional;

/**
 * The work for which an owner waits for its code. Until it is answered, all other messages wait.
 */
sealed interface CodeWork {
  /** An admitted command, whose news the code is handling. */
  record Deciding(Command command, Instant now, Optional<ReplyTo> replyTo) implements CodeWork {
    /** The message of the command, as it arrived. */
    Message.Queued message() {
      return replyTo
          .<Message.Queued>map(
              replyTo ->
                  replyTo instanceof IncomingSignal signal
                      ? new Message.Signalled(signal)
                      : new Message.Tell(command, replyTo))
          .orElseGet(() -> new Message.Own(command));
    }
  }

  /** The program of a start is being read from the store; the start itself is pending. */
  record Reading() implements CodeWork {}

  /** The code is being brought to where the history ends. */
  record Replaying() implements CodeWork {}

  record Asking(Inquiry inquiry, ReplyTo replyTo) implements CodeWork {}
}
