package dev.tenure.persistence.activity;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import java.time.Instant;
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

  /** What a verifier said. */
  public record Verdict(Word word, String evidence) {
    /** The answers of a verifier. */
    public enum Word {
      NOT_COMPLETED,
      COMPLETED_WITH_RESULT,
      COMPLETED_RESULT_UNAVAILABLE,
      INDETERMINATE
    }
  }
}
