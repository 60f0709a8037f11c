package dev.tenure.persistence.postgres;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * How side rows of one kind are written in the transaction of their commits.
 *
 * @param name what it is called in messages
 * @param turn when it runs among the statements of a transaction
 * @param sql one statement for many rows, or two of which the first takes the locks; the parameters
 *     are arrays, one per column, in order
 * @param columnTypes the arrays' PostgreSQL element types, for example {@code text} or {@code int8}
 * @param alone the same for one row, its parameters the columns themselves; for kinds that often
 *     ride in a commit that nobody shares a transaction with
 */
record SideStatement(
    String name, Turn turn, String sql, List<String> columnTypes, Optional<String> alone) {
  /** Statements that touch the same rows take fixed turns, in every transaction the same. */
  enum Turn {
    /** What was consumed leaves first. */
    CONSUME,
    START,
    /** The only turn in which rows of workflows are locked, all by one statement. */
    CHANGE,
    /** Sees what the rows locked in {@link #CHANGE} had attached to them until then. */
    SETTLE,
    /** What shares no row with another statement. */
    ANY
  }

  /** The order of the statements of a transaction. */
  static final Comparator<SideStatement> IN_TURN =
      Comparator.comparing(SideStatement::turn).thenComparing(SideStatement::name);

  SideStatement {
    columnTypes = List.copyOf(columnTypes);
  }

  SideStatement(String name, Turn turn, String sql, List<String> columnTypes) {
    this(name, turn, sql, columnTypes, Optional.empty());
  }

  /** One whose turn does not matter. */
  SideStatement(String name, String sql, List<String> columnTypes) {
    this(name, Turn.ANY, sql, columnTypes);
  }
}
