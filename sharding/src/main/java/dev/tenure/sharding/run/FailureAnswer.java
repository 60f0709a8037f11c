package dev.tenure.sharding.run;

import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.sharding.message.Answer;
import dev.tenure.sharding.message.ReplyTo;
import dev.tenure.sharding.unreadable.Unreadable;
import dev.tenure.workflow.owner.Next;
import java.util.Optional;
import java.util.function.Supplier;

/** What the sender of a request is told when the owner fails of it. */
final class FailureAnswer {
  private FailureAnswer() {}

  /** A request that the owner fails of is not taken up again: its sender is told. */
  static Next<JournalEntry> orTell(Optional<ReplyTo> asker, Supplier<Next<JournalEntry>> work) {
    try {
      return work.get();
    } catch (RuntimeException | LinkageError defect) {
      asker.ifPresent(one -> one.tell(of(defect)));
      throw defect;
    }
  }

  static Answer of(Throwable defect) {
    return Unreadable.mayPass(defect)
        ? new Answer.Again(defect.toString())
        : new Answer.NotNow("Its owner failed: " + defect);
  }
}
