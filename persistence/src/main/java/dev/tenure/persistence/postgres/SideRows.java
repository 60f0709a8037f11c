package dev.tenure.persistence.postgres;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.SideRow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Writes the side rows of commits: one statement for each kind, for any number of rows. */
final class SideRows {
  private final SortedMap<SideStatement, List<SideValues>> byKind =
      new TreeMap<>(SideStatement.IN_ORDER);
  private final boolean ofOneCommit;
  private final boolean careful;

  SideRows(List<Commit> commits) {
    this(commits.size() == 1, false);
    addAll(commits);
  }

  private SideRows(boolean ofOneCommit, boolean careful) {
    this.ofOneCommit = ofOneCommit;
    this.careful = careful;
  }

  /** For commits of which each is known to be stored, and its signals to be accepted. */
  static SideRows judged(List<Commit> commits) {
    SideRows all = new SideRows(commits.size() == 1, true);
    all.addAll(commits);
    return all;
  }

  /** Rows that are written without a commit: the caller checks the fence. */
  static SideRows withoutCommit(List<SideRow> rows) {
    SideRows all = new SideRows(false, true);
    all.add(rows, SideRowContext.withoutCommit(rows));
    return all;
  }

  /** What is written without a commit, and beside any tenure. */
  static SideRows of(SideValues one) {
    SideRows all = new SideRows(false, true);
    all.add(one);
    return all;
  }

  private void addAll(List<Commit> commits) {
    boolean startsClosed = SideRowContext.startsClosed(commits);
    for (Commit commit : commits)
      add(commit.sideRows(), SideRowContext.of(commit, startsClosed, careful));
  }

  private void add(List<SideRow> rows, SideRowContext context) {
    for (SideRow row : rows) SideValues.of(row, context).forEach(this::add);
    context.onlyQueued(rows).ifPresent(id -> WorkflowWrites.queued(id, context).forEach(this::add));
  }

  private void add(SideValues one) {
    byKind.computeIfAbsent(one.statement(), statement -> new ArrayList<>()).add(one);
  }

  boolean isEmpty() {
    return byKind.isEmpty();
  }

  /** The statements whose parameters {@link #bindAll} binds, in the same order. */
  List<String> statements() {
    List<String> statements = new ArrayList<>(byKind.size());
    for (SideStatement kind : byKind.keySet())
      if (!isLeftOut(kind)) statements.add(alone(kind) ? kind.alone().orElseThrow() : kind.sql());
    return statements;
  }

  private boolean isLeftOut(SideStatement kind) {
    return alone(kind) && kind.alone().orElseThrow().isEmpty();
  }

  /**
   * Whether the form for one row is used: only when a single commit is stored. In batches it would
   * make too many different statement texts, and the driver prepares each.
   */
  private boolean alone(SideStatement kind) {
    return ofOneCommit && kind.alone().isPresent() && byKind.get(kind).size() == 1;
  }

  /** Runs one statement after the other, each with a round trip of its own. */
  void write(Connection c) throws SQLException {
    for (SideStatement kind : byKind.keySet()) {
      try (PreparedStatement statement = c.prepareStatement(kind.sql())) {
        bind(c, statement, 1, kind);
        statement.execute();
      }
    }
  }

  /** Binds all of them behind each other, for {@link #statements} in one text. */
  void bindAll(Connection c, PreparedStatement statements, int first) throws SQLException {
    int next = first;
    for (SideStatement kind : byKind.keySet()) {
      if (isLeftOut(kind)) continue;
      if (alone(kind)) bindAlone(statements, next, byKind.get(kind).getFirst());
      else bind(c, statements, next, kind);
      next += kind.columnTypes().size();
    }
  }

  private void bind(Connection c, PreparedStatement statement, int first, SideStatement kind)
      throws SQLException {
    List<SideValues> rows = byKind.get(kind);
    for (int column = 0; column < kind.columnTypes().size(); column++) {
      String type = kind.columnTypes().get(column);
      Object[] values = arrayOf(type, rows.size());
      for (int i = 0; i < values.length; i++) values[i] = rows.get(i).values().get(column);
      statement.setArray(first + column, c.createArrayOf(type, values));
    }
  }

  /** The driver writes an array in its binary form only when the array says what is in it. */
  private static Object[] arrayOf(String type, int size) {
    return switch (type) {
      case "bytea" -> new byte[size][];
      case "int4" -> new Integer[size];
      case "int8" -> new Long[size];
      default -> new String[size];
    };
  }

  private static void bindAlone(PreparedStatement statement, int first, SideValues row)
      throws SQLException {
    for (int column = 0; column < row.values().size(); column++) {
      int type =
          switch (row.statement().columnTypes().get(column)) {
            case "int4" -> Types.INTEGER;
            case "int8" -> Types.BIGINT;
            case "bytea" -> Types.BINARY;
            default -> Types.VARCHAR;
          };
      // Always the same type, also for null: another one would be another statement to the server.
      statement.setObject(first + column, row.values().get(column), type);
    }
  }
}
