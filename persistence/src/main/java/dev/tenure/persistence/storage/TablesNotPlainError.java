package dev.tenure.persistence.storage;

import java.util.List;

/** Tables of the engine were partitioned, or inherit: it would not keep its promises on them. */
public final class TablesNotPlainError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param tables each with what it is: "workflow is partitioned"
   */
  public TablesNotPlainError(List<String> tables) {
    super(
        "the engine needs plain tables, and %s. Copy the rows into plain tables of the same names (CREATE TABLE ... (LIKE ... INCLUDING ALL)), or restore a backup of before. Only workflow_closed is partitioned, by the engine itself."
            .formatted(String.join(", ", tables)));
  }
}
