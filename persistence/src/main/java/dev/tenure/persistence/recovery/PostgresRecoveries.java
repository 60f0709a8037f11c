package dev.tenure.persistence.recovery;

import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.storage.Transactions;
import dev.tenure.workflow.WorkflowId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import javax.sql.DataSource;

/** The table {@code recovery}: empty, as long as no node is lost. */
public final class PostgresRecoveries implements Recoveries {
  private static final Duration LOCK_LIMIT = Duration.ofSeconds(2);
  private static final Duration STATEMENT_LIMIT = Duration.ofSeconds(4);

  private final Transactions transactions;

  public PostgresRecoveries(DataSource pool) {
    this.transactions = new Transactions(pool, LOCK_LIMIT, STATEMENT_LIMIT);
  }

  @Override
  public List<Recovery> takeOver(int shard, long epoch, boolean lost) {
    return transactions.run(
        "looking for what was at work in shard " + shard,
        c -> {
          if (!holds(c, shard, epoch)) return List.of();
          if (lost) {
            run(c, COUNT_AGAIN, shard, epoch);
            run(c, COUNT_FIRST, shard, epoch);
          }
          run(c, BEGIN, shard, epoch);
          return ofShard(c, shard);
        });
  }

  /** Locked as a commit locks it: whoever takes the shard next waits, and counts after this. */
  private static boolean holds(Connection c, int shard, long epoch) throws SQLException {
    String sql = "SELECT 1 FROM shard_lease WHERE shard = ? AND epoch = ? FOR KEY SHARE";
    try (PreparedStatement query = c.prepareStatement(sql)) {
      query.setInt(1, shard);
      query.setLong(2, epoch);
      try (ResultSet row = query.executeQuery()) {
        return row.next();
      }
    }
  }

  /** What sleeps or stands still now had no part in the loss. A tenure counts once. */
  static final String COUNT_AGAIN =
      """
      UPDATE recovery r SET losses = r.losses + 1,
        alone = r.alone + CASE WHEN r.trial = 1 THEN 1 ELSE 0 END,
        company = CASE WHEN r.trial IS NULL THEN r.company ELSE least(r.company, r.trial) END
      FROM workflow w
      WHERE r.shard = ? AND r.epoch < ? AND w.id = r.workflow_id AND w.wake_at <= now()
      """;

  static final String COUNT_FIRST =
      """
      INSERT INTO recovery (workflow_id, shard, epoch, losses)
      SELECT w.id, w.shard, p.epoch, 1
      FROM (SELECT ?::int4 AS shard, ?::int8 AS epoch) p
      JOIN workflow w ON w.shard = p.shard AND w.wake_at <= now()
      ON CONFLICT (workflow_id) DO NOTHING
      """;

  static final String BEGIN =
      """
      UPDATE recovery r SET epoch = p.epoch, trial = NULL
      FROM (SELECT ?::int4 AS shard, ?::int8 AS epoch) p
      WHERE r.shard = p.shard AND (r.epoch < p.epoch OR r.trial IS NOT NULL)
      """;

  private static void run(Connection c, String sql, int shard, long epoch) throws SQLException {
    try (PreparedStatement update = c.prepareStatement(sql)) {
      update.setInt(1, shard);
      update.setLong(2, epoch);
      update.executeUpdate();
    }
  }

  private static List<Recovery> ofShard(Connection c, int shard) throws SQLException {
    String sql =
        """
        SELECT r.workflow_id, r.shard, r.epoch, r.losses, r.alone, r.company
        FROM recovery r WHERE r.shard = ?
        """;
    try (PreparedStatement query = c.prepareStatement(sql)) {
      query.setInt(1, shard);
      List<Recovery> found = new ArrayList<>();
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) {
          int company = rows.getInt(6);
          found.add(
              new Recovery(
                  new WorkflowId(KeyText.ofColumn(rows.getString(1))),
                  rows.getInt(2),
                  rows.getLong(3),
                  rows.getInt(4),
                  rows.getInt(5),
                  rows.wasNull() || company == 0 ? OptionalInt.empty() : OptionalInt.of(company)));
        }
      }
      return found;
    }
  }

  /** A row that another tenure has counted by now carries that one's epoch. */
  static final String TRY =
      """
      UPDATE recovery r SET trial = g.size
      FROM unnest(?::text[], ?::int8[], ?::int4[]) AS g (workflow_id, epoch, size)
      WHERE r.workflow_id = g.workflow_id AND r.epoch = g.epoch
      """;

  @Override
  public int tryTogether(List<Recovery> group, int size) {
    return mark("trying what may have taken a node down", group, size);
  }

  @Override
  public void outlived(List<Recovery> group) {
    mark("outliving what may have taken a node down", group, null);
  }

  private int mark(String what, List<Recovery> group, Integer size) {
    return transactions.run(
        what,
        c -> {
          try (PreparedStatement update = c.prepareStatement(TRY)) {
            Object[] ids =
                group.stream().map(one -> KeyText.column(one.workflow().value())).toArray();
            Object[] epochs = group.stream().map(Recovery::epoch).toArray();
            Integer[] sizes = new Integer[group.size()];
            java.util.Arrays.fill(sizes, size);
            update.setArray(1, c.createArrayOf("text", ids));
            update.setArray(2, c.createArrayOf("int8", epochs));
            update.setArray(3, c.createArrayOf("int4", sizes));
            return update.executeUpdate();
          }
        });
  }
}
