package dev.tenure.examples.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tenure.client.TenureClient;
import dev.tenure.client.WorkflowType;
import dev.tenure.examples.node.Engine;
import dev.tenure.node.NodeBuilder;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.client.WorkflowHandle;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.AesPayloadCipher;
import dev.tenure.workflow.PayloadCipher;
import dev.tenure.workflow.QueryDefinition;
import dev.tenure.workflow.SignalDefinition;
import dev.tenure.workflow.UpdateDefinition;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.kernel.Status;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Values that are nobody's business, on a real node and its database. */
class EncryptionTest {
  private static final String SECRET = "hushabye";

  static final ActivityDefinition<String, String> TELL =
      ActivityDefinition.of("tell", String.class, String.class);
  static final SignalDefinition<String> MORE = SignalDefinition.of("more", String.class);
  static final UpdateDefinition<String, String> REPLACE =
      UpdateDefinition.of("replace", String.class, String.class);
  static final QueryDefinition<String, String> ASK =
      QueryDefinition.of("ask", String.class, String.class);

  @Workflow(name = "confidential")
  public static class Confidential {
    private String kept = "";

    public String run(WorkflowContext ctx, String given) {
      ctx.onQuery(ASK, question -> question + ": " + kept);
      ctx.onUpdate(
          REPLACE,
          value -> {
            String before = kept;
            kept = value;
            return before;
          });
      kept = ctx.step("keep", () -> given + " from a step");
      String large = ctx.step("large", () -> SECRET.repeat(20_000));
      String told = ctx.activity(TELL, given);
      String noted = ctx.record("note", String.class, () -> given + " noted");
      String child = ctx.child(Echo::run, "child of " + ctx.info().id(), given);
      String more = ctx.awaitSignal(MORE);
      return String.join("|", kept, told, noted, child, more, Integer.toString(large.length()));
    }
  }

  @Workflow(name = "confidential-echo")
  public static class Echo {
    public String run(WorkflowContext ctx, String given) {
      return given + " by the child";
    }
  }

  private static byte[] key(int seed) {
    byte[] key = new byte[32];
    for (int i = 0; i < key.length; i++) key[i] = (byte) (seed + 31 * i);
    return key;
  }

  private static final byte[] OLD_KEY = key(1);
  private static final byte[] NEW_KEY = key(2);
  private static final AesPayloadCipher OLD = AesPayloadCipher.of("2026-05", OLD_KEY);
  private static final AesPayloadCipher ROTATED =
      AesPayloadCipher.of("2026-11", NEW_KEY).reading("2026-05", OLD_KEY);

  private static NodeBuilder workflows(NodeBuilder node) {
    return node.workflow(Confidential.class)
        .workflow(Echo.class)
        .activity(TELL, (call, given) -> given + " from an activity")
        .setting("tenure.http.access", "open");
  }

  private static UnaryOperator<NodeBuilder> with(PayloadCipher cipher) {
    return node -> workflows(node).encryption(cipher);
  }

  @Test
  void theDatabaseHoldsNothingReadableAndKeysAreRotated() throws SQLException {
    try (TestDatabase database = TestDatabase.empty()) {
      try (Engine engine = Engine.start(database, with(OLD))) {
        WorkflowHandle<String> waiting = begin(engine, "waits");
        assertThat(waiting.update("u-1", REPLACE, SECRET + " updated"))
            .isEqualTo(SECRET + " from a step");
        assertThat(waiting.update("u-1", REPLACE, SECRET + " updated"))
            .isEqualTo(SECRET + " from a step");
        assertThat(waiting.query(ASK, "what")).isEqualTo("what: " + SECRET + " updated");
        WorkflowHandle<String> done = begin(engine, "ends");
        done.signal(MORE, SECRET + " more");
        assertThat(done.result())
            .isEqualTo(
                "S from a step|S from an activity|S noted|S by the child|S more|160000"
                    .replace("S", SECRET));
        waiting.signal(MORE, SECRET + " early");
      }
      assertThat(placesWith(database, SECRET)).isEmpty();

      try (Engine engine = Engine.start(database, with(ROTATED))) {
        assertThat(engine.workflows().handle("waits", String.class).result())
            .contains(SECRET + " updated", SECRET + " early");
        assertThat(engine.workflows().handle("ends", String.class).result()).contains(SECRET);
      }
      assertThat(placesWith(database, SECRET)).isEmpty();
    }
  }

