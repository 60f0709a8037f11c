package dev.tenure.http;

import static dev.tenure.http.Http.workflow;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Each operation once, end to end, over HTTP and a real database. */
class FirstRequestsTest {
  private static Served served;
  private static Http http;

  @BeforeAll
  static void start() {
    served = Served.start();
    http = served.http();
  }

  @AfterAll
  static void stop() {
    served.close();
  }

  private static Http.Reply begin(String id) {
    return http.post(
        "/api/v1/workflows",
        "{\"type\":\"basket\",\"id\":\"%s\",\"input\":{\"a\":1}}".formatted(id));
  }

  @Test
  void aWorkflowOfATypeThatNoNodeHasIsShownAsBlockedAndWithoutVersion() {
    assertThat(
            http.post("/api/v1/workflows", "{\"type\":\"of no node\",\"id\":\"waits\"}").status())
        .isEqualTo(201);
    Await.until(() -> http.get(workflow("waits")).text("status").equals("blocked"));
    Http.Reply blocked = http.get(workflow("waits"));
    assertThat(blocked.body().get("version").asInt()).isZero();
    assertThat(blocked.text("blockReason")).contains("No node has of no node");
    assertThat(http.post(workflow("waits", "terminate"), "{\"reason\":\"enough\"}").status())
        .isEqualTo(200);
  }

  @Test
  void aWorkflowIsStartedSignalledAndEnds() {
    Http.Reply started = begin("order-1");
    assertThat(started.status()).as(started.body().toString()).isEqualTo(201);
    assertThat(started.header("Location")).isEqualTo("/api/v1/workflows/order-1");
    assertThat(started.text("runId")).isNotEmpty();

    Http.Reply open = http.get(started.header("Location"));
    assertThat(open.status()).isEqualTo(200);
    assertThat(open.text("type")).isEqualTo("basket");
    assertThat(http.get(workflow("order-1", "result")).status()).isEqualTo(202);

    Http.Reply accepted =
        http.post(workflow("order-1", "signal", "item"), "{\"payload\":{\"sku\":7}}");
    assertThat(accepted.status()).as(accepted.body().toString()).isEqualTo(200);
    assertThat(accepted.body().get("accepted").asBoolean()).isTrue();
    http.post(workflow("order-1", "signal", "item"), "{\"payload\":\"done\"}");

    Http.Reply result = http.with("Prefer", "wait=30").get(workflow("order-1", "result"));
    assertThat(result.status()).isEqualTo(200);
    assertThat(result.text("status")).isEqualTo("completed");
    assertThat(result.body().get("result").toString())
        .isEqualTo("{\"input\":{\"a\":1},\"items\":[{\"sku\":7}]}");

    Http.Reply history = http.get(workflow("order-1", "history"));
    assertThat(history.body().get("commits").size()).isGreaterThanOrEqualTo(3);
    assertThat(history.body().at("/commits/0/events/0/type").asText()).isEqualTo("started");
  }

  @Test
  void anIdThatIsTakenIsAConflictThatNamesWhoHasIt() {
    String runId = begin("taken").text("runId");
    Http.Reply second = begin("taken");
    assertThat(second.status()).isEqualTo(409);
    assertThat(second.header("Content-Type")).startsWith("application/problem+json");
    assertThat(second.code()).isEqualTo("WorkflowAlreadyExists");
    assertThat(second.text("type")).isEqualTo("urn:tenure:error:workflow-already-exists");
    assertThat(second.text("runId")).isEqualTo(runId);
    assertThat(second.text("workflowId")).isEqualTo("taken");
  }

