package dev.tenure.persistence.postgres;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * How side rows of one kind are written in the transaction of their commits.
 *
 * @param name what it is called in messages
 * @param order when it runs among the statements of a transaction
 * @param sql one statement for many rows, or two of which the first takes the locks; the parameters
 *     are arrays, one per column, in order
 * @param columnTypes the arrays' PostgreSQL element types, for example {@code text} or {@code int8}
 * @param alone the same for one row, its parameters the columns themselves; for kinds of rows that
 *     are often in a commit that is alone in its transaction. An empty text when one row needs no
 *     statement: then every other kind that relies on this one has a form for one row, too
 */
record SideStatement(
    String name, WriteOrder order, String sql, List<String> columnTypes, Optional<String> alone) {
  /** Statements that touch the same rows run in a fixed order, the same in every transaction. */
  enum WriteOrder {
    /** Signals that a commit consumes are removed first. */
    CONSUME,
    START,
    /** The only time at which rows of workflows are locked, all by one statement. */
    LOCK_WORKFLOWS,
    CHANGE,
    /**
     * Sees the signals that were accepted until {@link #LOCK_WORKFLOWS} locked the rows of their
     * workflows.
     */
    SETTLE,
    // Rows of tasks come after those of workflows, records after tasks, and payloads last. Each
    // transaction locks in this order, and rows of one table all by one statement.
    LOCK_TASKS,
    REMOVE_TASKS,
    OFFER_TASKS,
    /** Changes rows of workflows that {@link #LOCK_WORKFLOWS} has locked. */
    AWAIT_TASKS,
    LOCK_RECORDS,
    SETTLE_RECORDS,
    CHANGE_RECORDS,
    /** Statements that share no row with another statement. */
    ANY
  }

  /** The order of the statements of a transaction. */
  static final Comparator<SideStatement> IN_ORDER =
      Comparator.comparing(SideStatement::order).thenComparing(SideStatement::name);

  SideStatement {
    columnTypes = List.copyOf(columnTypes);
  }

  SideStatement(String name, WriteOrder order, String sql, List<String> columnTypes) {
    this(name, order, sql, columnTypes, Optional.empty());
  }

  /** One that may run at any time. */
  SideStatement(String name, String sql, List<String> columnTypes) {
    this(name, WriteOrder.ANY, sql, columnTypes);
  }
}
