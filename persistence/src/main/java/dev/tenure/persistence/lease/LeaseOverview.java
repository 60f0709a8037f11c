package dev.tenure.persistence.lease;

import dev.tenure.persistence.storage.SqlFailures;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** All leases at once, for people who look. */
public final class LeaseOverview {
  /**
   * @param holder the node that has the shard now; empty when nobody has
   */
  public record ShardRow(int shard, long epoch, Optional<String> holder) {}

  private final DataSource pool;

  public LeaseOverview(DataSource pool) {
    this.pool = pool;
  }

  /** At most one small row for each shard: read as a whole. */
  static final String ALL =
      """
      SELECT shard, epoch, CASE WHEN expires_at > clock_timestamp() THEN holder_node END
      FROM shard_lease ORDER BY shard
      """;

  public List<ShardRow> all() {
    try (Connection c = pool.getConnection();
        PreparedStatement query = c.prepareStatement(ALL);
        ResultSet rows = query.executeQuery()) {
      List<ShardRow> found = new ArrayList<>();
      while (rows.next()) {
        found.add(
            new ShardRow(rows.getInt(1), rows.getLong(2), Optional.ofNullable(rows.getString(3))));
      }
      return found;
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("reading all leases", e);
    }
  }
}
