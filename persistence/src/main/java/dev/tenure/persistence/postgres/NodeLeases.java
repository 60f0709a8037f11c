package dev.tenure.persistence.postgres;

import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Lease;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.storage.StorageException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The rows of {@code node_lease}: until when each process holds its shards. A transaction locks a
 * row here only after those of {@code shard_lease} that it needs, and the row of its own process
 * before those of others, which it never waits for. So no two transactions wait for each other.
 */
final class NodeLeases {
  private NodeLeases() {}

  /**
   * Until when each incarnation holds what it has, and the time of the database.
   *
   * @param expiries says nothing of processes that never claimed with this engine
   */
  record Times(Map<Long, Instant> expiries, Instant now) {}

  /** Of the holders of these leases; beats that are under way may change it. */
  static Times times(Connection c, Collection<Lease> leases) throws SQLException {
    String sql =
        """
        SELECT n.incarnation, n.expires_at, clock_timestamp()
        FROM (SELECT) one LEFT JOIN node_lease n ON n.incarnation = ANY (?)
        """;
    try (PreparedStatement query = c.prepareStatement(sql)) {
      query.setArray(1, c.createArrayOf("int8", incarnations(leases)));
      Map<Long, Instant> expiries = new HashMap<>();
      try (ResultSet rows = query.executeQuery()) {
        Instant now = Instant.MIN;
        while (rows.next()) {
          now = StoredInstant.of(rows, 3);
          if (rows.getTimestamp(2) != null)
            expiries.put(rows.getLong(1), StoredInstant.of(rows, 2));
        }
        return new Times(expiries, now);
      }
    }
  }

  /**
   * Those of the holders that have expired, and cannot beat before this transaction is over. A row
   * that is locked is being changed by its process, which is alive: waiting for it could last, and
   * could be mutual.
   */
  static Set<Long> lockExpired(Connection c, Collection<Lease> leases) throws SQLException {
    // FOR SHARE: claims of several nodes may take from one at the same time, its beat may not.
    String sql =
        """
        SELECT incarnation FROM node_lease
        WHERE incarnation = ANY (?) AND expires_at <= clock_timestamp()
        FOR SHARE SKIP LOCKED
        """;
    try (PreparedStatement query = c.prepareStatement(sql)) {
      query.setArray(1, c.createArrayOf("int8", incarnations(leases)));
      Set<Long> expired = new HashSet<>();
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) expired.add(rows.getLong(1));
      }
      return expired;
    }
  }

  private static Object[] incarnations(Collection<Lease> leases) {
    return leases.stream()
        .map(Lease::holder)
        .flatMap(Optional::stream)
        .map(Holder::incarnation)
        .distinct()
        .toArray();
  }

  /** Extends the time of a process that claims. The first claim of a process inserts its row. */
  static void extend(Connection c, Holder holder, Duration timeToLive) throws SQLException {
    String sql =
        """
        UPDATE node_lease SET expires_at = clock_timestamp() + ? * interval '1 millisecond'
        WHERE incarnation = ? AND node = ?
        """;
    try (PreparedStatement update = c.prepareStatement(sql)) {
      update.setLong(1, timeToLive.toMillis());
      update.setLong(2, holder.incarnation());
      update.setString(3, holder.node());
      if (update.executeUpdate() > 0) return;
    }
    removeOld(c);
    insert(c, holder, timeToLive);
  }

  private static void insert(Connection c, Holder holder, Duration timeToLive) throws SQLException {
    String sql =
        """
        INSERT INTO node_lease AS n (incarnation, node, expires_at)
        VALUES (?, ?, clock_timestamp() + ? * interval '1 millisecond')
        ON CONFLICT (incarnation) DO UPDATE SET expires_at = excluded.expires_at
        WHERE n.node = excluded.node
        """;
    try (PreparedStatement insert = c.prepareStatement(sql)) {
      insert.setLong(1, holder.incarnation());
      insert.setString(2, holder.node());
      insert.setLong(3, timeToLive.toMillis());
      if (insert.executeUpdate() == 0)
        throw new StorageException.Refused(
            "the incarnation %d of %s is that of another node: start this process again"
                .formatted(holder.incarnation(), holder.node()),
            null);
    }
  }

  /**
   * Each start of a process leaves a row behind. One that still has shards stays: where a row is
   * missing, nothing would hold up a beat of its process that comes late.
   */
  private static void removeOld(Connection c) throws SQLException {
    String sql =
        """
        DELETE FROM node_lease WHERE incarnation IN (
          SELECT n.incarnation FROM node_lease n
          WHERE n.expires_at < clock_timestamp() - interval '1 day' AND NOT EXISTS (
            SELECT FROM shard_lease l WHERE l.holder_incarnation = n.incarnation)
          FOR UPDATE SKIP LOCKED)
        """;
    try (PreparedStatement delete = c.prepareStatement(sql)) {
      delete.executeUpdate();
    }
  }

  /**
   * Statements that are sent together. The last begins when the update has the row, and so after
   * every claim that took a shard because this process had expired. In one statement it would not
   * see a claim that the update has waited for. The clock is read before anything can wait.
   */
  static final String BEAT =
      """
      SELECT clock_timestamp();
      UPDATE node_lease SET expires_at = clock_timestamp() + ? * interval '1 millisecond'
      WHERE incarnation = ? AND node = ?;
      SELECT shard, epoch FROM shard_lease WHERE holder_incarnation = ? AND holder_node = ?
      """;

  /** Without its row the process has no time in which anything would be its own. */
  static Leases.Beat beat(Connection c, Holder holder, Duration timeToLive) throws SQLException {
    try (PreparedStatement beat = c.prepareStatement(BEAT)) {
      beat.setLong(1, timeToLive.toMillis());
      beat.setLong(2, holder.incarnation());
      beat.setString(3, holder.node());
      beat.setLong(4, holder.incarnation());
      beat.setString(5, holder.node());
      beat.execute();
      Instant at;
      try (ResultSet clock = beat.getResultSet()) {
        clock.next();
        at = StoredInstant.of(clock, 1);
      }
      beat.getMoreResults();
      if (beat.getUpdateCount() == 0 || !beat.getMoreResults())
        return new Leases.Beat(at, Map.of());
      Map<Integer, Long> held = new HashMap<>();
      try (ResultSet rows = beat.getResultSet()) {
        while (rows.next()) held.put(rows.getInt(1), rows.getLong(2));
      }
      return new Leases.Beat(at, held);
    }
  }
}
