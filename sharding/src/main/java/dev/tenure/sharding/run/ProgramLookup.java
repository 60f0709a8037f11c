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
 * Finds the program of a run for its owner. One that is stored may have to be read first: that is
 * done elsewhere, and the owner is told, so nothing in its turn blocks.
 */
final class ProgramLookup {
  /** Before a store is asked again that could not be reached. */
  private static final Duration PAUSE = Duration.ofMillis(500);

  private final Host host;
  private final Owner.Self self;
  private boolean isReading;

  /** What was last read for, and what came of it. */
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

  /** What was read of a type without a version is the version that was decided since. */
  private boolean isAnswered(ProgramKind wanted, WorkflowType of) {
    return answer != null
        && wanted.equals(kind)
        && (of.equals(type) || !type.isDecided() && of.name().equals(type.name()));
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

  /** False when the owner has to wait for longer: the store cannot be reached now. */
  boolean read(Message.ProgramRead read) {
    if (read.from() != this) return true;
    isReading = false;
    Throwable failure = read.failure().orElse(null);
    if (failure instanceof CompletionException && failure.getCause() != null)
      failure = failure.getCause();
    if (failure instanceof StorageException) {
      // It is asked again, by whoever needs it, when the owner goes on.
      host.timers.after(PAUSE, () -> self.tell(Message.GoOn.GO_ON));
      return false;
    }
    answer =
        failure == null
            ? read.found().orElseThrow()
            : new Finding.Missing("no-worker: %s could not be read: %s".formatted(type, failure));
    return true;
  }

  /** What was read counts once: another version may have been stored since. */
  void forget() {
    answer = null;
  }
}
