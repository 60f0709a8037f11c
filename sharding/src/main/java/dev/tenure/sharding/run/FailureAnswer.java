package dev.tenure.sharding.run;

import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.sharding.message.Answer;
import dev.tenure.sharding.message.ReplyTo;
import dev.tenure.sharding.unreadable.Unreadable;
import dev.tenure.workflow.owner.Next;
import java.util.Optional;
import java.util.function.Supplier;

/** The answer to a request that made the owner fail. */
final class FailureAnswer {
  private FailureAnswer() {}

  /**
   * Does the work of a request. If that fails, the request is not taken up again, so its sender is
   * told.
   */
  static Next<JournalEntry> orTell(Optional<ReplyTo> replyTo, Supplier<Next<JournalEntry>> work) {
    try {
      return work.get();
    } catch (RuntimeException | LinkageError defect) {
      replyTo.ifPresent(one -> one.tell(of(defect)));
      throw defect;
    }
  }

  static Answer of(Throwable defect) {
    for (Throwable cause = defect; cause != null; cause = cause.getCause())
      if (cause instanceof StorageException.IdRemoved) return new Answer.NotNow(cause.getMessage());
    return Unreadable.mayPass(defect)
        ? new Answer.Again(defect.toString())
        : new Answer.NotNow("Its owner failed: " + defect);
  }
}
