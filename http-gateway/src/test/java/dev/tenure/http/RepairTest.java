package dev.tenure.http;

import static dev.tenure.http.Http.workflow;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tenure.http.access.Audit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an operator does about workflows that stand still, over HTTP and JSON-RPC. */
class RepairTest {
  private static final String START = "/api/v1/workflows";
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
  void itIsDown() {
    Basket.Fragile.DOWN.set(true);
  }

  private static void standStill(String... ids) {
    for (String id : ids) {
      http.post(START, "{\"type\":\"fragile\",\"version\":1,\"id\":\"%s\"}".formatted(id));
    }
    for (String id : ids) {
      Await.until(() -> http.get(workflow(id, "incident")).status() == 200);
    }
  }

  private static String result(String id) {
    return http.with("Prefer", "wait=30").get(workflow(id, "result")).text("result");
  }

  private static void refused(Http.Reply reply, int status, String code) {
    assertThat(reply.status()).as(reply.body().toString()).isEqualTo(status);
    assertThat(reply.code()).isEqualTo(code);
  }

  @Test
  void anIncidentIsFoundWithItsEvidenceAndByItsCause() {
    standStill("seen-1", "seen-2");
    JsonNode one = http.get(workflow("seen-1", "incident")).body();
    assertThat(one.get("kind").asText()).isEqualTo("operation-failed");
    assertThat(one.get("operation").asText()).isEqualTo("ask#1");
    assertThat(one.get("evidence").asText()).contains("it is down");
    String cause = one.get("fingerprint").asText();

    JsonNode list = http.get("/api/v1/incidents?kind=operation-failed&type=fragile").body();
    assertThat(list.get("incidents").findValuesAsText("workflowId")).contains("seen-1", "seen-2");
    Http.Reply first = http.get("/api/v1/incidents?limit=1&fingerprint=" + cause);
    assertThat(first.body().get("incidents")).hasSize(1);
    assertThat(
            http.get(
                    "/api/v1/incidents?limit=1&fingerprint=%s&cursor=%s"
                        .formatted(cause, first.text("next")))
                .body()
                .at("/incidents/0/workflowId")
                .asText())
        .isNotEqualTo(first.body().at("/incidents/0/workflowId").asText());
    assertThat(http.get("/api/v1/incidents?kind=drift").body().get("incidents")).isEmpty();
    refused(http.get("/api/v1/incidents?cursor=x"), 400, "InvalidCursor");

    JsonNode group =
        http.get("/api/v1/incident-groups?fingerprint=" + cause).body().at("/groups/0");
    assertThat(group.get("count").asLong()).isGreaterThanOrEqualTo(2);
    assertThat(group.get("kind").asText()).isEqualTo("operation-failed");
    assertThat(group.get("since").asText()).isLessThanOrEqualTo(one.get("since").asText());

    http.post(START, "{\"type\":\"basket\",\"id\":\"well\"}");
    refused(http.get(workflow("well", "incident")), 404, "IncidentNotFound");
    refused(http.get(workflow("nobody", "incident")), 404, "WorkflowNotFound");
    assertThat(http.rpc("incidents.get", "{\"workflowId\":\"seen-2\"}").body().at("/result/kind"))
        .isEqualTo(one.get("kind"));
    assertThat(
            http.rpc("incidents.get", "{\"workflowId\":\"well\"}").body().at("/error/code").asInt())
        .isEqualTo(-32020);
  }

  @Test
  void manyAreCountedConfirmedAndResolved() {
    standStill("many-1", "many-2", "many-3");
    String cause = http.get(workflow("many-1", "incident")).text("fingerprint");
    String filter = "{\"fingerprint\":\"%s\"}".formatted(cause);
    Http.Reply proposal =
        http.post(
            "/api/v1/incidents/resolve",
            "{\"filter\":%s,\"note\":\"the \\\"note\\\": it is up\"}".formatted(filter));
    assertThat(proposal.status()).as(proposal.body().toString()).isEqualTo(200);
    long count = proposal.body().get("count").asLong();
    assertThat(count).isGreaterThanOrEqualTo(3);
    assertThat(http.get(workflow("many-2", "incident")).status()).isEqualTo(200);
    assertThat(AUDIT)
        .anyMatch(
            entry ->
                entry.operation().equals("incidents.resolve") && entry.target().equals(filter));

    Basket.Fragile.DOWN.set(false);
    String confirm = "{\"confirmation\":\"%s\"}".formatted(proposal.text("confirmation"));
    Http.Reply confirmed = http.post("/api/v1/bulk/confirm", confirm);
    assertThat(confirmed.status()).isEqualTo(202);
    String progress = confirmed.header("Location");
    Await.until(() -> http.get(progress).text("state").equals("finished"));
    assertThat(http.get(progress).body().get("applied").asLong()).isEqualTo(count);
    for (String id : List.of("many-1", "many-2", "many-3")) {
      assertThat(result(id)).isEqualTo("ab");
    }
    assertThat(http.get(workflow("many-1", "history") + "?limit=1000").body().toString())
        .contains("the \\\"note\\\": it is up");
    refused(
        http.post("/api/v1/bulk", "{\"order\":\"resolve-incident\",\"filter\":{}}"),
        400,
        "InvalidRequest");
    refused(
        http.post("/api/v1/incidents/resolve", "{\"filter\":{\"status\":\"x\"},\"note\":\"n\"}"),
        400,
        "InvalidRequest");
  }

