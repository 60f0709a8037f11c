package dev.tenure.sharding.run;

import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.payload.MissingPayloadError;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.sharding.commit.HistoryWriter;
import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.mailbox.PendingMessages;
import dev.tenure.sharding.message.Answer;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.message.ReplyTo;
import dev.tenure.sharding.payload.CodeFault;
import dev.tenure.sharding.program.Inquiry;
import dev.tenure.sharding.program.ProgramFault;
import dev.tenure.sharding.program.Runaway;
import dev.tenure.sharding.program.StuckReason;
import dev.tenure.sharding.unreadable.Unreadable;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.owner.Next;
import java.util.Optional;

/**
 * What an owner does when its workflow's code cannot go on, or runs for too long: it begins anew,
 * or gives the code up and raises an incident.
 */
final class CodeFailures {
  private final Host host;
  private final PendingMessages pending;
  private final HistoryWriter history;
  private final CodeRun code;
  private final Decisions decisions;

  CodeFailures(
      Host host,
      PendingMessages pending,
      HistoryWriter history,
      CodeRun code,
      Decisions decisions) {
    this.host = host;
    this.pending = pending;
    this.history = history;
    this.code = code;
    this.decisions = decisions;
  }

  /** The code cannot go on, for a reason that the code cannot handle. */
  Next<JournalEntry> broken(Throwable why) {
    if (why instanceof StorageException) {
      beginsAgain();
      return new Next.Pause<>("A large value cannot be read now: " + why.getMessage());
    }
    return codeFails(
        switch (why) {
          case ProgramFault fault -> fault.incident();
          case MissingPayloadError missing ->
              new Incident.Other(Unreadable.KIND, missing.getMessage() + " Then resolve.");
          default ->
              new Incident.Other(
                  CodeFault.BROKEN_CODE, why + ". Deploy code that is whole, then resolve.");
        });
  }

  /**
   * Gives up the code and raises the incident. The command that the code did not finish is decided
   * after that.
   */
  private Next<JournalEntry> codeFails(Incident incident) {
    Optional<CodeWork> failed = code.stopWaiting();
    code.ownResult().ifPresent(own -> pending.addFirst(new Message.Own(own)));
    if (failed.orElse(null) instanceof CodeWork.Deciding deciding)
      return decisions.decideWithoutCode(deciding, incident);
    code.giveUp();
    if (failed.orElse(null) instanceof CodeWork.Asking(var inquiry, var replyTo))
      replyTo.tell(new Answer.NotNow(incident.message()));
    pending.raise(incident);
    return Next.nothing();
  }

  /** The code has been running for longer than it may. */
  Next<JournalEntry> overdue(long since) {
    Optional<StuckReason> stuckReason = code.stuckReason(since);
    if (stuckReason.isEmpty()) return Next.nothing();
    return switch (stuckReason.get()) {
      case StuckReason.InCode(Runaway runaway, String where) -> {
        String why =
            "it ran for more than %s between two calls of the context, %s"
                .formatted(host.settings.codeLimit(), where);
        Next<JournalEntry> next = Next.nothing();
        // A query or a validator is given up alone: its client is told, and the workflow goes on.
        if (code.giveUpReadOnlyCall(why)) noteRunaway(runaway);
        else next = codeFails(new Incident.Stuck(why));
        runaway.abandon();
        yield next;
      }
      case StuckReason.InStep(String step) -> {
        // An attempt that was stopped does not give its thread back: the code begins again on
        // another thread.
        beginsAgain();
        yield new Next.Restart<>("Step " + step + " does not give its thread back.");
      }
    };
  }

  /** Has the next owner begin with the command that the code is working on. */
  private void beginsAgain() {
    code.ownResult().ifPresent(own -> pending.beginWith(new Message.Own(own)));
    if (code.work().orElse(null) instanceof CodeWork.Deciding deciding)
      pending.beginWith(deciding.message());
  }

  private void noteRunaway(Runaway runaway) {
    WorkflowType type = history.state().start().type();
    CodeWork work = code.work().orElseThrow();
    if (work instanceof CodeWork.Asking(Inquiry inquiry, ReplyTo replyTo))
      host.runaways.add(type, inquiry.name(), runaway);
    if (work instanceof CodeWork.Deciding deciding
        && deciding.command() instanceof Command.Update update)
      host.runaways.addValidator(type, update.name(), runaway);
  }
}
