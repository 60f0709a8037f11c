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
import dev.tenure.sharding.program.Holdup;
import dev.tenure.sharding.program.Inquiry;
import dev.tenure.sharding.program.ProgramFault;
import dev.tenure.sharding.program.Runaway;
import dev.tenure.sharding.unreadable.Unreadable;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.owner.Next;
import java.util.Optional;

/**
 * What an owner does when its workflow's code cannot go on, or does not come back: it begins anew,
 * or gives the code up and has an incident say why.
 */
final class CodeFailures {
  private final Host host;
  private final PendingMessages pending;
  private final HistoryWriter chronicle;
  private final CodeRun code;
  private final Decisions decisions;

  CodeFailures(
      Host host,
      PendingMessages pending,
      HistoryWriter chronicle,
      CodeRun code,
      Decisions decisions) {
    this.host = host;
    this.pending = pending;
    this.chronicle = chronicle;
    this.code = code;
    this.decisions = decisions;
  }

  /** The code cannot go on, for a reason of which it knows nothing. */
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

  /** The code is given up, and what it did not finish is recorded after an incident says so. */
  private Next<JournalEntry> codeFails(Incident incident) {
    Optional<CodeWork> failed = code.stopWaiting();
    code.ownResult().ifPresent(own -> pending.addFirst(new Message.Own(own)));
    if (failed.orElse(null) instanceof CodeWork.Deciding deciding)
      return decisions.decideWithoutCode(deciding, incident);
    code.giveUp();
    if (failed.orElse(null) instanceof CodeWork.Asking(var inquiry, var asker))
      asker.tell(new Answer.NotNow(incident.message()));
    pending.raise(incident);
    return Next.nothing();
  }

  /** The code has been running for longer than it may. */
  Next<JournalEntry> overdue(long since) {
    Optional<Holdup> holdup = code.holdup(since);
    if (holdup.isEmpty()) return Next.nothing();
    return switch (holdup.get()) {
      case Holdup.InCode(Runaway runaway, String where) -> {
        String why =
            "it ran for more than %s between two calls of the context, %s"
                .formatted(host.settings.codeLimit(), where);
        Next<JournalEntry> next = Next.nothing();
        // One who only asks is told so; the workflow itself goes on.
        if (code.giveUpLooking(why)) noteRunaway(runaway);
        else next = codeFails(new Incident.Stuck(why));
        runaway.abandon();
        yield next;
      }
      case Holdup.InStep(String step) -> {
        // A step that nobody wants keeps the thread: the code goes on, on another one.
        beginsAgain();
        yield new Next.Restart<>("Step " + step + " does not give its thread back.");
      }
    };
  }

  /** What the code is at work for is what the owner begins with when it has begun anew. */
  private void beginsAgain() {
    code.ownResult().ifPresent(own -> pending.beginWith(new Message.Own(own)));
    if (code.work().orElse(null) instanceof CodeWork.Deciding deciding)
      pending.beginWith(deciding.message());
  }

  private void noteRunaway(Runaway runaway) {
    WorkflowType type = chronicle.state().start().type();
    CodeWork work = code.work().orElseThrow();
    if (work instanceof CodeWork.Asking(Inquiry inquiry, ReplyTo asker))
      host.runaways.add(type, inquiry.name(), runaway);
    if (work instanceof CodeWork.Deciding deciding
        && deciding.command() instanceof Command.Update update)
      host.runaways.addValidator(type, update.name(), runaway);
  }
}
