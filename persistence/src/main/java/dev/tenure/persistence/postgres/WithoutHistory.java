package dev.tenure.persistence.postgres;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.key.KeyText;
import dev.tenure.workflow.WorkflowId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/** Writes side rows of a workflow to whose journal nothing can be added. */
final class WithoutHistory {
  private static final Duration LOCK_LIMIT = Duration.ofSeconds(2);
  private static final Duration STATEMENT_LIMIT = Duration.ofSeconds(10);

  private final Transactions transactions;

  WithoutHistory(DataSource pool) {
    this.transactions = new Transactions(pool, LOCK_LIMIT, STATEMENT_LIMIT);
  }

  /**
   * The lease is locked as a commit locks it: a takeover waits for this, or this sees it (I16). The
   * workflow is locked as its own changes lock it.
   */
  static final String OPEN_AND_HELD =
      """
      WITH held AS (
        SELECT 1 FROM shard_lease
        WHERE shard = ? AND epoch = ? AND holder_incarnation = ? FOR KEY SHARE
      )
      SELECT 1 FROM workflow
      WHERE id = ? AND EXISTS (SELECT 1 FROM held) FOR NO KEY UPDATE
      """;

  /** False when nothing was written. */
  boolean write(WorkflowId id, Fence fence, List<SideRow> rows) {
    return transactions.run(
        "writing of " + id + " without its history",
        c -> {
          if (!isOpenAndHeld(c, id, fence)) return false;
          SideRows.withoutCommit(rows).write(c);
          return true;
        });
  }

  private static boolean isOpenAndHeld(Connection c, WorkflowId id, Fence fence)
      throws SQLException {
    try (PreparedStatement query = c.prepareStatement(OPEN_AND_HELD)) {
      query.setInt(1, fence.shard());
      query.setLong(2, fence.epoch());
      query.setLong(3, fence.holder());
      query.setString(4, KeyText.column(id.value()));
      try (ResultSet found = query.executeQuery()) {
        return found.next();
      }
    }
  }
}
