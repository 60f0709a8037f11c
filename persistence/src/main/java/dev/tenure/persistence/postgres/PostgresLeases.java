package dev.tenure.persistence.postgres;

import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Lease;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.lease.Membership;
import dev.tenure.persistence.lease.Takeover;
import dev.tenure.persistence.storage.StorageException;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import javax.sql.DataSource;

/**
 * Leases as rows of {@code shard_lease}.
 *
 * <p>A batch of commits holds {@code FOR KEY SHARE} on its shards' rows until it is committed. A
 * takeover locks {@code FOR UPDATE}, which waits for the batches in flight and makes every later
 * one wait for the new epoch (I16). Renewals and releases change no key column, so they collide
 * with neither batches nor each other.
 */
final class PostgresLeases implements Leases {
  /** A row that another transaction locks for longer counts as unreachable. */
  static final Duration LOCK_LIMIT = Duration.ofSeconds(2);

  static final Duration STATEMENT_LIMIT = Duration.ofSeconds(4);

  /** How often a claim tries again when the row was inserted and deleted between its statements. */
  private static final int FIRST_CLAIM_ATTEMPTS = 5;

  /** How far one claim moves the sequence past epochs that did not come from it. */
  private static final int MAX_SKIPPED_EPOCHS = 1_000_000;

  private final Transactions transactions;

  PostgresLeases(DataSource database) {
    this.transactions = new Transactions(database, LOCK_LIMIT, STATEMENT_LIMIT);
  }

  @Override
  public Claim acquire(int shard, Holder claimant, Membership members, Duration timeToLive) {
    Leases.requireValid(timeToLive);
    return transactions.run(
        "claiming shard " + shard,
        connection -> {
          for (int attempt = 0; attempt < FIRST_CLAIM_ATTEMPTS; attempt++) {
            Optional<Locked> row = lock(connection, shard);
            if (row.isPresent()) {
              return claim(connection, row.get(), claimant, members, timeToLive);
            }
            Optional<Long> first = insert(connection, shard, claimant, timeToLive);
            if (first.isPresent()) {
              return new Claim.Granted(first.get(), Takeover.Reason.NEVER_HELD);
            }
            // Another node claimed the shard first: read its row.
          }
          throw new StorageException.Unavailable(
              "the lease of shard " + shard + " came and went while it was claimed", null);
        });
  }

  /**
   * After a node was lost its shards are claimed all at once: one by one, each with its own
   * transaction, the last would wait for all the others.
   */
  @Override
  public Map<Integer, Claim.Granted> acquireFree(
      Set<Integer> shards, Holder claimant, Membership members, Duration timeToLive) {
    Leases.requireValid(timeToLive);
    if (shards.isEmpty()) return Map.of();
    return transactions.run(
        "claiming " + shards.size() + " shards",
        connection -> {
          Map<Integer, Claim.Granted> granted = new TreeMap<>();
          List<Locked> free = lockFree(connection, shards);
          Iterator<Long> epochs = nextEpochs(connection, free.size()).iterator();
          for (Locked row : free) {
            long epoch = epochs.next();
            // A sequence that is behind the row is mended by a claim of that shard alone.
            if (epoch > row.lease().epoch()
                && Takeover.decide(Optional.of(row.lease()), claimant, members, row.now())
                    instanceof Takeover.Take take)
              granted.put(row.lease().shard(), new Claim.Granted(epoch, take.reason()));
          }
          takeAll(connection, granted, claimant, timeToLive);
          return granted;
        });
  }

  private record Locked(Lease lease, Instant now) {}

