package dev.tenure.persistence.postgres;

import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.visibility.BlockedType;
import dev.tenure.persistence.visibility.RunCount;
import dev.tenure.persistence.visibility.StatusCode;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Status;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What open workflows run. */
final class OpenRuns {
  private OpenRuns() {}

  /** By status, because what is closed may be far more, and is not looked at. */
  static final String OPEN_RUNS =
      """
      SELECT w.type, w.type_version, w.status, count(*) FROM workflow w
      WHERE w.status = ANY (?::text[]) GROUP BY w.type, w.type_version, w.status
      ORDER BY w.type, w.type_version, w.status
      """;

  static List<RunCount> count(Connection c) throws SQLException {
    Object[] open =
        Arrays.stream(Status.values())
            .filter(status -> !status.isFinal())
            .map(StatusCode::of)
            .toArray();
    try (PreparedStatement query = c.prepareStatement(OPEN_RUNS)) {
      query.setArray(1, c.createArrayOf("text", open));
      List<RunCount> counts = new ArrayList<>();
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next())
          counts.add(
              new RunCount(
                  new WorkflowType(KeyText.ofColumn(rows.getString(1)), rows.getInt(2)),
                  StatusCode.parse(rows.getString(3)),
                  rows.getLong(4)));
      }
      return counts;
    }
  }

  static final String BLOCKED_TYPES =
      """
      SELECT w.shard, w.type, w.type_version, min(w.id) FROM workflow w WHERE w.status = ?
      GROUP BY w.shard, w.type, w.type_version
      """;

  static List<BlockedType> blockedTypes(Connection c) throws SQLException {
    try (PreparedStatement query = c.prepareStatement(BLOCKED_TYPES)) {
      query.setString(1, StatusCode.of(Status.BLOCKED));
      List<BlockedType> types = new ArrayList<>();
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next())
          types.add(
              new BlockedType(
                  rows.getInt(1),
                  new WorkflowType(KeyText.ofColumn(rows.getString(2)), rows.getInt(3)),
                  new WorkflowId(KeyText.ofColumn(rows.getString(4)))));
      }
      return types;
    }
  }
}
