package dev.tenure.http;

import static dev.tenure.http.Http.workflow;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tenure.http.access.Audit;
import dev.tenure.persistence.activity.ActivityEffect;
import dev.tenure.persistence.activity.ActivityRecord;
import dev.tenure.persistence.incident.IncidentRow;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Limits;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What an operator does about payments that may have been made, over HTTP and JSON-RPC. */
class IndeterminateTest {
  private static final String KIND = "activity-indeterminate";
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

  private static Http.Reply order(String id, String word, String body) {
    return http.post(workflow(id, "operations", "pay#1", word), body);
  }

  private static String result(String id) {
    return http.with("Prefer", "wait=30").get(workflow(id, "result")).text("result");
  }

  private static Audit.Entry ordered(String name, String id, String note, String outcome) {
    return new Audit.Entry(
        "developer",
        "workflows." + name,
        id,
        new Audit.Details(
            Optional.of("pay#1"), Optional.empty(), Optional.empty(), Optional.of(note)),
        outcome);
  }

  private static void applied(Http.Reply reply) {
    assertThat(reply.status()).as(reply.body().toString()).isEqualTo(200);
    assertThat(reply.body().get("applied").asBoolean()).isTrue();
  }

  private static void refused(Http.Reply reply, int status, String code) {
    assertThat(reply.status()).as(reply.body().toString()).isEqualTo(status);
    assertThat(reply.code()).isEqualTo(code);
  }

  private static String history(String id) {
    return http.get(workflow(id, "history") + "?limit=1000").body().toString();
  }

  @Test
  void itsEvidenceIsShownWhereverItsIncidentIs() {
    Payment.strand(served, "seen");
    JsonNode incident = http.get(workflow("seen", "incident")).body();
    assertThat(incident.get("kind").asText()).isEqualTo(KIND);
    assertThat(incident.get("operation").asText()).isEqualTo("pay#1");
    assertThat(incident.get("evidence").asText()).contains("bank-silent", "the bank did not say");
    JsonNode described = http.get(workflow("seen")).body().get("incident");
    assertThat(described.get("operation").asText()).isEqualTo("pay#1");
    assertThat(described.at("/failure/code").asText()).isEqualTo("bank-silent");
    assertThat(described.at("/failure/message").asText()).isEqualTo("the bank did not say");
    assertThat(
            http.get("/api/v1/incidents?kind=" + KIND)
                .body()
                .get("incidents")
                .findValuesAsText("workflowId"))
        .contains("seen");
  }

  @Test
  void completedItGoesOnWithTheResultAndASecondTimeIsRefused() {
    Payment.strand(served, "completed");
    String body = "{\"result\":\"receipt 7\",\"note\":\"it is in the books\"}";
    applied(order("completed", "complete", body));
    assertThat(result("completed")).isEqualTo("receipt 7");
    assertThat(history("completed"))
        .contains("\"type\":\"concluded\"", "\"note\":\"it is in the books\"");
    assertThat(Payment.runs("completed")).hasValue(1);
    refused(order("completed", "complete", body), 409, "WorkflowClosed");
    assertThat(AUDIT)
        .contains(ordered("completeActivity", "completed", "it is in the books", "done"))
        .contains(ordered("completeActivity", "completed", "it is in the books", "WorkflowClosed"));
  }

  @Test
  void anActivityWithoutAResultIsCompletedWithNull() {
    Payment.strand(served, "null");
    refused(order("null", "complete", "{\"note\":\"n\"}"), 400, "InvalidRequest");
    applied(order("null", "complete", "{\"result\":null,\"note\":\"n\"}"));
    JsonNode ended = http.with("Prefer", "wait=30").get(workflow("null", "result")).body();
    assertThat(ended.get("result").isNull()).isTrue();
  }

  @Test
  void failedItsCodeLearnsTheFailure() {
    Payment.strand(served, "failed");
    refused(order("failed", "fail", "{\"type\":\"x\",\"note\":\"n\"}"), 400, "InvalidRequest");
    applied(
        order(
            "failed",
            "fail",
            "{\"type\":\"shop.Refused\",\"message\":\"no"
                + " money\",\"code\":\"no-money\",\"note\":\"n\"}"));
    assertThat(result("failed")).isEqualTo("shop.Refused no-money: no money");
    assertThat(AUDIT).contains(ordered("failActivity", "failed", "n", "done"));
  }