  @Test
  void queriesAndUpdatesReachTheCode() {
    begin("asked");
    http.post(workflow("asked", "signal", "item"), "{\"payload\":1,\"signalId\":\"s\"}");
    Http.Reply updated =
        http.post(workflow("asked", "update", "limit"), "{\"payload\":5,\"updateId\":\"u\"}");
    assertThat(updated.status()).as(updated.body().toString()).isEqualTo(200);
    assertThat(updated.body().get("result").asInt()).isEqualTo(5);
    assertThat(http.post(workflow("asked", "query", "items")).body().at("/result/limit").asInt())
        .isEqualTo(5);
    Http.Reply refused = http.post(workflow("asked", "update", "limit"), "{\"payload\":0}");
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.code()).isEqualTo("UpdateFailed");
    assertThat(http.post(workflow("asked", "query", "none")).code()).isEqualTo("QueryNotFound");
    assertThat(http.post(workflow("asked", "query", "broken")).code()).isEqualTo("QueryFailed");
  }

  @Test
  void aWorkflowThatHasEndedAnswersQueries() {
    begin("ended");
    http.post(workflow("ended", "update", "limit"), "{\"payload\":7,\"updateId\":\"u\"}");
    http.post(workflow("ended", "terminate"), "{\"reason\":\"enough\"}");
    Http.Reply asked = http.post(workflow("ended", "query", "items"));
    assertThat(asked.status()).as(asked.body().toString()).isEqualTo(200);
    assertThat(asked.body().at("/result/limit").asInt()).isEqualTo(7);
    assertThat(http.post(workflow("ended", "query", "none")).code()).isEqualTo("QueryNotFound");
  }

  @Test
  void operatorsHoldResumeAndEndWorkflows() {
    begin("held");
    assertThat(applied(http.post(workflow("held", "pause"), "{\"reason\":\"look\"}"))).isTrue();
    assertThat(http.get(workflow("held")).text("status")).isEqualTo("paused");
    assertThat(applied(http.post(workflow("held", "pause")))).isFalse();
    assertThat(applied(http.post(workflow("held", "resume")))).isTrue();
    assertThat(applied(http.post(workflow("held", "terminate"), "{\"reason\":\"enough\"}")))
        .isTrue();
    Http.Reply late = http.post(workflow("held", "cancel"));
    assertThat(late.status()).isEqualTo(409);
    assertThat(late.code()).isEqualTo("WorkflowClosed");
    assertThat(http.get(workflow("held", "result")).text("reason")).isEqualTo("enough");
  }

  private static boolean applied(Http.Reply reply) {
    assertThat(reply.status()).as(reply.body().toString()).isEqualTo(200);
    return reply.body().get("applied").asBoolean();
  }

  @Test
  void listsAreCutIntoPagesByCursors() {
    for (int i = 0; i < 5; i++) {
      http.post(
          "/api/v1/workflows",
          "{\"type\":\"basket\",\"id\":\"listed-%d\",\"attributes\":{\"group\":\"g\",\"n\":%d}}"
              .formatted(i, i));
    }
    String filter = "attributes=%7B%22group%22:%22g%22%7D&limit=2";
    Http.Reply first = http.get("/api/v1/workflows?" + filter);
    assertThat(first.status()).as(first.body().toString()).isEqualTo(200);
    assertThat(first.body().at("/workflows/0/workflowId").asText()).isEqualTo("listed-4");
    Http.Reply second = http.get("/api/v1/workflows?" + filter + "&cursor=" + first.text("next"));
    assertThat(second.body().at("/workflows/0/workflowId").asText()).isEqualTo("listed-2");
    Http.Reply third = http.get("/api/v1/workflows?" + filter + "&cursor=" + second.text("next"));
    assertThat(third.body().get("workflows").size()).isEqualTo(1);
    assertThat(third.body().has("next")).isFalse();
    assertThat(http.get("/api/v1/workflows?cursor=nonsense").code()).isEqualTo("InvalidCursor");
    assertThat(http.get("/api/v1/workflows?status=waiting,paused&type=basket").status())
        .isEqualTo(200);
  }

  @Test
  void aWorkflowIsStartedWhereThereIsNoneToSignal() {
    String body =
        "{\"type\":\"basket\",\"id\":\"both\",\"signal\":{\"name\":\"item\",\"payload\":1,\"signalId\":\"%s\"}}";
    Http.Reply first = http.post("/api/v1/workflows/start-or-signal", body.formatted("a"));
    assertThat(first.status()).as(first.body().toString()).isEqualTo(200);
    assertThat(first.body().get("started").asBoolean()).isTrue();
    Http.Reply second = http.post("/api/v1/workflows/start-or-signal", body.formatted("b"));
    assertThat(second.body().get("started").asBoolean()).isFalse();
    Http.Reply again = http.post("/api/v1/workflows/start-or-signal", body.formatted("a"));
    assertThat(again.body().get("signal")).isEqualTo(first.body().get("signal"));
  }

  @Test
  void whatIsNotThereIsSaidSo() {
    assertThat(http.get(workflow("nobody")).code()).isEqualTo("WorkflowNotFound");
    assertThat(http.get(workflow("nobody", "result")).code()).isEqualTo("WorkflowNotFound");
    assertThat(http.with("Prefer", "wait=1").get(workflow("nobody", "result")).code())
        .isEqualTo("WorkflowNotFound");
    assertThat(http.get(workflow("nobody", "history")).code()).isEqualTo("WorkflowNotFound");
    assertThat(http.post(workflow("nobody", "signal", "item")).code())
        .isEqualTo("WorkflowNotFound");
    assertThat(http.post(workflow("nobody", "cancel")).code()).isEqualTo("WorkflowNotFound");
    assertThat(http.get("/api/v1/nothing").code()).isEqualTo("NoSuchRoute");
    Http.Reply wrong = http.get(workflow("nobody", "cancel"));
    assertThat(wrong.status()).isEqualTo(405);
    assertThat(wrong.header("Allow")).isEqualTo("POST");
  }

  @Test
  void aResultCanBeWaitedForAndMissed() {
    begin("slow");
    Http.Reply yet = http.with("Prefer", "wait=1").get(workflow("slow", "result"));
    assertThat(yet.status()).isEqualTo(202);
    assertThat(yet.body().get("ended").asBoolean()).isFalse();
    Http.Reply strict =
        http.with("Prefer", "wait=1, handling=strict").get(workflow("slow", "result"));
    assertThat(strict.status()).isEqualTo(408);
    assertThat(strict.code()).isEqualTo("ResultTimeout");
    http.post("/api/v1/workflows", "{\"type\":\"failing\",\"id\":\"fails\"}");
    Http.Reply failed = http.with("Prefer", "wait=30").get(workflow("fails", "result"));
    assertThat(failed.body().at("/failure/code").asText()).isEqualTo("no-stock");
    assertThat(failed.body().toString()).doesNotContain("stack");
  }

  @Test
  void theSameThingsGoOverJsonRpc() {
    Http.Reply started =
        http.rpc("\"a\"", "workflows.start", "{\"type\":\"basket\",\"id\":\"rpc-1\"}");
    assertThat(started.status()).isEqualTo(200);
    assertThat(started.body().get("id").asText()).isEqualTo("a");
    assertThat(started.body().at("/result/workflowId").asText()).isEqualTo("rpc-1");
    String signal = "{\"workflowId\":\"rpc-1\",\"signalName\":\"item\",\"payload\":\"done\"}";
    assertThat(http.rpc("workflows.signal", signal).body().at("/result/accepted").asBoolean())
        .isTrue();
    assertThat(
            http.rpc("workflows.result", "{\"workflowId\":\"rpc-1\",\"wait\":30}")
                .body()
                .at("/result/status")
                .asText())
        .isEqualTo("completed");
    assertThat(
            http.rpc("workflows.get", "{\"workflowId\":\"none\"}").body().at("/error/code").asInt())
        .isEqualTo(-32020);
    assertThat(
            http.post("/api/jsonrpc", "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"rpc.discover\"}")
                .body()
                .at("/result/methods")
                .size())
        .isGreaterThan(10);
  }

  @Test
  void theDescriptionIsServed() {
    assertThat(http.get("/api/openapi.json").body().at("/openapi").asText()).isEqualTo("3.1.0");
    assertThat(http.get("/docs/nothing").status()).isEqualTo(404);
  }
}
