package dev.tenure.persistence.activity;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * What is known of one keyed call.
 *
 * @param attempt the newest one that was claimed
 * @param epoch of the tenure that claimed it
 * @param invocation see {@link InvocationKey}: what was called with what
 * @param result empty while there is none, or when the outside world could not give it
 * @param error how the newest attempt failed
 * @param verdict what a verifier said last, in a word, with its evidence
 * @param createdAt when it was claimed first, by the owner's clock
 */
public record ActivityRecord(
    ActivityKey key,
    ActivityStatus status,
    int attempt,
    long epoch,
    InvocationKey invocation,
    Optional<Payload> result,
    Optional<Failure> error,
    Optional<Verdict> verdict,
    Instant createdAt,
    Instant updatedAt) {
  public static final int VERSION = 1;

  /** Whether only the owner's own commit may still change it. */
  public boolean isSettled() {
    return status == ActivityStatus.COMPLETED || status == ActivityStatus.CANCELLED;
  }

  /** The record as another attempt, or another tenure, claims it. */
  public ActivityRecord claimed(int newAttempt, long newEpoch, Instant claimedAt) {
    if (isSettled()) return this;
    return new ActivityRecord(
        key,
        ActivityStatus.STARTED,
        newAttempt,
        newEpoch,
        invocation,
        result,
        error,
        verdict,
        createdAt,
        claimedAt);
  }

  /**
   * The record after a commit of the owner that says how the call came out. A result that is on
   * record stays: it is the proof of what was done outside.
   */
  public ActivityRecord settled(
      ActivityStatus as, Optional<Payload> value, Optional<Failure> failure, Instant settledAt) {
    if (isSettled() && (as != ActivityStatus.COMPLETED || result.isPresent())) return this;
    return new ActivityRecord(
        key,
        as,
        attempt,
        epoch,
        invocation,
        as == ActivityStatus.COMPLETED ? value : result,
        failure.or(() -> error),
        verdict,
        createdAt,
        settledAt);
  }

  /**
   * The record after an effect that no commit brings; empty when the two contradict each other. An
   * effect without a result says only that the call is complete, so it agrees with any result.
   */
  public Optional<ActivityRecord> completedBy(ActivityEffect effect, Instant reportedAt) {
    if (status == ActivityStatus.COMPLETED)
      return effect.result().isEmpty() || effect.result().equals(result)
          ? Optional.of(this)
          : Optional.empty();
    if (isSettled()) return Optional.empty();
    return Optional.of(
        new ActivityRecord(
            key,
            ActivityStatus.COMPLETED,
            attempt,
            epoch,
            invocation,
            effect.result(),
            error,
            effect.verdict().or(() -> verdict),
            createdAt,
            reportedAt));
  }

  /** What a verifier said. */
  public record Verdict(Word word, String evidence) {
    /** The answers of a verifier. */
    public enum Word {
      NOT_COMPLETED,
      COMPLETED_WITH_RESULT,
      COMPLETED_RESULT_UNAVAILABLE,
      INDETERMINATE;

      public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
      }

      public static Word of(String text) {
        for (Word word : values()) if (word.word().equals(text)) return word;
        throw new IllegalArgumentException("'%s' is no answer of a verifier".formatted(text));
      }
    }
  }
}
