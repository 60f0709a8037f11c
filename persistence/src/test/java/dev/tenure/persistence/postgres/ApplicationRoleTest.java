package dev.tenure.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.embedded.LocalPostgres;
import dev.tenure.persistence.storage.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The engine's own role can neither rewrite history nor change the schema. */
class ApplicationRoleTest {
  private static final String INSUFFICIENT_PRIVILEGE = "42501";

  private static TestDatabase database;

  @BeforeAll
  static void open() {
    database = TestDatabase.migrated();
    database.execute(
        """
        INSERT INTO event_journal (persistence_id, sequence_number, writer, shard, epoch,
          event_ser_manifest, event_payload)
        VALUES ('history', 1, gen_random_uuid(), 1, 1, '', '\\x00')\
        """);
    database.execute("INSERT INTO meta VALUES ('known', 'value') ");
  }

  @AfterAll
  static void close() {
    database.close();
  }

  private static void execute(String sql) throws SQLException {
    try (Connection connection = database.application();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // History is only appended to.
        "UPDATE event_journal SET event_payload = ''",
        "UPDATE event_journal SET epoch = 9",
        "UPDATE definition SET content = ''",
        "DELETE FROM definition",
        "DELETE FROM event_journal",
        "TRUNCATE event_journal",
        "SELECT 1 FROM event_journal FOR UPDATE",
        "MERGE INTO event_journal j USING (SELECT 1) x ON true WHEN MATCHED THEN DELETE",
        "INSERT INTO event_journal SELECT * FROM event_journal ON CONFLICT (persistence_id,"
            + " sequence_number) DO UPDATE SET epoch = 9",
        // What the store is, is for good.
        "UPDATE meta SET value = 'other'",
        "DELETE FROM meta",
        "TRUNCATE meta",
        "DELETE FROM schema_history",
        "INSERT INTO schema_history SELECT * FROM schema_history",
        // Epochs only rise.
        "DELETE FROM shard_lease",
        "TRUNCATE shard_lease",
        "SELECT setval('lease_epoch', 1)",
        "ALTER SEQUENCE lease_epoch RESTART",
        "DELETE FROM cluster_generation",
        "INSERT INTO cluster_generation VALUES (true, 0)",
        // The row of a closed workflow stays as it is.
        "UPDATE workflow_closed SET status = 'completed'",
        "TRUNCATE workflow_closed",
        "TRUNCATE workflow_closed_other",
        "DROP TABLE workflow_closed_other",
        "ALTER TABLE workflow_closed DETACH PARTITION workflow_closed_other",
        "CREATE TABLE a_part PARTITION OF workflow_closed FOR VALUES FROM ('2001-01-01') TO"
            + " ('2001-02-01')",
        "CREATE OR REPLACE FUNCTION make_closed_months(behind integer, ahead integer) RETURNS"
            + " integer LANGUAGE sql AS 'SELECT 1'",
        "DELETE FROM activity_record",
        "TRUNCATE activity_record",
        "TRUNCATE workflow",
        "TRUNCATE signal_inbox",
        "TRUNCATE signal_response",
        // No DDL.
        "CREATE TABLE another (id int)",
        "CREATE SCHEMA another",
        "CREATE INDEX another ON event_journal (epoch)",
        "CREATE FUNCTION another() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "ALTER TABLE event_journal ADD COLUMN another int",
        "ALTER TABLE event_journal DISABLE TRIGGER ALL",
        "ALTER TABLE shard_lease DISABLE TRIGGER lease_epoch_only_rises",
        "DROP TABLE event_journal",
        "DROP TRIGGER lease_epoch_only_rises ON shard_lease",
        "CREATE OR REPLACE FUNCTION lease_epoch_only_rises() RETURNS trigger LANGUAGE plpgsql AS"
            + " 'BEGIN RETURN NEW; END'",
        "SET session_replication_role = replica",
        "COPY event_journal TO PROGRAM 'cat'"
      })
  void isRefused(String sql) {
    assertThatThrownBy(() -> execute(sql))
        .isInstanceOfSatisfying(
            SQLException.class,
            e -> assertThat(e.getSQLState()).as(e.getMessage()).isEqualTo(INSUFFICIENT_PRIVILEGE));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM event_journal",
        "INSERT INTO event_journal (persistence_id, sequence_number, writer, shard, epoch,"
            + " event_ser_manifest, event_payload) VALUES ('more',"
            + " 1, gen_random_uuid(), 1, 1, '', '')",
        "SELECT nextval('lease_epoch')",
        "INSERT INTO shard_lease VALUES (1, 1, NULL, now(), NULL)",
        "SELECT 1 FROM shard_lease FOR KEY SHARE",
        "SELECT 1 FROM shard_lease FOR UPDATE",
        "UPDATE shard_lease SET expires_at = now()",
        "INSERT INTO node_lease VALUES (1, now(), 'n')",
        "SELECT 1 FROM node_lease FOR SHARE",
        "UPDATE node_lease SET expires_at = now()",
        "DELETE FROM node_lease",
        "INSERT INTO cluster_member (node, incarnation, beats, started_at, heartbeat_at) VALUES"
            + " ('n', 1, 1, now(), now())",
        "UPDATE cluster_member SET heartbeat_at = now()",
        "DELETE FROM cluster_member",
        "UPDATE cluster_generation SET generation = generation",
        "INSERT INTO meta VALUES ('new', 'value')",
        "SELECT * FROM schema_history",
        "INSERT INTO workflow (id, shard, run_id, type, type_version, status, started_at) VALUES"
            + " ('w', 1, 'r', 't', 1, 'running', now())",
        "UPDATE workflow SET status = 'waiting'",
        "SELECT 1 FROM workflow FOR NO KEY UPDATE",
        "DELETE FROM workflow",
        "INSERT INTO workflow_search VALUES ('w', '{}')",
        "UPDATE workflow_search SET attributes = '{}'",
        "DELETE FROM workflow_search",
        "INSERT INTO workflow_closed (number, started_at, closed_at, signals, shard, type_version,"
            + " id, run_id, type, status) VALUES (1, now(), now(), 0, 1, 1, 'w', 'r', 't',"
            + " 'failed')",
        "SELECT * FROM workflow_all",
        "DELETE FROM workflow_closed",
        "SELECT make_closed_months(0, 1)",
        "UPDATE signal_inbox SET unconsumed_at = now()",
        "DELETE FROM signal_inbox",
        "DELETE FROM signal_response",
        "INSERT INTO definition VALUES ('d', 1, 'actions', '', '')",
        "INSERT INTO snapshot VALUES ('w', 1, '')",
        "UPDATE snapshot SET version = 2",
        "DELETE FROM snapshot",
        "INSERT INTO activity_record (created_at, updated_at, epoch, shard, attempt, workflow_id,"
            + " call, operation_id, activity_name, idempotency_key, status, invocation) VALUES"
            + " (now(), now(), 1, 1, 1, 'w', '', 'o', 'a', 'k', 'started', '')",
        "UPDATE activity_record SET status = 'completed'",
        "INSERT INTO task (visibility_us, shard, attempt, urgency, repeatable, workflow_id,"
            + " operation_id, queue, fairness_key, activity, resource, scope, input) VALUES"
            + " (1, 1, 1, 0, true, 'w', 'o', 'q', '', 'a', '', '', '')",
        "UPDATE task SET state = 'taken'",
        "DELETE FROM task",
        "INSERT INTO task_queue (name) VALUES ('q')",
        "SELECT 1 FROM task_queue FOR UPDATE",
        "DELETE FROM task_queue",
        "INSERT INTO task_resource VALUES (now(), 'r')",
        "DELETE FROM task_resource",
        "SELECT require_all_stored(1, 1)"
      })
  void isAllowed(String sql) {
    assertThatCode(() -> execute(sql)).doesNotThrowAnyException();
  }

  @Test
  void isNeitherSuperuserNorOwnerOfAnything() throws SQLException {
    String sql =
        """
        SELECT 'superuser' FROM pg_roles WHERE rolname = current_user AND (rolsuper OR rolcreaterole)
        UNION ALL
        SELECT relname FROM pg_class WHERE pg_get_userbyid(relowner) = current_user\
        """;
    List<String> found = new ArrayList<>();
    try (Connection connection = database.application();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) found.add(rows.getString(1));
    }
    assertThat(found).as("what " + LocalPostgres.APPLICATION + " has").isEmpty();
  }
}