  @Test
  void withoutACipherTheScanFindsThem() throws SQLException {
    try (TestDatabase database = TestDatabase.empty()) {
      try (Engine engine = Engine.start(database, EncryptionTest::workflows)) {
        begin(engine, "open").signal(MORE, SECRET);
        engine.workflows().handle("open", String.class).result();
      }
      assertThat(placesWith(database, SECRET)).contains("event_journal");
    }
  }

  @Test
  void overHttpTheyAreSeenEncryptedUnlessTheClientHasTheKey() {
    WorkflowType<String, String> type = WorkflowType.of("confidential", String.class, String.class);
    try (Engine engine = Engine.start(with(OLD));
        TenureClient plain = TenureClient.to(engine.node().http()).build();
        TenureClient keyed =
            TenureClient.to(engine.node().http()).encryption(new OfTheClient(OLD)).build()) {
      dev.tenure.client.WorkflowHandle<String> workflow = plain.start(type, "far", SECRET);
      Engine.await(
          "the child to have ended",
          () ->
              engine.workflows().handle("far", String.class).describe().status() == Status.WAITING);
      assertThat(keyed.workflow("far", type).query("ask", "what", String.class))
          .isEqualTo("what: " + SECRET + " from a step");
      JsonNode opaque = workflow.query("ask", "what", JsonNode.class);
      assertThat(opaque.at("/$encrypted/keyId").asText()).isEqualTo("2026-05");
      assertThatThrownBy(() -> workflow.query("ask", "what", String.class))
          .hasMessageContaining("give the client a cipher");

      assertThat(keyed.workflow("far", type).update("replace", SECRET + " new", String.class))
          .contains(SECRET);
      keyed.workflow("far", type).signal("more", "over HTTP");
      assertThat(keyed.workflow("far", type).result()).contains(SECRET + " new", "over HTTP");
      assertThat(plain.workflow("far").history().toList().toString()).doesNotContain(SECRET);
    }
  }

  /** The client's cipher with a node's keys. */
  private record OfTheClient(PayloadCipher keys) implements dev.tenure.client.PayloadCipher {
    @Override
    public Encrypted encrypt(byte[] plain) {
      PayloadCipher.Encrypted made = keys.encrypt(plain);
      return new Encrypted(made.keyId(), made.bytes());
    }

    @Override
    public byte[] decrypt(Encrypted encrypted) {
      return keys.decrypt(new PayloadCipher.Encrypted(encrypted.keyId(), encrypted.bytes()));
    }
  }

  private static WorkflowHandle<String> begin(Engine engine, String id) {
    WorkflowHandle<String> workflow = engine.workflows().start(Confidential::run, id, SECRET);
    Engine.awaitStatus(workflow, Status.WAITING);
    return workflow;
  }

  /** The tables that hold the text somewhere, as text or as bytes. */
  private static List<String> placesWith(TestDatabase database, String text) throws SQLException {
    String bytes = HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
    List<String> places = new ArrayList<>();
    int tables = 0;
    try (Connection connection = database.owner();
        Statement statement = connection.createStatement()) {
      for (String table : tables(statement)) {
        tables++;
        String sql =
            "SELECT count(*) FROM %s AS r WHERE r::text LIKE '%%%s%%' OR r::text LIKE '%%%s%%'"
                .formatted(table, text, bytes);
        try (ResultSet row = statement.executeQuery(sql)) {
          row.next();
          if (row.getLong(1) > 0) places.add(table.substring(table.indexOf('.') + 1));
        }
      }
    }
    assertThat(tables).isGreaterThan(5);
    return places;
  }

  private static List<String> tables(Statement statement) throws SQLException {
    List<String> names = new ArrayList<>();
    try (ResultSet rows =
        statement.executeQuery(
            "SELECT schemaname || '.' || tablename FROM pg_tables"
                + " WHERE schemaname NOT IN ('pg_catalog', 'information_schema')")) {
      while (rows.next()) names.add(rows.getString(1));
    }
    return names;
  }
}
