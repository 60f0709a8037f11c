package dev.tenure.persistence.postgres;

import dev.tenure.persistence.format.EngineBuild;
import dev.tenure.persistence.format.FormatFloor;
import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.membership.DeployedCode;
import dev.tenure.persistence.membership.Formation;
import dev.tenure.persistence.membership.MemberRow;
import dev.tenure.persistence.membership.Members;
import dev.tenure.persistence.membership.Roster;
import dev.tenure.persistence.membership.Standing;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Members in PostgreSQL. The lock is the one row of {@code cluster_generation}. */
final class PostgresMembers implements Members {
  private static final Logger log = LoggerFactory.getLogger(PostgresMembers.class);
  private static final Duration LOCK_LIMIT = Duration.ofSeconds(3);
  private static final Duration STATEMENT_LIMIT = Duration.ofSeconds(4);

  private final Transactions transactions;
  private final EngineBuild engine;

  /** As it was read last: it never falls, so what it allowed once it allows for good. */
  private volatile FormatFloor floor = FormatFloor.FIRST;

  PostgresMembers(DataSource database, EngineBuild engine) {
    this.engine = engine;
    this.transactions = new Transactions(database, LOCK_LIMIT, STATEMENT_LIMIT);
  }

  @Override
  public Formation seek(Holder self, Function<Roster, Formation> decision) {
    return transactions.run(
        "looking for a cluster",
        connection -> {
          lock(connection);
          StoreMeta.requireFloor(connection, engine);
          announce(connection, self);
          Roster roster = roster(connection);
          Formation formation = decision.apply(roster);
          if (formation instanceof Formation.Found found
              && found.generation() > roster.generation()) {
            found(connection, self, found.generation());
          }
          return formation;
        });
  }

