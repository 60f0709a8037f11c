package dev.tenure.workflow.owner;

import java.time.Duration;
import java.util.Optional;

/** Counts how often in a row an owner had to begin anew, and says when that is too often. */
final class FailureCount {
  /** So many failures without progress between them are an incident. */
  static final int FAILURES_MAX = 5;

  /** So many restarts without a commit between them are followed by pauses. */
  static final int RESTARTS_MAX = 10;

  static final Duration PAUSE_FIRST = Duration.ofMillis(20);

  private final Duration pauseMax;
  private Duration pause = PAUSE_FIRST;
  private int failures;
  private int restarts;
  private String last = "";

  FailureCount(Duration pauseMax) {
    this.pauseMax = pauseMax;
  }

  void stands(boolean progress) {
    pause = PAUSE_FIRST;
    restarts = 0;
    if (progress) failures = 0;
  }

  void failed(Throwable why) {
    failures++;
    last = why.toString();
  }

  /** Why the next decider has to raise an incident instead of going on, if it has to. */
  Optional<String> incident() {
    return failures < FAILURES_MAX
        ? Optional.empty()
        : Optional.of(
            "Its owner failed %d times in a row, at last with %s".formatted(failures, last));
  }

  /** Raising an incident failed as often. */
  boolean isBeyondHelp() {
    return failures >= 2 * FAILURES_MAX;
  }

  /** Whether one more restart may follow at once. */
  boolean mayRestart() {
    return ++restarts <= RESTARTS_MAX;
  }

  Duration nextPause() {
    Duration now = pause;
    Duration twice = pause.multipliedBy(2);
    pause = twice.compareTo(pauseMax) > 0 ? pauseMax : twice;
    return now;
  }

  /** The history was restored by a person. */
  void forget() {
    failures = 0;
    restarts = 0;
    pause = PAUSE_FIRST;
  }
}
