package dev.tenure.persistence.incident;

import dev.tenure.persistence.visibility.Page;
import dev.tenure.persistence.visibility.PageRequest;
import java.util.List;
import java.util.Optional;

/** Pages of groups: the place of one is its fingerprint. */
final class IncidentGroups {
  private IncidentGroups() {}

  /**
   * @param found one more than asked for when a page follows
   */
  static Page<IncidentGroup> page(List<IncidentGroup> found, PageRequest page) {
    if (found.size() <= page.rows()) return new Page<>(found, Optional.empty());
    return new Page<>(
        found.subList(0, page.rows()), Optional.of(found.get(page.rows() - 1).fingerprint()));
  }
}
