package dev.tenure.persistence.visibility;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Some rows of a list, and how to ask for those that follow, if any do. */
public record Page<T>(List<T> rows, Optional<String> next) {
  public Page {
    rows = List.copyOf(rows);
  }

  /**
   * The page that was asked for.
   *
   * @param found its rows, and one more when a page follows
   * @param row makes the row of the page from a row that was found
   * @param place where the page after it begins
   */
  public static <F, T> Page<T> of(
      List<F> found, PageRequest page, Function<F, T> row, Function<F, String> place) {
    List<T> rows = found.stream().limit(page.rows()).map(row).toList();
    return found.size() <= page.rows()
        ? new Page<>(rows, Optional.empty())
        : new Page<>(rows, Optional.of(place.apply(found.get(page.rows() - 1))));
  }
}