  @Test
  void onlyAPersonWhoSaysSoFailsItWithoutEffect() {
    Payment.strand(served, "without");
    String body = "{\"type\":\"x\",\"message\":\"m\",\"note\":\"n\",\"effect\":\"%s\"}";
    refused(order("without", "fail", body.formatted("some")), 400, "InvalidRequest");
    applied(order("without", "fail", body.formatted("none")));
    assertThat(result("without")).isEqualTo("x -: m (without effect)");
  }

  /** The node that was taken for lost reports its result after all. */
  private static void reportedLate(String id, String json) {
    ActivityRecord record = served.storage.activities().of(WorkflowId.of(id), 1).getFirst();
    IncidentRow row = served.storage.incidents().find(WorkflowId.of(id)).orElseThrow();
    Payload result = Payload.of(json.getBytes(StandardCharsets.UTF_8));
    served
        .storage
        .activities()
        .complete(
            List.of(
                new ActivityEffect(
                    record.key(), row.shard(), Optional.of(result), Optional.empty())));
  }

  @Test
  void aResultThatIsOnRecordIsShownAndNobodyGoesOverIt() {
    resolveThoseThatThereAre();
    Payment.strand(served, "proven");
    reportedLate("proven", "\"receipt 4711\"");
    JsonNode incident = http.get(workflow("proven", "incident")).body();
    assertThat(incident.at("/activity/status").asText()).isEqualTo("completed");
    assertThat(incident.at("/activity/result").asText()).isEqualTo("receipt 4711");
    Http.Reply failed =
        order("proven", "fail", "{\"type\":\"x\",\"message\":\"m\",\"note\":\"n\"}");
    refused(failed, 409, "ActivityOnRecord");
    assertThat(failed.text("detail")).contains("receipt 4711");
    refused(
        order("proven", "complete", "{\"result\":null,\"note\":\"n\"}"), 409, "ActivityOnRecord");
    JsonNode done = carriedOut(proposed("payment", "{\"do\":\"complete\",\"result\":null}"));
    assertThat(done.get("failed").asInt()).as(done.toString()).isOne();
    assertThat(done.get("lastFailure").asText()).contains("ActivityOnRecord", "receipt 4711");
    applied(order("proven", "verify-again", "{\"note\":\"it is on record\"}"));
    assertThat(result("proven")).isEqualTo("receipt 4711");
    assertThat(Payment.runs("proven")).hasValue(1);
  }

  @Test
  void triedAgainItIsSaidThatItMayHaveHadItsEffect() {
    Payment.strand(served, "again");
    applied(http.post(workflow("again", "retry-step"), "{\"operation\":\"pay#1\"}"));
    assertThat(result("again")).isEqualTo("paid again");
    assertThat(history("again")).contains("\"type\":\"retried\"", "\"unproven\":true");
  }

  @Test
  void anOrderForAnotherAttemptOrRunDoesNothing() {
    Payment.strand(served, "meant");
    String retry = "{\"operation\":\"pay#1\",\"attempt\":%d,\"note\":\"no such payment\"}";
    Http.Reply earlier = http.post(workflow("meant", "retry-step"), retry.formatted(1));
    assertThat(earlier.body().get("applied").asBoolean()).isFalse();
    refused(
        order("meant", "complete", "{\"result\":1,\"note\":\"n\",\"attempt\":1}"),
        409,
        "WorkflowNotInState");
    refused(
        order("meant", "complete", "{\"result\":1,\"note\":\"n\",\"runId\":\"another\"}"),
        409,
        "WorkflowNotInState");
    refused(
        order("meant", "complete", "{\"result\":1,\"note\":\"n\",\"attempt\":0}"),
        400,
        "InvalidRequest");
    assertThat(Payment.runs("meant")).hasValue(1);
    applied(http.post(workflow("meant", "retry-step"), retry.formatted(2)));
    assertThat(result("meant")).isEqualTo("paid again");
    assertThat(history("meant")).contains("no such payment");
  }

