package dev.tenure.persistence.postgres;

import dev.tenure.persistence.storage.TablesNotPlainError;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Refuses a store whose tables were partitioned, or made parents or children of others. The
 * uniqueness that commits rest on is that of one table, and the statements were written and
 * measured for plain ones.
 */
final class PlainTables {
  /** Those whose parts the engine makes itself are left out. */
  static final String NOT_PLAIN =
      """
      SELECT c.relname, CASE WHEN c.relkind = 'p' THEN 'is partitioned'
          WHEN EXISTS (SELECT 1 FROM pg_inherits i WHERE i.inhparent = c.oid) THEN 'has child tables'
          ELSE 'is a part or a child of another table' END
      FROM pg_class c
      WHERE c.relnamespace = (SELECT n.oid FROM pg_namespace n WHERE n.nspname = current_schema())
        AND c.relname IN ('meta', 'event_journal', 'payload', 'workflow', 'workflow_search', 'workflow_removed',
          'signal_inbox', 'signal_response', 'incident', 'recovery', 'snapshot', 'definition',
          'start_key', 'bulk_operation', 'activity_record', 'task', 'task_queue', 'task_resource',
          'shard_lease', 'node_lease', 'cluster_member', 'cluster_generation')
        AND c.relkind IN ('r', 'p')
        AND (c.relkind = 'p' OR EXISTS (
          SELECT 1 FROM pg_inherits i WHERE i.inhparent = c.oid OR i.inhrelid = c.oid))
      ORDER BY c.relname
      """;

  private PlainTables() {}

  static void require(Connection connection) throws SQLException {
    List<String> found = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(NOT_PLAIN)) {
      while (rows.next()) found.add(rows.getString(1) + " " + rows.getString(2));
    }
    if (!found.isEmpty()) throw new TablesNotPlainError(found);
  }
}
