package dev.tenure.http;

import static dev.tenure.http.Http.workflow;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tenure.persistence.storage.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The contract of signals, over REST and JSON-RPC alike. */
class SignalContractTest {
  private static final String RPC_SIGNAL =
      "{\"workflowId\":%s,\"signalName\":%s,\"signalId\":%s,\"payload\":%s}";

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

  private static void begin(Http door, String id) {
    Http.Reply started =
        door.post("/api/v1/workflows", "{\"type\":\"basket\",\"id\":%s}".formatted(quoted(id)));
    assertThat(started.status()).as(started.body().toString()).isEqualTo(201);
  }

  private static String quoted(String text) {
    return Http.JSON.valueToTree(text).toString();
  }

  private static Http.Reply rest(Http door, String id, String name, String signalId, String json) {
    return door.post(
        workflow(id, "signal", name),
        "{\"signalId\":%s,\"payload\":%s}".formatted(quoted(signalId), json));
  }

  private static Http.Reply rpc(Http door, String callId, String id, String signalId, String json) {
    return door.rpc(
        callId,
        "workflows.signal",
        RPC_SIGNAL.formatted(quoted(id), quoted("item"), quoted(signalId), json));
  }

  private long inboxEver(String id) {
    return served.count(
        "SELECT signals FROM workflow_all WHERE id = '" + id.replace("'", "''") + "'");
  }

  @Test
  void aDuplicateGetsTheFirstAnswerOverEveryTransport() {
    begin(http, "replayed");
    Http.Reply first = rest(http, "replayed", "item", "s-1", "1");
    assertThat(first.status()).isEqualTo(200);
    JsonNode canonical = first.body();
    assertThat(canonical.get("accepted").asBoolean()).isTrue();
    assertThat(canonical.get("signalId").asText()).isEqualTo("s-1");
    assertThat(canonical.get("signalStorageKey").asText()).isEqualTo("sig:replayed:item:s-1");

    assertThat(rest(http, "replayed", "item", "s-1", "1").body()).isEqualTo(canonical);
    // The payload does not make it another signal: the tuple does.
    assertThat(rest(http, "replayed", "item", "s-1", "2").body()).isEqualTo(canonical);
    Http.Reply second = rpc(http, "17", "replayed", "s-1", "1");
    assertThat(second.body().get("result")).isEqualTo(canonical);
    assertThat(second.body().get("id").asInt()).isEqualTo(17);
    Http.Reply third = rpc(http, "\"another\"", "replayed", "s-1", "1");
    assertThat(third.body().get("result")).isEqualTo(canonical);
    assertThat(third.body().get("id").asText()).isEqualTo("another");
    assertThat(inboxEver("replayed")).isEqualTo(1);

    JsonNode overRpc = rpc(http, "1", "replayed", "s-2", "1").body().get("result");
    assertThat(rest(http, "replayed", "item", "s-2", "1").body()).isEqualTo(overRpc);
  }

  @Test
  void aDuplicateIsAnsweredAfterItsWorkflowClosedAndANewSignalIsNot() {
    begin(http, "ended");
    JsonNode canonical = rest(http, "ended", "item", "last", "\"done\"").body();
    http.with("Prefer", "wait=30").get(workflow("ended", "result"));
    assertThat(rest(http, "ended", "item", "last", "\"done\"").body()).isEqualTo(canonical);
    Http.Reply late = rest(http, "ended", "item", "later", "1");
    assertThat(late.status()).isEqualTo(409);
    assertThat(late.code()).isEqualTo("WorkflowClosed");
    assertThat(rpc(http, "1", "ended", "later", "1").body().at("/error/code").asInt())
        .isEqualTo(-32021);
  }

