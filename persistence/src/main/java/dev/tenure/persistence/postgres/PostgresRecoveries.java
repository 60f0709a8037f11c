package dev.tenure.persistence.postgres;

import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.recovery.Recoveries;
import dev.tenure.persistence.recovery.Recovery;
import dev.tenure.persistence.visibility.WakeUp;
import dev.tenure.workflow.WorkflowId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import javax.sql.DataSource;

/** The table {@code recovery}: empty, as long as no node is lost. */
final class PostgresRecoveries implements Recoveries {
  private static final Duration LOCK_LIMIT = Duration.ofSeconds(2);
  private static final Duration STATEMENT_LIMIT = Duration.ofSeconds(4);

  private final Transactions claims;
  private final Transactions transactions;

  /**
   * @param ownership connections for what is part of a claim, which never waits for the work that
   *     goes on
   * @param work connections for the rest
   */
  PostgresRecoveries(DataSource ownership, DataSource work) {
    this.claims = new Transactions(ownership, LOCK_LIMIT, STATEMENT_LIMIT);
    this.transactions = new Transactions(work, LOCK_LIMIT, STATEMENT_LIMIT);
  }

  /** One page of a shard: a node may be lost with hundreds of thousands at work. */
  @Override
  public Optional<WakeUp.Point> count(Beginning tenure, WakeUp.Point after, int limit) {
    return transactions.run(
        "counting what was at work in shard " + tenure.shard(),
        c -> {
          if (held(c, List.of(tenure)).isEmpty()) return Optional.empty();
          List<String> ids = new ArrayList<>();
          Optional<WakeUp.Point> last = atWork(c, tenure.shard(), after, limit, ids);
          if (ids.isEmpty()) return Optional.empty();
          countAgain(c, tenure, ids);
          countFirst(c, tenure, ids);
          return ids.size() < limit ? Optional.empty() : last;
        });
  }

  @Override
  public List<Recovery> begin(Collection<Beginning> tenures) {
    return claims.run(
        "looking for what was at work in " + tenures.size() + " shards",
        c -> {
          List<Beginning> held = held(c, tenures);
          if (held.isEmpty()) return List.of();
          run(c, BEGIN, held);
          return ofShards(c, held);
        });
  }

  /**
   * The leases that are current. Locked as a commit locks them: the next claim of a shard waits,
   * and counts after this.
   */
  private static List<Beginning> held(Connection c, Collection<Beginning> tenures)
      throws SQLException {
    String sql =
        """
        SELECT shard, epoch FROM shard_lease WHERE (shard, epoch) IN (
          SELECT t.shard, t.epoch FROM unnest(?::int4[], ?::int8[]) AS t (shard, epoch))
        ORDER BY shard FOR KEY SHARE
        """;
    Map<Integer, Long> current = new HashMap<>();
    try (PreparedStatement query = c.prepareStatement(sql)) {
      bind(c, query, tenures);
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) current.put(rows.getInt(1), rows.getLong(2));
      }
    }
    return tenures.stream()
        .filter(one -> Long.valueOf(one.epoch()).equals(current.get(one.shard())))
        .toList();
  }

  private static void bind(Connection c, PreparedStatement statement, Collection<Beginning> tenures)
      throws SQLException {
    statement.setArray(
        1, c.createArrayOf("int4", tenures.stream().map(Beginning::shard).toArray()));
    statement.setArray(
        2, c.createArrayOf("int8", tenures.stream().map(Beginning::epoch).toArray()));
  }

  /** Workflows that were not due cannot have caused the loss. */
  static final String AT_WORK =
      """
      SELECT w.id, w.wake_at, w.number FROM workflow w
      WHERE w.shard = ? AND w.wake_at <= now() AND (w.wake_at, w.number) > (?::timestamptz, ?)
      ORDER BY w.wake_at, w.number LIMIT ?
      """;

  /** Adds the ids, and returns the point of the last. */
  private static Optional<WakeUp.Point> atWork(
      Connection c, int shard, WakeUp.Point after, int limit, List<String> ids)
      throws SQLException {
    try (PreparedStatement query = c.prepareStatement(AT_WORK)) {
      query.setInt(1, shard);
      query.setObject(2, StoredInstant.parameter(after.at()));
      query.setLong(3, after.number());
      query.setInt(4, limit);
      Optional<WakeUp.Point> last = Optional.empty();
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) {
          ids.add(rows.getString(1));
          last = Optional.of(new WakeUp.Point(StoredInstant.of(rows, 2), rows.getLong(3)));
        }
      }
      return last;
    }
  }

  /** A row that was counted for this loss carries the epoch of a claim that came after it. */
  static final String COUNT_AGAIN =
      """
      UPDATE recovery r SET epoch = ?, trial = NULL, losses = r.losses + 1,
        alone = r.alone + CASE WHEN r.trial = 1 THEN 1 ELSE 0 END,
        company = CASE WHEN r.trial IS NULL THEN r.company ELSE least(r.company, r.trial) END
      FROM unnest(?::text[]) AS a (workflow_id)
      WHERE r.workflow_id = a.workflow_id AND r.epoch < ?
      """;

  private static void countAgain(Connection c, Beginning tenure, List<String> ids)
      throws SQLException {
    try (PreparedStatement update = c.prepareStatement(COUNT_AGAIN)) {
      update.setLong(1, tenure.epoch());
      update.setArray(2, c.createArrayOf("text", ids.toArray()));
      update.setLong(3, tenure.countedSince());
      update.executeUpdate();
    }
  }

  static final String COUNT_FIRST =
      """
      INSERT INTO recovery (workflow_id, shard, epoch, losses)
      SELECT a.workflow_id, ?, ?, 1 FROM unnest(?::text[]) AS a (workflow_id)
      ON CONFLICT (workflow_id) DO NOTHING
      """;

  private static void countFirst(Connection c, Beginning tenure, List<String> ids)
      throws SQLException {
    try (PreparedStatement insert = c.prepareStatement(COUNT_FIRST)) {
      insert.setInt(1, tenure.shard());
      insert.setLong(2, tenure.epoch());
      insert.setArray(3, c.createArrayOf("text", ids.toArray()));
      insert.executeUpdate();
    }
  }

  static final String BEGIN =
      """
      UPDATE recovery r SET epoch = p.epoch, trial = NULL
      FROM unnest(?::int4[], ?::int8[]) AS p (shard, epoch)
      WHERE r.shard = p.shard AND (r.epoch < p.epoch OR r.trial IS NOT NULL)
      """;

  private static void run(Connection c, String sql, Collection<Beginning> tenures)
      throws SQLException {
    try (PreparedStatement update = c.prepareStatement(sql)) {
      bind(c, update, tenures);
      update.executeUpdate();
    }
  }

  private static List<Recovery> ofShards(Connection c, List<Beginning> tenures)
      throws SQLException {
    String sql =
        """
        SELECT r.workflow_id, r.shard, r.epoch, r.losses, r.alone, r.company
        FROM recovery r JOIN unnest(?::int4[], ?::int8[]) AS p (shard, epoch) ON r.shard = p.shard
        """;
    try (PreparedStatement query = c.prepareStatement(sql)) {
      bind(c, query, tenures);
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
