package dev.tenure.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tenure.persistence.embedded.LocalPostgres;
import dev.tenure.workflow.AesPayloadCipher;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a person says that activities resulted in is as secret as their own results. */
class EncryptedRemediesTest {
  private static final IncidentFilter FILTER = IncidentFilter.ALL.type("payment");
  private static RealNode node;
  private static TenureClient tenure;

  @BeforeAll
  static void start() {
    node =
        RealNode.start(
            given ->
                given
                    .setting("tenure.http.access", "open")
                    .workflow(Payment.class)
                    .activity(Payment.PAY, Payment::pay)
                    .encryption(AesPayloadCipher.of("2026-11", new byte[32])));
    tenure = TenureClient.to(node.uri()).build();
  }

  @AfterAll
  static void stop() {
    tenure.close();
    node.close();
  }

  private static WorkflowHandle<JsonNode> standStill(String id) {
    Payment.SILENT.set(true);
    tenure.start(WorkflowType.of("payment", Void.class, String.class), id, null);
    WorkflowHandle<JsonNode> workflow = tenure.workflow(id);
    RealNode.await(id + " stands still", () -> workflow.incident().isPresent());
    return workflow;
  }

  @Test
  void theResultForManyIsKeptEncryptedUntilItIsCarriedOut() throws SQLException {
    WorkflowHandle<JsonNode> stuck = standStill("secret");
    Remedy remedy = Remedy.complete(new Payment.Receipt("hush-4711", 7));
    BulkProposal proposal = tenure.incidents().proposeResolution(FILTER, remedy, "looked at");
    assertThat(kept(proposal.bulkId())).contains("$encrypted").doesNotContain("hush");
    tenure.incidents().confirm(proposal.confirmation());
    WorkflowOutcome outcome = stuck.outcome(Duration.ofSeconds(60)).orElseThrow();
    assertThat(outcome.status()).isEqualTo(WorkflowStatus.COMPLETED);
    assertThat(outcome.result().orElseThrow().has("$encrypted")).isTrue();
    ActivityRecord record = stuck.activities().list(1).getFirst();
    assertThat(record.document().toString()).doesNotContain("hush");
  }

  /** As it is kept it is longer, and could not be carried out. */
  @Test
  void aResultForManyThatBecomesTooLargeIsRefusedBeforeItIsCounted() {
    Remedy remedy = Remedy.complete("x".repeat(2_000_000));
    assertThatExceptionOfType(TenureException.class)
        .isThrownBy(() -> tenure.incidents().proposeResolution(FILTER, remedy, "looked at"))
        .satisfies(e -> assertThat(e.code()).isEqualTo("PayloadTooLarge"));
  }

  private static String kept(String bulkId) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(node.database.url(), LocalPostgres.APPLICATION, "");
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT request FROM bulk_operation WHERE id = '%s'".formatted(bulkId))) {
      rows.next();
      return rows.getString(1);
    }
  }
}