  @Test
  void withoutAnIdEverySignalIsAnother() {
    begin(http, "anonymous");
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < 3; i++) {
      ids.add(
          http.post(workflow("anonymous", "signal", "item"), "{\"payload\":1}").text("signalId"));
    }
    assertThat(ids).hasSize(3);
    assertThat(inboxEver("anonymous")).isEqualTo(3);
  }

  @Test
  void anIdempotencyKeyIsTheSignalsIdAndHoldsForOnePayload() {
    begin(http, "keyed");
    String path = workflow("keyed", "signal", "item");
    Http keyed = http.with("Idempotency-Key", "k-1");
    JsonNode canonical = keyed.post(path, "{\"payload\":{\"a\":1}}").body();
    assertThat(canonical.get("signalId").asText()).isEqualTo("k-1");
    assertThat(keyed.post(path, "{\"payload\":{\"a\":1}}").body()).isEqualTo(canonical);
    assertThat(rest(http, "keyed", "item", "k-1", "{\"a\":1}").body()).isEqualTo(canonical);
    Http.Reply other = keyed.post(path, "{\"payload\":{\"a\":2}}");
    assertThat(other.status()).isEqualTo(409);
    assertThat(other.code()).isEqualTo("IdempotencyKeyReused");
    Http.Reply torn = keyed.post(path, "{\"payload\":1,\"signalId\":\"k-2\"}");
    assertThat(torn.status()).isEqualTo(400);
    assertThat(torn.body().at("/errors/0/pointer").asText()).isEqualTo("/signalId");
    assertThat(inboxEver("keyed")).isEqualTo(1);
  }

  @Test
  void idsThatACarelessEncodingWouldMergeStayApart() {
    // Workflow, name, id: each pair would be one key without escapes, or after a repair.
    String[][] pairs = {
      {"a:b", "c", "d"}, {"a", "b:c", "d"},
      {"a", "b", "c:d"}, {"a%3Ab", "c", "d"},
      {"a/b", "c", "d"}, {"a%2Fb", "c", "d"},
      {"é", "c", "d"}, {"e\u0301", "c", "d"},
      {"A", "c", "d"}, {"a", "c", "d"},
      {"a", "c", " d"}, {"a", "c", "d "},
      {"a+b", "c", "d"}, {"a b", "c", "d"},
      {"..", "c", "d"}, {".", "c", "d"},
      {"a\u0000b", "c", "d"}, {"a%00b", "c", "d"},
      {"x?y", "c", "d"}, {"x#y", "c", "d"},
      {"'; DROP TABLE workflow; --", "c", "d"}, {"\u0430", "c", "d"},
    };
    Set<String> keys = new HashSet<>();
    Set<String> begun = new HashSet<>();
    for (String[] tuple : pairs) {
      if (begun.add(tuple[0])) begin(http, tuple[0]);
      Http.Reply accepted = rest(http, tuple[0], tuple[1], tuple[2], "1");
      assertThat(accepted.status()).as(String.join("|", tuple)).isEqualTo(200);
      assertThat(accepted.text("workflowId")).isEqualTo(tuple[0]);
      assertThat(accepted.text("signalName")).isEqualTo(tuple[1]);
      assertThat(accepted.text("signalId")).isEqualTo(tuple[2]);
      keys.add(accepted.text("signalStorageKey"));
      assertThat(http.get(workflow(tuple[0])).text("workflowId")).isEqualTo(tuple[0]);
    }
    assertThat(keys).hasSize(pairs.length);
  }

  @Test
  void anIdMayHave128BytesAndNotOneMore() {
    begin(http, "sizes");
    String most = "é".repeat(64);
    assertThat(rest(http, "sizes", "unread", most, "1").status()).isEqualTo(200);
    String before = served.stored();
    for (String wrong : List.of(quoted(most + "x"), "\"\"", "7", "true", "[]", "{}")) {
      Http.Reply refused =
          http.post(
              workflow("sizes", "signal", "item"),
              "{\"signalId\":%s,\"payload\":1}".formatted(wrong));
      assertThat(refused.status()).as(wrong).isEqualTo(400);
      assertThat(refused.code()).isEqualTo("InvalidRequest");
      assertThat(refused.body().at("/errors/0/pointer").asText()).isEqualTo("/signalId");
      Http.Reply overRpc =
          http.rpc(
              "workflows.signal",
              "{\"workflowId\":\"sizes\",\"signalName\":\"item\",\"signalId\":%s}"
                  .formatted(wrong));
      assertThat(overRpc.body().at("/error/code").asInt()).as(wrong).isEqualTo(-32602);
      assertThat(overRpc.body().at("/error/data/errors/0/pointer").asText())
          .isEqualTo("/params/signalId");
    }
    assertThat(served.stored()).isEqualTo(before);
  }

  @Test
  void aPayloadWithoutItsAnswerIsIndeterminateOnAllTransports() {
    begin(http, "torn");
    // Its code waits for another name, so the payload stays where it is.
    rest(http, "torn", "unread", "lost", "\"secret-payload\"");
    served.change("DELETE FROM signal_response WHERE workflow_id = 'torn'");
    String before = served.stored();
    Http.Reply rest = rest(http, "torn", "unread", "lost", "\"secret-payload\"");
    assertThat(rest.status()).isEqualTo(409);
    assertThat(rest.code()).isEqualTo("SignalAcceptanceIndeterminate");
    checkIndeterminate(rest.body());
    Http.Reply overRpc =
        http.rpc(
            "workflows.signal",
            RPC_SIGNAL.formatted("\"torn\"", "\"unread\"", "\"lost\"", "\"secret-payload\""));
    assertThat(overRpc.body().at("/error/code").asInt()).isEqualTo(-32021);
    assertThat(overRpc.body().at("/error/data/code").asText())
        .isEqualTo("SignalAcceptanceIndeterminate");
    checkIndeterminate(overRpc.body().at("/error/data"));
    assertThat(served.stored()).isEqualTo(before);
  }

  private static void checkIndeterminate(JsonNode fault) {
    assertThat(fault.get("workflowId").asText()).isEqualTo("torn");
    assertThat(fault.get("signalName").asText()).isEqualTo("unread");
    assertThat(fault.get("signalId").asText()).isEqualTo("lost");
    assertThat(fault.get("correlationId").asText()).isNotEmpty();
    assertThat(fault.toString()).doesNotContain("secret-payload");
  }

  @Test
  void afterItsRetentionAnIdIsNewAgain() {
    try (Served forgetful = Served.withRetention(Duration.ZERO)) {
      begin(forgetful.http(), "brief");
      JsonNode first = rest(forgetful.http(), "brief", "item", "s", "1").body();
      JsonNode second = rest(forgetful.http(), "brief", "item", "s", "1").body();
      assertThat(second.get("acceptedAt")).isNotEqualTo(first.get("acceptedAt"));
      assertThat(forgetful.count("SELECT signals FROM workflow_all WHERE id = 'brief'"))
          .isEqualTo(2);
    }
  }

  @Test
  void ofSimultaneousDuplicatesOnTwoNodesOneIsStoredAndAllHearOfIt() throws Exception {
    try (TestDatabase database = TestDatabase.migrated();
        Served one = Served.start(database);
        Served two = Served.start(database)) {
      begin(one.http(), "raced");
      for (int round = 0; round < 10; round++) {
        String signalId = "s:" + round;
        CountDownLatch go = new CountDownLatch(1);
        List<CompletableFuture<JsonNode>> answers = new ArrayList<>();
        for (Served node : List.of(one, two, one, two)) {
          answers.add(atOnce(go, () -> rest(node.http(), "raced", "item", signalId, "1").body()));
          answers.add(
              atOnce(go, () -> rpc(node.http(), "5", "raced", signalId, "1").body().get("result")));
        }
        go.countDown();
        Set<JsonNode> heard = new HashSet<>();
        for (CompletableFuture<JsonNode> answer : answers) heard.add(answer.get());
        assertThat(heard).hasSize(1);
        assertThat(heard.iterator().next().get("accepted").asBoolean()).isTrue();
      }
      assertThat(one.count("SELECT signals FROM workflow_all WHERE id = 'raced'")).isEqualTo(10);
    }
  }

  private static <T> CompletableFuture<T> atOnce(CountDownLatch go, Supplier<T> work) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            go.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return work.get();
        },
        task -> Thread.ofVirtual().start(task));
  }

  @Test
  void anAnswerIsReplayedAfterARestart() {
    try (TestDatabase database = TestDatabase.migrated()) {
      JsonNode first;
      try (Served before = Served.start(database)) {
        begin(before.http(), "survivor");
        first = rest(before.http(), "survivor", "item", "s", "1").body();
      }
      try (Served after = Served.start(database)) {
        assertThat(rest(after.http(), "survivor", "item", "s", "1").body()).isEqualTo(first);
        assertThat(rpc(after.http(), "2", "survivor", "s", "1").body().get("result"))
            .isEqualTo(first);
        assertThat(after.count("SELECT signals FROM workflow_all WHERE id = 'survivor'"))
            .isEqualTo(1);
      }
    }
  }
}
