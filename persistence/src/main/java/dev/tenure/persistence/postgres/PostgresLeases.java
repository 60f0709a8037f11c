package dev.tenure.persistence.postgres;

import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Lease;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.lease.Membership;
import dev.tenure.persistence.lease.Takeover;
import dev.tenure.persistence.storage.StorageException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import javax.sql.DataSource;

/**
 * Leases as rows of {@code shard_lease}, one per shard, and of {@code node_lease}, one per holder.
 *
 * <p>A batch of commits holds {@code FOR KEY SHARE} on its shards' rows until it is committed. A
 * takeover locks {@code FOR UPDATE}, which waits for the batches in flight and makes every later
 * one wait for the new epoch (I16). Releases change no key column, and beats no row of a shard, so
 * they collide with no batch.
 */
final class PostgresLeases implements Leases {
  /** A row that another transaction locks for longer counts as unreachable. */
  static final Duration LOCK_LIMIT = Duration.ofSeconds(2);

  static final Duration STATEMENT_LIMIT = Duration.ofSeconds(4);

  /** How often a claim tries again when the row was inserted and deleted between its statements. */
  private static final int FIRST_CLAIM_ATTEMPTS = 5;

  /** How far one claim moves the sequence past epochs that did not come from it. */
  private static final int MAX_SKIPPED_EPOCHS = 1_000_000;

  /**
   * A row, with the time at which the shard is free unless its holder has a row of its own. For an
   * engine of before that is what its beats write. For a holder that the store has forgotten the
   * time is over.
   */
  private static final String ROW =
      """
      SELECT shard, epoch, holder_node, holder_incarnation,
        coalesce(nullif(expires_at, 'infinity'), to_timestamp(0)) AS expires_at
      FROM shard_lease
      """;

  /** The same, with the time of the holder. */
  private static final String HELD =
      """
      SELECT l.shard, l.epoch, l.holder_node, l.holder_incarnation,
        coalesce(n.expires_at, nullif(l.expires_at, 'infinity'), to_timestamp(0)) AS expires_at
      FROM shard_lease l LEFT JOIN node_lease n ON n.incarnation = l.holder_incarnation
      """;

  private final DataSource database;
  private final Transactions transactions;

  PostgresLeases(DataSource database) {
    this.database = database;
    this.transactions = new Transactions(database, LOCK_LIMIT, STATEMENT_LIMIT);
  }

