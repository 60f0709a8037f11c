package dev.tenure.sharding.run;

import dev.tenure.persistence.storage.StorageException;
import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.program.ProgramSource.Finding;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.ProgramKind;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;

/**
 * Finds the program of a run for its owner. A stored program may have to be read first: another
 * thread does that and tells the owner, so that the owner's turn does not block.
 */
final class ProgramLookup {
  /** The pause before the store is asked again after it could not be reached. */
  private static final Duration PAUSE = Duration.ofMillis(500);

  private final Host host;
  private final Owner.Self self;
  private boolean isReading;

  /** The last program that was read, and the result. */
  private ProgramKind kind;

  private WorkflowType type;
  private Finding answer;

  ProgramLookup(Host host, Owner.Self self) {
    this.host = host;
    this.self = self;
  }

  Finding find(ProgramKind wanted, WorkflowType of) {
    Finding found = host.programs.find(wanted, of);
    return found instanceof Finding.Unread && isAnswered(wanted, of) ? answer : found;
  }

  /**
   * The answer for a type without a version is also that for the version which was decided since,
   * but a program is that of its own version only: a newer one may have been stored meanwhile.
   */
  private boolean isAnswered(ProgramKind wanted, WorkflowType of) {
    if (answer == null || !wanted.equals(kind)) return false;
    if (of.equals(type)) return true;
    return !type.isDecided()
        && of.name().equals(type.name())
        && !(answer instanceof Finding.Found found && !found.type().equals(of));
  }

  /** Whether it has to be read first; the owner is then told {@link Message.ProgramRead}. */
  boolean mustRead(ProgramKind wanted, WorkflowType of) {
    if (wanted.isCode()) return false;
    if (isReading) return true;
    if (!(find(wanted, of) instanceof Finding.Unread)) return false;
    isReading = true;
    kind = wanted;
    type = of;
    answer = null;
    host.reading(() -> host.programs.read(wanted, of))
        .whenComplete(
            (found, failure) ->
                self.tell(
                    new Message.ProgramRead(
                        this, Optional.ofNullable(found), Optional.ofNullable(failure))));
    return true;
  }

  /**
   * Takes the result in. False when the store cannot be reached now, so the owner has to wait
   * longer.
   */
  boolean read(Message.ProgramRead read) {
    if (read.from() != this) return true;
    isReading = false;
    Throwable failure = read.failure().orElse(null);
    if (failure instanceof CompletionException && failure.getCause() != null)
      failure = failure.getCause();
    if (failure instanceof StorageException) {
      // When the owner goes on, it asks again if it still needs the program.
      host.timers.after(PAUSE, () -> self.tell(Message.GoOn.GO_ON));
      return false;
    }
    answer =
        failure == null
            ? read.found().orElseThrow()
            : new Finding.Missing("no-worker: %s could not be read: %s".formatted(type, failure));
    return true;
  }

  /** Forgets the result, because another version may have been stored since. */
  void forget() {
    answer = null;
  }
}
