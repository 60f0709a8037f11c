package dev.tenure.persistence.visibility;

import java.util.List;
import java.util.Optional;

/** Some rows of a list, and how to ask for those that follow, if any do. */
public record Page<T>(List<T> rows, Optional<String> next) {
  public Page {
    rows = List.copyOf(rows);
  }
}