  @Test
  void verifiedAgainItDoesNotCountAsUnproven() {
    Payment.strand(served, "verified");
    refused(
        http.post(workflow("verified", "operations", "pay#2", "verify-again"), "{\"note\":\"n\"}"),
        409,
        "WorkflowNotInState");
    applied(order("verified", "verify-again", "{\"note\":\"the bank is back\"}"));
    assertThat(history("verified"))
        .contains("\"type\":\"retried\"", "the bank is back")
        .doesNotContain("\"unproven\"");
    assertThat(AUDIT)
        .anyMatch(
            entry ->
                entry.target().equals("verified")
                    && entry.details().step().equals(Optional.of("pay#2"))
                    && entry.outcome().equals("WorkflowNotInState"))
        .contains(ordered("verifyActivityAgain", "verified", "the bank is back", "done"));
  }

  @Test
  void whatCannotBeConcludedIsRefusedWithTheReason() {
    Payment.strand(served, "refused");
    String body = "{\"result\":1,\"note\":\"n\"}";
    Http.Reply other = http.post(workflow("refused", "operations", "pay#2", "complete"), body);
    refused(other, 409, "WorkflowNotInState");
    assertThat(other.text("detail")).contains("pay#2", "not open");
    refused(
        http.post(workflow("refused", "operations", "pay", "complete"), body),
        400,
        "InvalidRequest");
    refused(order("nobody", "complete", body), 404, "WorkflowNotFound");
    String large = "\"" + "x".repeat(Limits.PAYLOAD_BYTES_MAX) + "\"";
    refused(
        order("refused", "complete", "{\"result\":%s,\"note\":\"n\"}".formatted(large)),
        413,
        "PayloadTooLarge");
    http.post("/api/v1/workflows", "{\"type\":\"payment\",\"id\":\"busy\"}");
    Await.until(() -> Payment.runs("busy").get() == 1);
    Http.Reply busy = order("busy", "complete", body);
    refused(busy, 409, "WorkflowNotInState");
    assertThat(busy.text("detail")).contains("under way");
    assertThat(http.get(workflow("refused", "incident")).status()).isEqualTo(200);
  }

  @Test
  void theSameIsSaidOverJsonRpc() {
    Payment.strand(served, "rpc");
    String params =
        "{\"workflowId\":\"rpc\",\"operation\":\"pay#1\",\"result\":\"by phone\",\"note\":\"n\"}";
    JsonNode done = http.rpc("workflows.completeActivity", params).body();
    assertThat(done.at("/result/applied").asBoolean()).as(done.toString()).isTrue();
    assertThat(result("rpc")).isEqualTo("by phone");
    assertThat(
            http.rpc("workflows.completeActivity", params).body().at("/error/data/code").asText())
        .isEqualTo("WorkflowClosed");
  }

  private static String proposed(String type, String remedy) {
    Http.Reply proposal =
        http.post(
            "/api/v1/incidents/resolve",
            "{\"filter\":{\"type\":\"%s\"},\"note\":\"looked at\",\"remedy\":%s}"
                .formatted(type, remedy));
    assertThat(proposal.status()).as(proposal.body().toString()).isEqualTo(200);
    return proposal.text("confirmation");
  }

  /** The progress of the whole order when it is done. */
  private static JsonNode carriedOut(String confirmation) {
    String progress =
        http.post("/api/v1/bulk/confirm", "{\"confirmation\":\"%s\"}".formatted(confirmation))
            .header("Location");
    Await.until(() -> http.get(progress).text("state").equals("finished"));
    return http.get(progress).body();
  }

  /** What other tests have left standing must not be counted here. */
  private static void resolveThoseThatThereAre() {
    carriedOut(proposed("payment", "{\"do\":\"complete\",\"result\":null}"));
  }

