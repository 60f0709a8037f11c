package dev.tenure.persistence.commit;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes the side rows of stored commits: one statement per kind, whatever their number. */
final class SideRows {
  private SideRows() {}

  static void write(Connection c, List<Commit> stored) throws SQLException {
    Map<SideWrite, List<SideRow>> byKind = new LinkedHashMap<>();
    for (Commit commit : stored) {
      for (SideRow row : commit.sideRows()) {
        byKind.computeIfAbsent(row.kind(), kind -> new ArrayList<>()).add(row);
      }
    }
    List<SideWrite> kinds = new ArrayList<>(byKind.keySet());
    kinds.sort(SideWrite.IN_TURN);
    for (SideWrite kind : kinds) write(c, kind, byKind.get(kind));
  }

  private static void write(Connection c, SideWrite kind, List<SideRow> rows) throws SQLException {
    try (PreparedStatement statement = c.prepareStatement(kind.sql())) {
      for (int column = 0; column < kind.columnTypes().size(); column++) {
        Object[] values = new Object[rows.size()];
        for (int i = 0; i < values.length; i++) values[i] = rows.get(i).values().get(column);
        statement.setArray(column + 1, c.createArrayOf(kind.columnTypes().get(column), values));
      }
      statement.executeUpdate();
    }
  }
}