  @Test
  void aFailedStepIsTriedAgain() {
    standStill("again");
    refused(
        http.post(workflow("again", "retry-step"), "{\"operation\":\"other#1\"}"),
        409,
        "WorkflowNotInState");
    refused(
        http.post(workflow("again", "retry-step"), "{\"operation\":\"ask\"}"),
        400,
        "InvalidRequest");
    refused(
        http.post(workflow("nobody", "retry-step"), "{\"operation\":\"ask#1\"}"),
        404,
        "WorkflowNotFound");
    Basket.Fragile.DOWN.set(false);
    Http.Reply tried = http.post(workflow("again", "retry-step"), "{\"operation\":\"ask#1\"}");
    assertThat(tried.body().get("applied").asBoolean()).isTrue();
    assertThat(result("again")).isEqualTo("ab");
    refused(
        http.post(workflow("again", "retry-step"), "{\"operation\":\"ask#1\"}"),
        409,
        "WorkflowClosed");
    assertThat(AUDIT)
        .contains(retried("again", "done"))
        .contains(retried("nobody", "WorkflowNotFound"));
  }

  private static Audit.Entry retried(String workflow, String outcome) {
    Audit.Details ask =
        new Audit.Details(
            Optional.of("ask#1"), Optional.empty(), Optional.empty(), Optional.empty());
    return new Audit.Entry("developer", "workflows.retryStep", workflow, ask, outcome);
  }

  @Test
  void aRunIsMovedToAVersionThatFits() {
    standStill("moved");
    refused(
        http.post(workflow("moved", "move"), "{\"version\":7,\"note\":\"n\"}"),
        409,
        "WorkflowNotInState");
    refused(http.post(workflow("moved", "move"), "{\"version\":2}"), 400, "InvalidRequest");
    Http.Reply moved =
        http.post(workflow("moved", "move"), "{\"version\":2,\"note\":\"asks nobody\"}");
    assertThat(moved.status()).as(moved.body().toString()).isEqualTo(200);
    assertThat(result("moved")).isEqualTo("aB");
    assertThat(http.get(workflow("moved")).body().get("version").asInt()).isEqualTo(2);
  }

  @Test
  void anEndedWorkflowIsForkedOnceUnderItsKey() {
    Basket.Fragile.DOWN.set(false);
    http.post(START, "{\"type\":\"fragile\",\"version\":1,\"id\":\"source\"}");
    assertThat(result("source")).isEqualTo("ab");
    String body = "{\"from\":\"ask#1\",\"version\":2}";
    Http keyed = http.with("Idempotency-Key", "fork-1");
    Http.Reply forked = keyed.post(workflow("source", "fork"), body);
    assertThat(forked.status()).as(forked.body().toString()).isEqualTo(201);
    String id = forked.text("workflowId");
    assertThat(forked.header("Location")).isEqualTo(workflow(id));
    assertThat(result(id)).isEqualTo("aB");
    Http.Reply again = keyed.post(workflow("source", "fork"), body);
    assertThat(again.body()).isEqualTo(forked.body());
    refused(
        keyed.post(workflow("source", "fork"), "{\"from\":\"last#1\"}"),
        409,
        "IdempotencyKeyReused");
    refused(keyed.post(START, "{\"type\":\"echo\"}"), 409, "IdempotencyKeyReused");

    refused(
        http.post(workflow("source", "fork"), "{\"from\":\"ask#1\",\"id\":\"source\"}"),
        409,
        "WorkflowAlreadyExists");
    refused(
        http.post(workflow("source", "fork"), "{\"from\":\"ask#2\"}"), 404, "OperationNotFound");
    refused(http.post(workflow("nobody", "fork"), "{\"from\":\"a#1\"}"), 404, "WorkflowNotFound");
    refused(http.post(workflow("source", "fork"), "{}"), 400, "InvalidRequest");
    assertThat(
            http.rpc("workflows.fork", "{\"workflowId\":\"source\",\"from\":\"ask#2\"}")
                .body()
                .at("/error/code")
                .asInt())
        .isEqualTo(-32020);
  }
}
