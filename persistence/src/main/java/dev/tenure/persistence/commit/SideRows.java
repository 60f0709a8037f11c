package dev.tenure.persistence.commit;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Writes the side rows of commits: one statement per kind, whatever their number. */
final class SideRows {
  private final SortedMap<SideWrite, List<SideRow>> byKind = new TreeMap<>(SideWrite.IN_TURN);

  SideRows(List<Commit> commits) {
    for (Commit commit : commits) {
      for (SideRow row : commit.sideRows()) {
        byKind.computeIfAbsent(row.kind(), kind -> new ArrayList<>()).add(row);
      }
    }
  }

  boolean isEmpty() {
    return byKind.isEmpty();
  }

  /** The kinds, in their turn. */
  Collection<SideWrite> kinds() {
    return byKind.keySet();
  }

  /** One statement after the other, each on its own way to the server. */
  void write(Connection c) throws SQLException {
    for (SideWrite kind : kinds()) {
      try (PreparedStatement statement = c.prepareStatement(kind.sql())) {
        bind(c, statement, 1, kind);
        statement.execute();
      }
    }
  }

  /** Binds all of them behind each other, for the statements of {@link #kinds} in one text. */
  void bindAll(Connection c, PreparedStatement statements, int first) throws SQLException {
    int next = first;
    for (SideWrite kind : kinds()) {
      bind(c, statements, next, kind);
      next += kind.columnTypes().size();
    }
  }

  private void bind(Connection c, PreparedStatement statement, int first, SideWrite kind)
      throws SQLException {
    List<SideRow> rows = byKind.get(kind);
    for (int column = 0; column < kind.columnTypes().size(); column++) {
      boolean binary = kind.columnTypes().get(column).equals("bytea");
      // The driver writes bytes as bytes only when the array says that they are.
      Object[] values = binary ? new byte[rows.size()][] : new Object[rows.size()];
      for (int i = 0; i < values.length; i++) values[i] = rows.get(i).values().get(column);
      statement.setArray(first + column, c.createArrayOf(kind.columnTypes().get(column), values));
    }
  }
}
