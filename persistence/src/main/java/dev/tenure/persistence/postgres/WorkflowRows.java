package dev.tenure.persistence.postgres;

import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.visibility.Cursor;
import dev.tenure.persistence.visibility.StatusCode;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Rows of {@code workflow} and {@code workflow_closed}, as queries return them. */
final class WorkflowRows {
  /** What {@link #row} reads, of one of the open workflows, called {@code w}. */
  static final String OF_OPEN =
      """
      w.id, w.shard, w.run_id, w.type, w.type_version, w.status, w.wake_at, w.started_at,
        NULL::timestamptz AS closed_at, w.parent,
        coalesce((SELECT s.attributes FROM workflow_search s WHERE s.id = w.id LIMIT 1), '{}')
          AS attributes, w.number
      """;

  /** The same of one of the closed workflows, called {@code w}. */
  static final String OF_CLOSED =
      """
      w.id, w.shard, w.run_id, w.type, w.type_version, w.status, NULL::timestamptz AS wake_at,
        w.started_at, w.closed_at, w.parent, w.attributes, w.number
      """;

  /**
   * @param number decides between rows that started at the same moment
   */
  record Listed(WorkflowRow row, long number) {
    Cursor cursor() {
      return new Cursor(row.startedAt(), number);
    }
  }

  private WorkflowRows() {}

  static List<Listed> listed(PreparedStatement query) throws SQLException {
    List<Listed> found = new ArrayList<>();
    try (ResultSet rows = query.executeQuery()) {
      while (rows.next()) found.add(listed(rows));
    }
    return found;
  }

  static Listed listed(ResultSet rows) throws SQLException {
    return new Listed(row(rows), rows.getLong(12));
  }

  static WorkflowRow row(ResultSet rows) throws SQLException {
    return new WorkflowRow(
        new WorkflowId(KeyText.ofColumn(rows.getString(1))),
        rows.getInt(2),
        KeyText.ofColumn(rows.getString(3)),
        new WorkflowType(KeyText.ofColumn(rows.getString(4)), rows.getInt(5)),
        StatusCode.parse(rows.getString(6)),
        StoredInstant.ofNullable(rows, 7),
        StoredInstant.of(rows, 8),
        StoredInstant.ofNullable(rows, 9),
        Optional.ofNullable(rows.getString(10)).map(KeyText::ofColumn).map(WorkflowId::new),
        AttributesJson.parse(rows.getString(11)));
  }
}
