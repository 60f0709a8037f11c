package dev.tenure.sharding.activity;

import dev.tenure.persistence.activity.ActivityRecord;
import dev.tenure.persistence.activity.ActivityStatus;
import dev.tenure.persistence.activity.InvocationKey;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.operation.Outcome;
import java.util.Optional;

/** What the record of a keyed call says to an executor that is to carry it out. */
sealed interface LedgerAnswer {
  /** It may go out: no call before it can have had an effect. */
  record Execute() implements LedgerAnswer {}

  /** It came out before: nothing is called. */
  record ReturnRecorded(Outcome outcome) implements LedgerAnswer {}

  /**
   * A call before it may have had its effect, or may be under way with another executor: first the
   * outside world is asked.
   */
  record Prove(ActivityRecord record) implements LedgerAnswer {}

  /** The record is not about this call: nothing is called, and a person decides. */
  record Refuse(String why) implements LedgerAnswer {}

  /**
   * @param invocation what is to be called with what
   * @param proven whether the owner knows that no call before it had an effect
   */
  static LedgerAnswer of(Optional<ActivityRecord> found, InvocationKey invocation, boolean proven) {
    if (found.isEmpty())
      return new Refuse("There is no record of the call, which its commit has claimed.");
    ActivityRecord record = found.get();
    boolean says = !record.invocation().equals(InvocationKey.RECORDED);
    if (says && !record.invocation().equals(invocation))
      return new Refuse(
          "The record is of another call: it was made as %s, and this one is %s."
              .formatted(record.invocation(), invocation));
    return switch (record.status()) {
      case COMPLETED -> new ReturnRecorded(completed(record));
      case CANCELLED -> new Refuse("The record says that the call was cancelled.");
      case STARTED, FAILED, TIMED_OUT, INDETERMINATE -> proven ? new Execute() : new Prove(record);
    };
  }

  /** The recorded result, or the failure that says that the outside world could not give it. */
  private static Outcome completed(ActivityRecord record) {
    if (record.result().isPresent()) return new Outcome.Succeeded(record.result().get());
    return new Outcome.Failed(
        record
            .error()
            // That of an attempt before says nothing of the effect that is on record.
            .filter(error -> error.type().equals(Failure.RESULT_UNAVAILABLE))
            .orElseGet(
                () ->
                    resultUnavailable(
                        record.verdict().map(ActivityRecord.Verdict::evidence).orElse(""))));
  }

  static Failure resultUnavailable(String evidence) {
    return Failure.permanent(
        Failure.RESULT_UNAVAILABLE,
        "The activity took effect, and its result cannot be had any more. Evidence: " + evidence);
  }

  /** Whether a verifier's answer contradicts what an earlier one has said. */
  static boolean contradicts(ActivityRecord record, ActivityRecord.Verdict.Word now) {
    if (record.status() == ActivityStatus.COMPLETED) return true;
    return now == ActivityRecord.Verdict.Word.NOT_COMPLETED
        && record
            .verdict()
            .map(ActivityRecord.Verdict::word)
            .filter(
                word ->
                    word == ActivityRecord.Verdict.Word.COMPLETED_WITH_RESULT
                        || word == ActivityRecord.Verdict.Word.COMPLETED_RESULT_UNAVAILABLE)
            .isPresent();
  }
}