  private static List<Locked> lockFree(Connection connection, Set<Integer> shards)
      throws SQLException {
    // FOR UPDATE as for one shard. A transaction that locks several rows and waits for one could
    // deadlock with another one: so rows that are locked are left out.
    String sql =
        """
        SELECT shard, epoch, holder_node, holder_incarnation, expires_at, clock_timestamp() AS now
        FROM shard_lease WHERE shard = ANY (?) FOR UPDATE SKIP LOCKED
        """;
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      query.setArray(1, connection.createArrayOf("int4", shards.toArray()));
      List<Locked> locked = new ArrayList<>();
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next())
          locked.add(new Locked(lease(rows), rows.getTimestamp("now").toInstant()));
      }
      return locked;
    }
  }

  private static List<Long> nextEpochs(Connection connection, int count) throws SQLException {
    String sql = "SELECT nextval('lease_epoch') FROM generate_series(1, ?)";
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      query.setInt(1, count);
      List<Long> epochs = new ArrayList<>(count);
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) epochs.add(rows.getLong(1));
      }
      return epochs;
    }
  }

  private static void takeAll(
      Connection connection,
      Map<Integer, Claim.Granted> granted,
      Holder holder,
      Duration timeToLive)
      throws SQLException {
    // The rows are locked by this transaction already.
    String sql =
        """
        UPDATE shard_lease l
        SET epoch = g.epoch, holder_node = ?, holder_incarnation = ?,
            expires_at = clock_timestamp() + ? * interval '1 millisecond'
        FROM unnest(?::int4[], ?::int8[]) AS g (shard, epoch)
        WHERE l.shard = g.shard
        """;
    try (PreparedStatement update = connection.prepareStatement(sql)) {
      update.setString(1, holder.node());
      update.setLong(2, holder.incarnation());
      update.setLong(3, timeToLive.toMillis());
      update.setArray(4, connection.createArrayOf("int4", granted.keySet().toArray()));
      Object[] epochs = granted.values().stream().map(Claim.Granted::epoch).toArray();
      update.setArray(5, connection.createArrayOf("int8", epochs));
      update.executeUpdate();
    }
  }

  private Optional<Locked> lock(Connection connection, int shard) throws SQLException {
    // FOR UPDATE, not FOR NO KEY UPDATE: it must wait for the batches that hold FOR KEY SHARE.
    String sql =
        """
        SELECT shard, epoch, holder_node, holder_incarnation, expires_at, clock_timestamp() AS now
        FROM shard_lease WHERE shard = ? FOR UPDATE
        """;
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      query.setInt(1, shard);
      try (ResultSet row = query.executeQuery()) {
        return row.next()
            ? Optional.of(new Locked(lease(row), row.getTimestamp("now").toInstant()))
            : Optional.empty();
      }
    }
  }

  private static Claim claim(
      Connection connection, Locked row, Holder claimant, Membership members, Duration timeToLive)
      throws SQLException {
    return switch (Takeover.decide(Optional.of(row.lease()), claimant, members, row.now())) {
      case Takeover.Wait wait -> new Claim.Refused(wait.holder(), wait.atMost());
      case Takeover.Take take -> {
        long epoch = nextEpoch(connection, row.lease());
        take(connection, row.lease().shard(), epoch, claimant, timeToLive);
        yield new Claim.Granted(epoch, take.reason());
      }
    };
  }

  /**
   * A new epoch comes from the sequence, so it is higher than any that was ever granted, even where
   * the row was deleted since (I15). A sequence that is behind the row, as after a logical copy,
   * which leaves sequences out, is first moved past it; that survives even if this claim fails.
   */
  private static long nextEpoch(Connection connection, Lease lease) throws SQLException {
    long next = nextEpoch(connection, 1);
    if (next > lease.epoch()) return next;
    long behind = lease.epoch() + 1 - next;
    next = nextEpoch(connection, Math.min(behind, MAX_SKIPPED_EPOCHS));
    if (next > lease.epoch()) return next;
    throw new StorageException.Unavailable(
        "the sequence lease_epoch (%d) is behind the lease of shard %d (epoch %d): ALTER SEQUENCE lease_epoch RESTART WITH a higher number"
            .formatted(next, lease.shard(), lease.epoch()),
        null);
  }

  private static long nextEpoch(Connection connection, long steps) throws SQLException {
    String sql = "SELECT max(nextval('lease_epoch')) FROM generate_series(1, ?)";
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      query.setLong(1, steps);
      try (ResultSet row = query.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  private static void take(
      Connection connection, int shard, long epoch, Holder holder, Duration timeToLive)
      throws SQLException {
    // The row is locked by this transaction already.
    String sql =
        """
        UPDATE shard_lease
        SET epoch = ?, holder_node = ?, holder_incarnation = ?,
            expires_at = clock_timestamp() + ? * interval '1 millisecond'
        WHERE shard = ?
        """;
    try (PreparedStatement update = connection.prepareStatement(sql)) {
      update.setLong(1, epoch);
      update.setString(2, holder.node());
      update.setLong(3, holder.incarnation());
      update.setLong(4, timeToLive.toMillis());
      update.setInt(5, shard);
      update.executeUpdate();
    }
  }

  private static Optional<Long> insert(
      Connection connection, int shard, Holder holder, Duration timeToLive) throws SQLException {
    // Two first claims at once: the second waits here for the first, and then inserts nothing.
    String sql =
        """
        INSERT INTO shard_lease (shard, epoch, holder_node, holder_incarnation, expires_at)
        VALUES (?, nextval('lease_epoch'), ?, ?, clock_timestamp() + ? * interval '1 millisecond')
        ON CONFLICT (shard) DO NOTHING RETURNING epoch
        """;
    try (PreparedStatement insert = connection.prepareStatement(sql)) {
      insert.setInt(1, shard);
      insert.setString(2, holder.node());
      insert.setLong(3, holder.incarnation());
      insert.setLong(4, timeToLive.toMillis());
      try (ResultSet row = insert.executeQuery()) {
        return row.next() ? Optional.of(row.getLong(1)) : Optional.empty();
      }
    }
  }

  @Override
  public Set<Integer> renew(Holder holder, Map<Integer, Long> epochs, Duration timeToLive) {
    Leases.requireValid(timeToLive);
    if (epochs.isEmpty()) return Set.of();
    // Changes no key column, so it does not wait for the batches in flight.
    String sql =
        """
        UPDATE shard_lease l
        SET expires_at = clock_timestamp() + ? * interval '1 millisecond'
        FROM unnest(?::int4[], ?::int8[]) AS held (shard, epoch)
        WHERE l.shard = held.shard AND l.epoch = held.epoch
          AND l.holder_node = ? AND l.holder_incarnation = ?
        RETURNING l.shard
        """;
    return transactions.run(
        "renewing " + epochs.size() + " leases",
        connection -> {
          Array shards = connection.createArrayOf("int4", epochs.keySet().toArray());
          Array held = connection.createArrayOf("int8", epochs.values().toArray());
          try (PreparedStatement update = connection.prepareStatement(sql)) {
            update.setLong(1, timeToLive.toMillis());
            update.setArray(2, shards);
            update.setArray(3, held);
            update.setString(4, holder.node());
            update.setLong(5, holder.incarnation());
            Set<Integer> renewed = new HashSet<>();
            try (ResultSet rows = update.executeQuery()) {
              while (rows.next()) renewed.add(rows.getInt(1));
            }
            return renewed;
          }
        });
  }

  @Override
  public void release(int shard, Holder holder, long epoch) {
    // Keeps the row and its epoch: commits of the holder that are still under way at this epoch may
    // // be stored until another node takes the shard, and none after that.
    String sql =
        """
        UPDATE shard_lease
        SET holder_node = NULL, holder_incarnation = NULL, expires_at = clock_timestamp()
        WHERE shard = ? AND holder_node = ? AND holder_incarnation = ? AND epoch = ?
        """;
    transactions.run(
        "releasing shard " + shard,
        connection -> {
          try (PreparedStatement update = connection.prepareStatement(sql)) {
            update.setInt(1, shard);
            update.setString(2, holder.node());
            update.setLong(3, holder.incarnation());
            update.setLong(4, epoch);
            return update.executeUpdate();
          }
        });
  }

  @Override
  public Optional<Lease> find(int shard) {
    String sql =
        """
        SELECT shard, epoch, holder_node, holder_incarnation, expires_at
        FROM shard_lease WHERE shard = ?
        """;
    return transactions.run(
        "reading the lease of shard " + shard,
        connection -> {
          try (PreparedStatement query = connection.prepareStatement(sql)) {
            query.setInt(1, shard);
            try (ResultSet row = query.executeQuery()) {
              return row.next() ? Optional.of(lease(row)) : Optional.empty();
            }
          }
        });
  }

  @Override
  public List<Lease> all() {
    String sql =
        """
        SELECT shard, epoch, holder_node, holder_incarnation, expires_at FROM shard_lease
        """;
    return transactions.run(
        "reading all leases",
        connection -> {
          List<Lease> found = new ArrayList<>();
          try (PreparedStatement query = connection.prepareStatement(sql);
              ResultSet rows = query.executeQuery()) {
            while (rows.next()) found.add(lease(rows));
          }
          return found;
        });
  }

  /** At most one small row for each shard: read as a whole. */
  @Override
  public List<Holding> holdings() {
    String sql =
        """
        SELECT shard, epoch, CASE WHEN expires_at > clock_timestamp() THEN holder_node END
        FROM shard_lease ORDER BY shard
        """;
    return transactions.run(
        "reading which node holds which shard",
        connection -> {
          List<Holding> found = new ArrayList<>();
          try (PreparedStatement query = connection.prepareStatement(sql);
              ResultSet rows = query.executeQuery()) {
            while (rows.next())
              found.add(
                  new Holding(
                      rows.getInt(1), rows.getLong(2), Optional.ofNullable(rows.getString(3))));
          }
          return found;
        });
  }

  private static Lease lease(ResultSet row) throws SQLException {
    String node = row.getString("holder_node");
    Optional<Holder> holder =
        node == null
            ? Optional.empty()
            : Optional.of(new Holder(node, row.getLong("holder_incarnation")));
    Timestamp expiresAt = row.getTimestamp("expires_at");
    return new Lease(row.getInt("shard"), row.getLong("epoch"), holder, expiresAt.toInstant());
  }
}