  @Test
  void manyAreCompletedFailedOrRunAgainTogether() {
    resolveThoseThatThereAre();
    Basket.Fragile.DOWN.set(true);
    http.post("/api/v1/workflows", "{\"type\":\"fragile\",\"version\":1,\"id\":\"fragile\"}");
    Await.until(() -> http.get(workflow("fragile", "incident")).status() == 200);

    Payment.strand(served, "c-1", "c-2");
    JsonNode done = carriedOut(proposed("payment", "{\"do\":\"complete\",\"result\":\"all\"}"));
    assertThat(done.get("applied").asInt()).as(done.toString()).isEqualTo(2);
    assertThat(result("c-1")).isEqualTo("all");
    assertThat(result("c-2")).isEqualTo("all");

    Payment.strand(served, "f-1", "f-2");
    carriedOut(
        proposed(
            "payment",
            "{\"do\":\"fail\",\"failure\":{\"type\":\"shop.Refused\",\"message\":\"no\"}}"));
    assertThat(result("f-2")).isEqualTo("shop.Refused -: no");

    Payment.strand(served, "n-1");
    carriedOut(
        proposed(
            "payment",
            "{\"do\":\"fail\",\"failure\":{\"type\":\"shop.Refused\",\"message\":\"no\",\"effect\":\"none\"}}"));
    assertThat(result("n-1")).isEqualTo("shop.Refused -: no (without effect)");

    Payment.strand(served, "r-1");
    carriedOut(proposed("payment", "{\"do\":\"retry\"}"));
    assertThat(result("r-1")).isEqualTo("paid again");

    Payment.strand(served, "v-1");
    carriedOut(proposed("payment", "{\"do\":\"verify-again\"}"));
    assertThat(history("v-1")).contains("looked at").doesNotContain("\"unproven\"");

    // It is of another kind: only to be resolved.
    assertThat(carriedOut(proposed("fragile", "{\"do\":\"retry\"}")).get("count").asInt()).isZero();
    assertThat(http.get(workflow("fragile", "incident")).status()).isEqualTo(200);
  }

  @Test
  void whatAnotherPersonConcludedSinceTheCountIsUnchanged() {
    resolveThoseThatThereAre();
    Payment.strand(served, "faster", "slower");
    String confirmation = proposed("payment", "{\"do\":\"complete\",\"result\":\"all\"}");
    applied(order("faster", "complete", "{\"result\":\"one\",\"note\":\"n\"}"));
    JsonNode done = carriedOut(confirmation);
    assertThat(done.get("count").asInt()).isEqualTo(2);
    assertThat(done.get("failed").asInt()).isZero();
    assertThat(result("faster")).isEqualTo("one");
    assertThat(result("slower")).isEqualTo("all");
  }

  @Test
  void aRemedyThatDoesNotFitIsRefusedBeforeAnythingIsCounted() {
    for (String remedy :
        List.of(
            "{}",
            "{\"do\":\"forget\"}",
            "{\"do\":\"complete\"}",
            "{\"do\":\"fail\"}",
            "{\"do\":\"fail\",\"failure\":{\"type\":\"x\"}}",
            "{\"do\":\"retry\",\"result\":1}",
            "{\"do\":\"verify-again\",\"failure\":{\"type\":\"x\",\"message\":\"\"}}",
            "{\"do\":\"complete\",\"result\":1,\"failure\":{\"type\":\"x\",\"message\":\"\"}}"))
      refused(
          http.post(
              "/api/v1/incidents/resolve",
              "{\"filter\":{},\"note\":\"n\",\"remedy\":%s}".formatted(remedy)),
          400,
          "InvalidRequest");
    refused(
        http.post(
            "/api/v1/incidents/resolve",
            "{\"filter\":{\"kind\":\"drift\"},\"note\":\"n\",\"remedy\":{\"do\":\"retry\"}}"),
        400,
        "InvalidRequest");
  }

  @Test
  void aWorkflowWithoutKeyedActivitiesHasNoRecords() {
    http.post("/api/v1/workflows", "{\"type\":\"basket\",\"id\":\"plain\"}");
    Http.Reply none = http.get(workflow("plain", "activities"));
    assertThat(none.status()).as(none.body().toString()).isEqualTo(200);
    assertThat(none.body().get("activities")).isEmpty();
    refused(http.get(workflow("nobody", "activities")), 404, "WorkflowNotFound");
    refused(http.get(workflow("plain", "activities") + "?limit=0"), 400, "InvalidRequest");
  }
}
