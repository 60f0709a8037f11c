package dev.tenure.http.workflow;

import dev.tenure.persistence.visibility.PageRequest;
import java.time.Duration;

/**
 * How much one answer may hold, and how long it may take. A client that asks for more gets that
 * much, and goes on with the next page or asks again.
 *
 * @param pageRows rows, incidents or commits of one page
 * @param waiting for a result
 */
public record AnswerLimits(int pageRows, Duration waiting) {
  public static final int PAGE_ROWS_MIN = 10;
  public static final int PAGE_ROWS_MAX = PageRequest.MAX_PAGE_ROWS;

  /** The longest that one request waits for a result; after it, ask again. */
  public static final Duration WAIT_MAX = Duration.ofSeconds(60);

  public static final AnswerLimits DEFAULT = new AnswerLimits(PAGE_ROWS_MAX, WAIT_MAX);

  public AnswerLimits {
    boolean rows = pageRows >= PAGE_ROWS_MIN && pageRows <= PAGE_ROWS_MAX;
    if (!rows || waiting.isNegative() || waiting.compareTo(WAIT_MAX) > 0) {
      throw new IllegalArgumentException("answers cannot be limited to " + this);
    }
  }

  /** As many as were asked for, or as there may be. */
  int rows(long asked) {
    return (int) Math.min(asked, pageRows);
  }

  public Duration waiting(long seconds) {
    Duration asked = Duration.ofSeconds(seconds);
    return asked.compareTo(waiting) < 0 ? asked : waiting;
  }
}
