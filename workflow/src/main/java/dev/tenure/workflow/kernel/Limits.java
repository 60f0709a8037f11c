package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import java.time.Duration;

/**
 * What one workflow may hold at most. A request that exceeds one gets an answer that names it;
 * nothing is cut to fit, and a workflow can always be terminated.
 */
public final class Limits {
  /** One payload that travels: a workflow's input or result, a signal, an update. */
  public static final int PAYLOAD_BYTES_MAX = 2 * 1024 * 1024;

  /**
   * One payload that stays within its workflow: the result of a step, what an activity is given.
   */
  public static final int KEPT_BYTES_MAX = 16 * 1024 * 1024;

  /** Operations that are open at the same time. */
  public static final int OPEN_OPERATIONS_MAX = 10_000;

  /**
   * What the end of a run, or the recovery of its owner, writes at most for all that is open, see
   * {@link Sizes#openBytes}. It leaves a quarter of a commit to the end itself.
   */
  public static final int OPEN_BYTES_MAX = 3 * 1024 * 1024;

  /** From this length on the workflow's description warns of the history; the workflow goes on. */
  public static final int HISTORY_EVENTS_WARNING = 50_000;

  /** Updates that are admitted and not answered. */
  public static final int PENDING_UPDATES_MAX = 1_000;

  /** Answers that are kept for callers who ask again; the oldest go first. */
  public static final int ANSWERED_UPDATES_MAX = 256;

  /** One answer to an update. */
  public static final int UPDATE_ANSWER_BYTES_MAX = 64 * 1024;

  /** Names of signals that one run ever waited for. */
  public static final int SIGNAL_NAMES_MAX = 1_000;

  /** Timers, retries and timeouts that one commit takes; the rest follows in the next. */
  public static final int DUE_PER_COMMIT_MAX = 1_000;

  /**
   * The most bytes of the results of such operations in one commit; a single larger result is taken
   * alone.
   */
  public static final long DUE_BYTES_PER_COMMIT_MAX = 1024 * 1024;

  /** From this number on the workflow's description warns of its open operations. */
  public static final int OPEN_OPERATIONS_WARNING = 8_000;

  /** From this size on the workflow's description warns of a payload. */
  public static final int PAYLOAD_BYTES_WARNING = 1024 * 1024;

  /** How long the code may go on undoing what it did once the execution timeout is over. */
  public static final Duration EXECUTION_TIMEOUT_GRACE = Duration.ofMinutes(10);

  /** Answers to updates that a new run takes over from the one before it, the newest first. */
  public static final int CARRIED_ANSWERS_BYTES_MAX = 256 * 1024;

  /** Starts of earlier runs of an id whose repetition is still recognised; the oldest go first. */
  public static final int EARLIER_STARTS_MAX = 100;

  /** The reason with which a run ends when another start of its id takes its place. */
  static final String REPLACED = "Another start of the same id took its place.";

  /**
   * Updates without an answer that a new run takes over from the one before it, the oldest first;
   * the oldest is taken over even if it is larger.
   */
  public static final int CARRIED_UPDATES_BYTES_MAX = 1024 * 1024;

  /**
   * What a run that another follows writes at most, in that one commit, for what is open and for
   * what the run has not delivered, see {@link RenewalSize}. The other half of the commit is for
   * the next run's input, the answers and the updates.
   */
  public static final int CARRIED_BYTES_MAX = 2 * 1024 * 1024;

  /** The name of {@link #CARRIED_BYTES_MAX}, by which a parent knows that it has to ask again. */
  public static final String CARRIED_BYTES = "CARRIED_BYTES_MAX";

  /** The reason with which a workflow is asked to stop when its execution timeout is over. */
  static final String DEADLINE = "The workflow's execution timeout.";

  private Limits() {}

  static boolean isTooLarge(Payload payload) {
    return payload.size() > PAYLOAD_BYTES_MAX;
  }

  static boolean isTooLargeToKeep(Payload payload) {
    return payload.size() > KEPT_BYTES_MAX;
  }

  static Failure tooLargeToKeep(String what, Payload payload) {
    return tooLarge(what, payload.size(), "KEPT_BYTES_MAX", KEPT_BYTES_MAX);
  }

  /** The failure that is recorded instead of a value that is too large to be kept. */
  public static Failure tooLarge(String what, int bytes, String limit, int bytesMax) {
    return Failure.permanent(
        Failure.TOO_LARGE,
        "%s has %d bytes, more than %s = %d. Keep it elsewhere and pass a reference."
            .formatted(what, bytes, limit, bytesMax));
  }

  static Failure tooLarge(String what, Payload payload) {
    return tooLarge(what, payload.size(), "PAYLOAD_BYTES_MAX", PAYLOAD_BYTES_MAX);
  }
}
