package dev.tenure.persistence.postgres;

import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.payload.MissingPayloadError;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.workflow.WorkflowId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Reads the table {@code payload}. */
final class PostgresPayloads implements Payloads {
  private final DataSource pool;

  PostgresPayloads(DataSource pool) {
    this.pool = pool;
  }

  static final String LOAD =
      """
      SELECT p.content FROM payload p WHERE p.workflow_id = ? AND p.hash = ?
      """;

  @Override
  public byte[] load(WorkflowId id, byte[] hash) {
    try (Connection c = pool.getConnection();
        PreparedStatement query = c.prepareStatement(LOAD)) {
      query.setString(1, KeyText.column(id.value()));
      query.setBytes(2, hash);
      try (ResultSet rows = query.executeQuery()) {
        return MissingPayloadError.checked(id, hash, rows.next() ? rows.getBytes(1) : null);
      }
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("reading a payload of " + id, e);
    }
  }
}
