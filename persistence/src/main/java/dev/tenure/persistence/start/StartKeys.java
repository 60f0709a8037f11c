package dev.tenure.persistence.start;

import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.storage.SqlFailures;
import dev.tenure.workflow.WorkflowId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;

/** Which workflow a start's key belongs to: the first who claims a key decides, for ever. */
public final class StartKeys {
  /** What stands under a key. */
  public record Claim(WorkflowId workflowId, String requestHash) {}

  private static final int TRIES_MAX = 5;

  private final DataSource pool;

  public StartKeys(DataSource pool) {
    this.pool = pool;
  }

  /**
   * One statement that writes or reads. It sees the table as it was when it began: a claim that
   * another request commits meanwhile stops its insert and is not in its view, and it finds
   * nothing.
   */
  static final String CLAIM =
      """
      WITH mine AS (
        INSERT INTO start_key (key, workflow_id, request_hash) VALUES (?, ?, ?)
        ON CONFLICT (key) DO NOTHING RETURNING workflow_id, request_hash)
      SELECT workflow_id, request_hash FROM mine
      UNION ALL
      SELECT k.workflow_id, k.request_hash FROM start_key k WHERE k.key = ?
      """;

  /**
   * What stands under the key: this claim, if it is the first one. It may be made again, whatever
   * became of the first try. Blocks.
   */
  public Claim claim(String key, Claim wanted) {
    for (int tries = 1; tries <= TRIES_MAX; tries++) {
      Optional<Claim> found = tryOnce(key, wanted);
      if (found.isPresent()) return found.get();
    }
    throw new IllegalStateException("a key is neither free nor taken: somebody removes it");
  }

  private Optional<Claim> tryOnce(String key, Claim wanted) {
    try (Connection c = pool.getConnection();
        PreparedStatement claim = c.prepareStatement(CLAIM)) {
      claim.setString(1, KeyText.column(key));
      claim.setString(2, KeyText.column(wanted.workflowId.value()));
      claim.setString(3, wanted.requestHash);
      claim.setString(4, KeyText.column(key));
      try (ResultSet row = claim.executeQuery()) {
        if (!row.next()) return Optional.empty();
        return Optional.of(
            new Claim(new WorkflowId(KeyText.ofColumn(row.getString(1))), row.getString(2)));
      }
    } catch (SQLException e) {
      throw SqlFailures.atCommit("claiming a start's key", e);
    }
  }

  /**
   * Those whose workflows are gone; a claim that is younger may still be about to start its own.
   */
  static final String PURGE =
      """
      DELETE FROM start_key WHERE ctid = ANY (ARRAY(
        SELECT k.ctid FROM start_key k
        WHERE k.claimed_at < clock_timestamp() - interval '1 day' AND (
          SELECT true FROM workflow w WHERE w.id = k.workflow_id LIMIT 1) IS NULL
        LIMIT ? FOR UPDATE SKIP LOCKED))
      """;

  /** Forgets keys as their workflows are forgotten, at most so many; returns how many. */
  public int purge(int limit) {
    try (Connection c = pool.getConnection();
        PreparedStatement purge = c.prepareStatement(PURGE)) {
      purge.setInt(1, limit);
      return purge.executeUpdate();
    } catch (SQLException e) {
      throw SqlFailures.atCommit("removing keys of starts", e);
    }
  }
}
