package dev.tenure.persistence.commit;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A kind of row that rides in the transaction of a commit.
 *
 * @param name what it is called in messages and in storages without SQL
 * @param turn when it is written among the kinds of a transaction, whose commits name them in any
 *     order
 * @param sql one statement for many rows, or two of which the first takes the locks; the parameters
 *     are arrays, one per column, in order
 * @param columnTypes the arrays' PostgreSQL element types, for example {@code text} or {@code int8}
 * @param alone the same for one row, its parameters the columns themselves; for kinds that often
 *     ride in a commit that nobody shares a transaction with
 */
public record SideWrite(
    String name, Turn turn, String sql, List<String> columnTypes, Optional<String> alone) {
  /** Kinds that touch the same rows take fixed turns, in every transaction the same. */
  public enum Turn {
    /** What was consumed leaves first. */
    CONSUME,
    START,
    /** The only turn in which rows of workflows are locked, all by one statement. */
    CHANGE,
    /** Sees what the rows locked in {@link #CHANGE} had attached to them until then. */
    SETTLE,
    /** What shares no row with another kind. */
    ANY
  }

  /** The order in which the kinds of a transaction are written. */
  static final Comparator<SideWrite> IN_TURN =
      Comparator.comparing(SideWrite::turn).thenComparing(SideWrite::name);

  public SideWrite {
    columnTypes = List.copyOf(columnTypes);
  }

  public SideWrite(String name, Turn turn, String sql, List<String> columnTypes) {
    this(name, turn, sql, columnTypes, Optional.empty());
  }

  /** A kind whose turn does not matter. */
  public SideWrite(String name, String sql, List<String> columnTypes) {
    this(name, Turn.ANY, sql, columnTypes);
  }
}