  @Override
  public Claim acquire(int shard, Holder claimant, Membership members, Duration timeToLive) {
    Leases.requireValid(timeToLive);
    return transactions.run(
        "claiming shard " + shard,
        connection -> {
          for (int attempt = 0; attempt < FIRST_CLAIM_ATTEMPTS; attempt++) {
            Optional<Lease> row = lock(connection, shard);
            if (row.isPresent()) {
              return claim(connection, row.get(), claimant, members, timeToLive);
            }
            Optional<Long> first = insert(connection, shard, claimant);
            if (first.isPresent()) {
              NodeLeases.extend(connection, claimant, timeToLive);
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
          List<Lease> rows = lockFree(connection, shards);
          Judged judged = judge(connection, rows, claimant, members, timeToLive);
          Iterator<Long> epochs = nextEpochs(connection, judged.free.size()).iterator();
          for (Lease row : rows) {
            Takeover.Reason reason = judged.free.get(row.shard());
            if (reason == null) continue;
            long epoch = epochs.next();
            // A sequence that is behind the row is mended by a claim of that shard alone.
            if (epoch > row.epoch()) granted.put(row.shard(), new Claim.Granted(epoch, reason));
          }
          takeAll(connection, granted, claimant);
          return granted;
        });
  }

  /** Why shards are free, and which nodes hold the others. */
  private record Judged(Map<Integer, Takeover.Reason> free, Map<Integer, Claim.Refused> refused) {}

  /**
   * Judges rows that this transaction has locked. When it finds a shard free because its holder has
   * expired, that holder cannot beat before the transaction is over: its next beat learns of the
   * loss. When the beat comes first, the shard is not free.
   */
  private static Judged judge(
      Connection connection,
      List<Lease> rows,
      Holder claimant,
      Membership members,
      Duration timeToLive)
      throws SQLException {
    Judged judged = new Judged(new HashMap<>(), new HashMap<>());
    NodeLeases.Times times = NodeLeases.times(connection, rows);
    List<Lease> ofExpired = new ArrayList<>();
    for (Lease row : rows) {
      Optional<Instant> expiry = row.holder().map(Holder::incarnation).map(times.expiries()::get);
      Lease lease = expiry.map(at -> expiringAt(row, at)).orElse(row);
      switch (Takeover.decide(Optional.of(lease), claimant, members, times.now())) {
        case Takeover.Wait wait ->
            judged.refused.put(row.shard(), new Claim.Refused(wait.holder(), wait.atMost()));
        case Takeover.Take take -> {
          judged.free.put(row.shard(), take.reason());
          // An engine of before has no row: its beats change that of the shard, which is locked.
          if (take.reason() == Takeover.Reason.EXPIRED && expiry.isPresent()) ofExpired.add(row);
        }
      }
    }
    if (!judged.free.isEmpty()) NodeLeases.extend(connection, claimant, timeToLive);
    if (!ofExpired.isEmpty()) {
      Set<Long> expired = NodeLeases.lockExpired(connection, ofExpired);
      for (Lease row : ofExpired) {
        Holder holder = row.holder().orElseThrow();
        if (expired.contains(holder.incarnation())) continue;
        judged.free.remove(row.shard());
        judged.refused.put(row.shard(), new Claim.Refused(holder, timeToLive));
      }
    }
    return judged;
  }

  private static Lease expiringAt(Lease row, Instant at) {
    return new Lease(row.shard(), row.epoch(), row.holder(), at);
  }

  private static List<Lease> lockFree(Connection connection, Set<Integer> shards)
      throws SQLException {
    // FOR UPDATE as for one shard. A transaction that locks several rows and waits for one could
    // deadlock with another one: so rows that are locked are left out.
    String sql = ROW + "WHERE shard = ANY (?) FOR UPDATE SKIP LOCKED";
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      query.setArray(1, connection.createArrayOf("int4", shards.toArray()));
      return leases(query);
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

  /**
   * The rows are locked by this transaction already. An engine that goes by their time of expiry
   * finds that it never comes; what counts is that of the holder.
   */
  private static void takeAll(
      Connection connection, Map<Integer, Claim.Granted> granted, Holder holder)
      throws SQLException {
    String sql =
        """
        UPDATE shard_lease l
        SET epoch = g.epoch, holder_node = ?, holder_incarnation = ?, expires_at = 'infinity'
        FROM unnest(?::int4[], ?::int8[]) AS g (shard, epoch)
        WHERE l.shard = g.shard
        """;
    try (PreparedStatement update = connection.prepareStatement(sql)) {
      update.setString(1, holder.node());
      update.setLong(2, holder.incarnation());
      update.setArray(3, connection.createArrayOf("int4", granted.keySet().toArray()));
      Object[] epochs = granted.values().stream().map(Claim.Granted::epoch).toArray();
      update.setArray(4, connection.createArrayOf("int8", epochs));
      update.executeUpdate();
    }
  }

  private static Optional<Lease> lock(Connection connection, int shard) throws SQLException {
    // FOR UPDATE, not FOR NO KEY UPDATE: it must wait for the batches that hold FOR KEY SHARE.
    String sql = ROW + "WHERE shard = ? FOR UPDATE";
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      query.setInt(1, shard);
      return leases(query).stream().findFirst();
    }
  }

  private static Claim claim(
      Connection connection, Lease row, Holder claimant, Membership members, Duration timeToLive)
      throws SQLException {
    Judged judged = judge(connection, List.of(row), claimant, members, timeToLive);
    Takeover.Reason free = judged.free.get(row.shard());
    if (free == null) return judged.refused.get(row.shard());
    Claim.Granted granted = new Claim.Granted(nextEpoch(connection, row), free);
    takeAll(connection, Map.of(row.shard(), granted), claimant);
    return granted;
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

  private static Optional<Long> insert(Connection connection, int shard, Holder holder)
      throws SQLException {
    // Two first claims at once: the second waits here for the first, and then inserts nothing.
    String sql =
        """
        INSERT INTO shard_lease (shard, epoch, holder_node, holder_incarnation, expires_at)
        VALUES (?, nextval('lease_epoch'), ?, ?, 'infinity')
        ON CONFLICT (shard) DO NOTHING RETURNING epoch
        """;
    try (PreparedStatement insert = connection.prepareStatement(sql)) {
      insert.setInt(1, shard);
      insert.setString(2, holder.node());
      insert.setLong(3, holder.incarnation());
      try (ResultSet row = insert.executeQuery()) {
        return row.next() ? Optional.of(row.getLong(1)) : Optional.empty();
      }
    }
  }

  @Override
  public Beat beat(Holder holder, Duration timeToLive) {
    Leases.requireValid(timeToLive);
    return transactions.run(
        "a beat of " + holder.node(), c -> NodeLeases.beat(c, holder, timeToLive));
  }

  /** One statement and no transaction: the less lies between question and answer the better. */
  Instant time() {
    try (Connection connection = database.getConnection();
        PreparedStatement query = connection.prepareStatement("SELECT clock_timestamp()");
        ResultSet rows = query.executeQuery()) {
      rows.next();
      return StoredInstant.of(rows, 1);
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("reading the clock", e);
    }
  }

  @Override
  public void release(int shard, Holder holder, long epoch) {
    // Keeps the row and its epoch. A batch that has locked the row is stored, none that comes
    // later.
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
    return transactions.run(
        "reading the lease of shard " + shard,
        connection -> {
          try (PreparedStatement query = connection.prepareStatement(HELD + "WHERE shard = ?")) {
            query.setInt(1, shard);
            return leases(query).stream().findFirst();
          }
        });
  }

  /** At most one small row for each shard: read as a whole. */
  @Override
  public List<Lease> all() {
    return transactions.run(
        "reading all leases",
        connection -> {
          try (PreparedStatement query = connection.prepareStatement(HELD)) {
            return leases(query);
          }
        });
  }

  @Override
  public List<Holding> holdings() {
    String sql =
        "SELECT shard, epoch, CASE WHEN expires_at > clock_timestamp() THEN holder_node END\nFROM ("
            + HELD
            + ") held ORDER BY shard";
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

  private static List<Lease> leases(PreparedStatement query) throws SQLException {
    List<Lease> found = new ArrayList<>();
    try (ResultSet rows = query.executeQuery()) {
      while (rows.next()) found.add(lease(rows));
    }
    return found;
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
