package dev.tenure.persistence.visibility;

import java.util.Optional;

/**
 * Which part of a list is wanted.
 *
 * @param cursor {@link Page#next} of the page before, for the same filter; empty for the first
 */
public record PageRequest(int rows, Optional<String> cursor) {
  public static final int MAX_PAGE_ROWS = 1_000;

  public PageRequest {
    if (rows < 1 || rows > MAX_PAGE_ROWS) {
      throw new IllegalArgumentException(
          "a page of %d rows: choose from 1 to %d".formatted(rows, MAX_PAGE_ROWS));
    }
  }

  public static PageRequest first(int rows) {
    return new PageRequest(rows, Optional.empty());
  }

  public static PageRequest after(String cursor, int rows) {
    return new PageRequest(rows, Optional.of(cursor));
  }
}
