package dev.tenure.http;

import static dev.tenure.http.Http.workflow;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.http.access.Audit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What stands in the audit of orders to one workflow and to many. */
class BulkAuditTest {
  private static final String NOTE = "the bank took none of them";
  private static final List<Audit.Entry> AUDIT = new CopyOnWriteArrayList<>();
  private static Served served;
  private static Http http;

  @BeforeAll
  static void start() {
    served = Served.start(given -> given.withAudit(AUDIT::add));
    http = served.http();
  }

  @AfterAll
  static void stop() {
    served.close();
  }

  @BeforeEach
  void forget() {
    AUDIT.clear();
  }

  private static Audit.Details details(String step, String remedy, String bulkId) {
    return new Audit.Details(
        Optional.ofNullable(step),
        Optional.ofNullable(remedy),
        Optional.ofNullable(bulkId),
        Optional.of(NOTE));
  }

  private static Audit.Entry entry(String operation, String target, Audit.Details details) {
    return new Audit.Entry("developer", operation, target, details, "done");
  }

  /** Proposes and confirms it, and waits for its end. */
  private static String carriedOut(String path, String body) {
    Http.Reply proposal = http.post(path, body);
    assertThat(proposal.status()).as(proposal.body().toString()).isEqualTo(200);
    String confirmation = proposal.text("confirmation");
    Http.Reply confirmed =
        http.post("/api/v1/bulk/confirm", "{\"confirmation\":\"%s\"}".formatted(confirmation));
    Await.until(() -> http.get(confirmed.header("Location")).text("state").equals("finished"));
    return proposal.text("bulkId");
  }

  @Test
  void aRetryOfOneSaysOfWhichStepAndWhy() {
    Payment.strand(served, "single");
    http.post(
        workflow("single", "retry-step"),
        "{\"operation\":\"pay#1\",\"note\":\"%s\"}".formatted(NOTE));
    assertThat(AUDIT)
        .contains(entry("workflows.retryStep", "single", details("pay#1", null, null)));
    assertThat(AUDIT.getLast().toString())
        .contains("\"step\":\"pay#1\"", "\"note\":\"" + NOTE + "\"", "\"outcome\":\"done\"");
  }

  @Test
  void aRetryOfManySaysWhatWasDoneToEach() {
    Payment.strand(served, "many-1", "many-2");
    String filter = "{\"type\":\"payment\"}";
    String bulkId =
        carriedOut(
            "/api/v1/incidents/resolve",
            "{\"filter\":%s,\"note\":\"%s\",\"remedy\":{\"do\":\"retry\"}}"
                .formatted(filter, NOTE));
    assertThat(AUDIT)
        .contains(entry("incidents.resolve", filter, details(null, "retry", bulkId)))
        .contains(
            new Audit.Entry(
                "developer",
                "bulk.confirm",
                bulkId,
                new Audit.Details(
                    Optional.empty(), Optional.empty(), Optional.of(bulkId), Optional.empty()),
                "done"))
        .contains(entry("bulk.run", "many-1", details("pay#1", "retry", bulkId)))
        .contains(entry("bulk.run", "many-2", details("pay#1", "retry", bulkId)));
  }

  @Test
  void anOrderToManySaysWhichOne() {
    http.post("/api/v1/workflows", "{\"type\":\"basket\",\"id\":\"held\"}");
    String filter = "{\"type\":\"basket\"}";
    String bulkId =
        carriedOut(
            "/api/v1/bulk",
            "{\"order\":\"terminate\",\"filter\":%s,\"reason\":\"%s\"}".formatted(filter, NOTE));
    assertThat(AUDIT)
        .contains(entry("bulk.propose", filter, details(null, "terminate", bulkId)))
        .contains(entry("bulk.run", "held", details(null, "terminate", bulkId)));
  }

  @Test
  void whatIsRefusedBeforeItIsUnderstoodIsWrittenDownToo() {
    http.post(
        "/api/v1/incidents/resolve",
        "{\"filter\":{},\"note\":\"%s\",\"remedy\":{\"do\":\"complete\"}}".formatted(NOTE));
    assertThat(AUDIT)
        .containsExactly(
            new Audit.Entry(
                "developer",
                "incidents.resolve",
                "{}",
                details(null, "complete", null),
                "InvalidRequest"));
  }
}
