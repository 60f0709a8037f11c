package dev.tenure.persistence.postgres;

import dev.tenure.persistence.key.KeyText;
import dev.tenure.workflow.WorkflowId;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;

/** Makes workflows due in transactions that store outcomes beside their owners' commits. */
final class DueWorkflows {
  /** The rows are locked, so they are where the statement finds them. */
  static final String MAKE_DUE =
      """
      UPDATE workflow w SET wake_at = least(w.wake_at, clock_timestamp())
      FROM (
        SELECT v.part, v.row FROM unnest(?::text[]) AS a (id) CROSS JOIN LATERAL (
          SELECT u.tableoid AS part, u.ctid AS row FROM workflow u
          WHERE u.id = a.id LIMIT 1) v) c
      WHERE w.ctid = c.row AND w.tableoid = c.part
      """;

  private DueWorkflows() {}

  /**
   * Comes before the transaction looks at what belongs to these workflows, as in every transaction
   * that locks rows of both.
   */
  static void lock(Connection c, Collection<WorkflowId> ids) throws SQLException {
    run(c, SignalAcceptance.LOCK, ids);
  }

  static void makeDue(Connection c, Collection<WorkflowId> ids) throws SQLException {
    run(c, MAKE_DUE, ids);
  }

  private static void run(Connection c, String sql, Collection<WorkflowId> ids)
      throws SQLException {
    if (ids.isEmpty()) return;
    Object[] columns = ids.stream().map(id -> KeyText.column(id.value())).distinct().toArray();
    Array array = c.createArrayOf("text", columns);
    try (PreparedStatement statement = c.prepareStatement(sql)) {
      statement.setArray(1, array);
      statement.execute();
    }
  }
}
