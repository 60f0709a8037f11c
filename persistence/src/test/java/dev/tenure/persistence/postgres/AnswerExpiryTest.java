package dev.tenure.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.storage.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** An answer is kept to the end of its time and no longer. Within a transaction, time stands. */
class AnswerExpiryTest {
  @Test
  void anAnswerStaysUntilAMillisecondBeforeItsEndAndIsRemovedAtIt() throws SQLException {
    try (TestDatabase database = TestDatabase.migrated();
        Connection c = database.application()) {
      c.setAutoCommit(false);
      execute(
          c,
          """
          INSERT INTO signal_response
            (workflow_id, position, shard, signal_name, signal_id, accepted_at, expires_at)
          VALUES ('w', 1, 1, 'n', 's', now(), now() + interval '1 millisecond')
          """);
      assertThat(purge(c)).isZero();
      execute(c, "UPDATE signal_response SET expires_at = now()");
      assertThat(purge(c)).isEqualTo(1);
      c.rollback();
    }
  }

  private static void execute(Connection c, String sql) throws SQLException {
    try (Statement statement = c.createStatement()) {
      statement.execute(sql);
    }
  }

  private static int purge(Connection c) throws SQLException {
    try (PreparedStatement purge = c.prepareStatement(PostgresSignals.PURGE)) {
      purge.setInt(1, 10);
      return purge.executeUpdate();
    }
  }
}
