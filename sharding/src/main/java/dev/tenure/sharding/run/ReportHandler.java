package dev.tenure.sharding.run;

import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.sharding.message.Answer;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.program.StepEnd;
import dev.tenure.workflow.kernel.Wishes;
import dev.tenure.workflow.owner.Next;

/** Handles the reports of a workflow's code. */
final class ReportHandler {
  private final CodeRun code;
  private final Decisions decisions;
  private final CodeFailures failures;
  private final RunTakeUp takeUp;

  ReportHandler(CodeRun code, Decisions decisions, CodeFailures failures, RunTakeUp takeUp) {
    this.code = code;
    this.decisions = decisions;
    this.failures = failures;
    this.takeUp = takeUp;
  }

  Next<JournalEntry> on(Message.Reported report) {
    return switch (report) {
      case Message.Advanced(var from, Wishes wishes) -> advanced(wishes);
      case Message.Ahead(var from, StepEnd end) -> decisions.ahead(end);
      case Message.Queried(var from, var reply) -> {
        if (code.takeWork() instanceof CodeWork.Asking asking)
          asking.replyTo().tell(new Answer.Queried(reply));
        yield Next.nothing();
      }
      case Message.Broken(var from, Throwable why) -> failures.broken(why);
      case Message.Overdue(var from, long since) -> failures.overdue(since);
    };
  }

  private Next<JournalEntry> advanced(Wishes wishes) {
    return switch (code.takeWork()) {
      case CodeWork.Replaying replay -> takeUp.replayed();
      case CodeWork.Reading reading ->
          throw new IllegalStateException("A program answers that is not here.");
      case CodeWork.Deciding deciding ->
          FailureAnswer.orTell(deciding.replyTo(), () -> decisions.decide(deciding, wishes));
      case CodeWork.Asking(var inquiry, var replyTo) -> {
        // A query cannot have this result. If a defect makes it so, the client is told.
        replyTo.tell(new Answer.NotNow("Query " + inquiry.name() + " came to no answer."));
        yield Next.nothing();
      }
    };
  }
}