  private static long lock(Connection connection) throws SQLException {
    // FOR UPDATE: founding, joining and forgetting are decided one after the other. A process that
    // is stopped in the middle does not keep it: the pool's sessions may not idle in a transaction.
    String sql = "SELECT generation FROM cluster_generation FOR UPDATE";
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet rows = statement.executeQuery()) {
      if (!rows.next()) throw new SQLException("cluster_generation has lost its row");
      return rows.getLong(1);
    }
  }

  /** A row of an earlier process at this address is overwritten: that process is gone. */
  private void announce(Connection connection, Holder self) throws SQLException {
    String sql =
        """
        INSERT INTO cluster_member AS m
          (node, incarnation, beats, started_at, heartbeat_at, engine, reads)
        VALUES (?, ?, 1, clock_timestamp(), clock_timestamp(), ?, ?)
        ON CONFLICT (node) DO UPDATE SET
          incarnation = excluded.incarnation,
          generation = CASE WHEN m.incarnation = excluded.incarnation THEN m.generation END,
          beats = CASE WHEN m.incarnation = excluded.incarnation THEN m.beats + 1 ELSE 1 END,
          started_at = CASE WHEN m.incarnation = excluded.incarnation
                            THEN m.started_at ELSE excluded.started_at END,
          deployed = CASE WHEN m.incarnation = excluded.incarnation THEN m.deployed END,
          clock_ahead_ms = CASE WHEN m.incarnation = excluded.incarnation
                                THEN m.clock_ahead_ms END,
          engine = excluded.engine,
          reads = excluded.reads,
          heartbeat_at = excluded.heartbeat_at\
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, self.node());
      statement.setLong(2, self.incarnation());
      statement.setString(3, engine.version());
      statement.setInt(4, engine.reads());
      statement.executeUpdate();
    }
  }

  /** The rows of superseded members go, so their next sign of life finds nothing to renew. */
  private static void found(Connection connection, Holder self, long generation)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("UPDATE cluster_generation SET generation = ?")) {
      statement.setLong(1, generation);
      statement.executeUpdate();
    }
    // Newcomers that gave up long ago go too. One that is only slow announces itself again.
    String supersede =
        """
        DELETE FROM cluster_member
        WHERE node <> ? AND (generation IS NOT NULL
                             OR heartbeat_at < clock_timestamp() - interval '1 hour')\
        """;
    try (PreparedStatement statement = connection.prepareStatement(supersede)) {
      statement.setString(1, self.node());
      statement.executeUpdate();
    }
    enter(connection, self, generation);
  }

  private static boolean enter(Connection connection, Holder self, long generation)
      throws SQLException {
    String sql =
        """
        UPDATE cluster_member
        SET generation = ?, beats = beats + 1, heartbeat_at = clock_timestamp()
        WHERE node = ? AND incarnation = ?\
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, generation);
      statement.setString(2, self.node());
      statement.setLong(3, self.incarnation());
      return statement.executeUpdate() == 1;
    }
  }

  @Override
  public Standing joined(Holder self, long generation) {
    return transactions.run(
        "being taken into the cluster",
        connection -> {
          long newest = lock(connection);
          StoreMeta.requireFloor(connection, engine);
          return newest == generation && enter(connection, self, generation)
              ? new Standing.Current()
              : new Standing.Superseded(newest);
        });
  }

  @Override
  public Standing beat(Holder self, long generation, Duration clockAhead) {
    return transactions.run(
        "a sign of life",
        connection -> beat(connection, self, generation, Optional.of(clockAhead)));
  }

  /**
   * Takes no lock but that of its own row: a founding in progress deletes that row, so one of the
   * two waits for the other, and a superseded member finds no row.
   */
  private static Standing beat(
      Connection connection, Holder self, long generation, Optional<Duration> clockAhead)
      throws SQLException {
    String sql =
        """
        WITH beat AS (
          UPDATE cluster_member
          SET beats = beats + 1, heartbeat_at = clock_timestamp(),
              clock_ahead_ms = coalesce(?, clock_ahead_ms)
          WHERE node = ? AND incarnation = ? AND generation = ?
          RETURNING generation)
        SELECT c.generation, EXISTS (SELECT FROM beat) FROM cluster_generation c\
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      if (clockAhead.isPresent()) statement.setLong(1, clockAhead.get().toMillis());
      else statement.setNull(1, Types.BIGINT);
      statement.setString(2, self.node());
      statement.setLong(3, self.incarnation());
      statement.setLong(4, generation);
      try (ResultSet rows = statement.executeQuery()) {
        if (!rows.next()) throw new SQLException("cluster_generation has lost its row");
        return rows.getBoolean(2)
            ? new Standing.Current()
            : new Standing.Superseded(rows.getLong(1));
      }
    }
  }

  /** Takes no lock: it is asked with every beat. */
  @Override
  public Map<Holder, Long> beats() {
    String sql =
        """
        SELECT m.node, m.incarnation, m.beats
        FROM cluster_generation c JOIN cluster_member m ON m.generation = c.generation\
        """;
    return transactions.run(
        "watching the members",
        connection -> {
          Map<Holder, Long> beats = new HashMap<>();
          try (PreparedStatement statement = connection.prepareStatement(sql);
              ResultSet rows = statement.executeQuery()) {
            while (rows.next())
              beats.put(new Holder(rows.getString(1), rows.getLong(2)), rows.getLong(3));
          }
          return beats;
        });
  }

  @Override
  public Standing forget(Holder self, long generation, Collection<Holder> removed) {
    return transactions.run(
        "forgetting removed nodes",
        connection -> {
          // The lock makes "am I still in it?" and the deletion one step: of two members that
          // removed each other, the second finds itself removed and deletes nothing.
          lock(connection);
          Standing standing = beat(connection, self, generation, Optional.empty());
          if (standing instanceof Standing.Current) delete(connection, removed);
          return standing;
        });
  }

  /** Takes no lock but that of its own row, as a beat does. */
  @Override
  public void deploys(Holder self, DeployedCode code) {
    String sql = "UPDATE cluster_member SET deployed = ? WHERE node = ? AND incarnation = ?";
    transactions.run(
        "recording the code of this node",
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, code.toJson());
            statement.setString(2, self.node());
            statement.setLong(3, self.incarnation());
            return statement.executeUpdate();
          }
        });
  }

  @Override
  public FormatFloor raiseFloor() {
    return noted(
        transactions.run(
            "raising the level of formats that every engine must read",
            connection -> {
              lock(connection);
              FormatFloor before = StoreMeta.floor(connection);
              if (before.level() >= engine.writes()) return before;
              StoreMeta.raiseFloor(connection, engine.writes(), engine.version());
              return StoreMeta.floor(connection);
            }));
  }

  private FormatFloor noted(FormatFloor read) {
    if (read.level() > floor.level()) floor = read;
    return read;
  }

  /** Up to which level this engine may write, as far as it knows. */
  int writableLevel() {
    return engine.writesOn(floor);
  }

  @Override
  public void leave(Holder self) {
    transactions.run(
        "leaving the cluster",
        connection -> {
          lock(connection);
          delete(connection, List.of(self));
          return self;
        });
  }

  private static void delete(Connection connection, Collection<Holder> nodes) throws SQLException {
    String sql = "DELETE FROM cluster_member WHERE node = ? AND incarnation = ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (Holder node : nodes) {
        statement.setString(1, node.node());
        statement.setLong(2, node.incarnation());
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  @Override
  public Roster roster() {
    Roster roster = transactions.run("reading the members", PostgresMembers::roster);
    noted(roster.floor());
    return roster;
  }

  private static Roster roster(Connection connection) throws SQLException {
    String sql =
        """
        SELECT c.generation, clock_timestamp(),
               m.node, m.incarnation, m.generation, m.beats, m.started_at, m.heartbeat_at, m.deployed,
               m.engine, m.reads, m.clock_ahead_ms
        FROM cluster_generation c LEFT JOIN cluster_member m ON true
        ORDER BY m.started_at, m.node\
        """;
    List<MemberRow> members = new ArrayList<>();
    FormatFloor floor = StoreMeta.floor(connection);
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet rows = statement.executeQuery()) {
      if (!rows.next()) throw new SQLException("cluster_generation has lost its row");
      long newest = rows.getLong(1);
      Instant now = StoredInstant.of(rows, 2);
      do {
        if (rows.getString(3) != null) members.add(member(rows));
      } while (rows.next());
      return new Roster(newest, members, now, floor);
    }
  }

  private static MemberRow member(ResultSet rows) throws SQLException {
    long generation = rows.getLong(5);
    OptionalLong member = rows.wasNull() ? OptionalLong.empty() : OptionalLong.of(generation);
    long aheadMs = rows.getLong(12);
    Optional<Duration> ahead =
        rows.wasNull() ? Optional.empty() : Optional.of(Duration.ofMillis(aheadMs));
    return new MemberRow(
        new Holder(rows.getString(3), rows.getLong(4)),
        member,
        rows.getLong(6),
        StoredInstant.of(rows, 7),
        StoredInstant.of(rows, 8),
        Optional.ofNullable(rows.getString(9)).flatMap(PostgresMembers::code),
        rows.getString(10),
        rows.getInt(11),
        ahead);
  }

  /** A row that a person changed by hand must not keep nodes from finding each other. */
  private static Optional<DeployedCode> code(String stored) {
    try {
      return Optional.of(DeployedCode.ofJson(stored));
    } catch (IllegalArgumentException e) {
      log.warn("cluster_member.deployed cannot be read: {}", e.getMessage());
      return Optional.empty();
    }
  }
}
