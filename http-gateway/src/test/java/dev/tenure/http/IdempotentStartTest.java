package dev.tenure.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One key starts one workflow (I5). */
class IdempotentStartTest {
  private static final String PATH = "/api/v1/workflows";
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

  @Test
  void theSameRequestGetsTheFirstAnswerAgain() {
    Http keyed = http.with("Idempotency-Key", "order:17");
    String body = "{\"type\":\"basket\",\"input\":{\"a\":1,\"b\":[2]}}";
    Http.Reply first = keyed.post(PATH, body);
    assertThat(first.status()).as(first.body().toString()).isEqualTo(201);
    // Written otherwise, and the same.
    Http.Reply again =
        keyed.post(PATH, "{ \"input\": {\"b\": [2.0], \"a\": 1}, \"type\": \"bas\\u006bet\" }");
    assertThat(again.status()).as(again.body().toString()).isEqualTo(201);
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(again.header("Location")).isEqualTo(first.header("Location"));
    Http.Reply overRpc =
        http.rpc(
            "workflows.start",
            "{\"type\":\"basket\",\"input\":{\"a\":1,\"b\":[2]},\"idempotencyKey\":\"order:17\"}");
    assertThat(overRpc.body().get("result")).isEqualTo(first.body());
  }

  @Test
  void anotherRequestUnderTheSameKeyIsAConflictAndStartsNothing() {
    Http keyed = http.with("Idempotency-Key", "order:18");
    String id = keyed.post(PATH, "{\"type\":\"basket\",\"id\":\"first\"}").text("workflowId");
    String before = served.stored();
    for (String other :
        List.of(
            "{\"type\":\"basket\",\"id\":\"second\"}",
            "{\"type\":\"basket\"}",
            "{\"type\":\"echo\",\"id\":\"first\"}",
            "{\"type\":\"basket\",\"id\":\"first\",\"input\":0}",
            "{\"type\":\"basket\",\"id\":\"first\",\"attributes\":{\"a\":1}}",
            "{\"type\":\"basket\",\"id\":\"first\",\"executionTimeout\":\"PT1H\"}")) {
      Http.Reply refused = keyed.post(PATH, other);
      assertThat(refused.status()).as(other).isEqualTo(409);
      assertThat(refused.code()).isEqualTo("IdempotencyKeyReused");
      assertThat(refused.text("workflowId")).isEqualTo(id);
    }
    assertThat(served.stored()).isEqualTo(before);
  }

  @Test
  void aKeyDoesNotTakeAnIdThatSomebodyElseHas() {
    http.post(PATH, "{\"type\":\"basket\",\"id\":\"owned\"}");
    Http.Reply refused =
        http.with("Idempotency-Key", "order:19")
            .post(PATH, "{\"type\":\"basket\",\"id\":\"owned\"}");
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.code()).isEqualTo("WorkflowAlreadyExists");
  }

  @Test
  void ofSimultaneousStartsWithOneKeyAllGetTheSameWorkflow() {
    List<CompletableFuture<Http.Reply>> answers = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      answers.add(
          CompletableFuture.supplyAsync(
              () ->
                  http.with("Idempotency-Key", "order:20")
                      .post(PATH, "{\"type\":\"basket\",\"input\":7}"),
              task -> Thread.ofVirtual().start(task)));
    }
    Set<String> runs = new HashSet<>();
    for (CompletableFuture<Http.Reply> answer : answers) {
      assertThat(answer.join().status()).as(answer.join().body().toString()).isEqualTo(201);
      runs.add(answer.join().text("workflowId") + answer.join().text("runId"));
    }
    assertThat(runs).hasSize(1);
  }

  @Test
  void aTraceIsKeptWithItsWorkflowAndIsNoPartOfTheRequest() {
    String trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    Http keyed = http.with("Idempotency-Key", "order:21");
    String id =
        keyed.with("traceparent", trace).post(PATH, "{\"type\":\"basket\"}").text("workflowId");
    assertThat(http.get(Http.workflow(id)).body().at("/attributes/traceparent").asText())
        .isEqualTo(trace);
    assertThat(keyed.post(PATH, "{\"type\":\"basket\"}").text("workflowId")).isEqualTo(id);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "none",
        "",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01 x"
      })
  void aMalformedTraceCountsAsNoneAndRefusesNothing(String trace) {
    Http.Reply started = http.with("traceparent", trace).post(PATH, "{\"type\":\"basket\"}");
    assertThat(started.status()).isEqualTo(201);
    assertThat(
            http.get(Http.workflow(started.text("workflowId")))
                .body()
                .at("/attributes")
                .has("traceparent"))
        .isFalse();
  }

  @Test
  void aSignalsTraceStandsInTheHistory() {
    http.post(PATH, "{\"type\":\"basket\",\"id\":\"hears\"}");
    String trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    http.with("traceparent", trace)
        .post(Http.workflow("hears", "signal", "item"), "{\"payload\":\"done\"}");
    http.with("Prefer", "wait=30").get(Http.workflow("hears", "result"));
    assertThat(http.get(Http.workflow("hears", "history")).body().toString())
        .contains("\"traceparent\":\"" + trace + "\"");
  }

  @Test
  void aPayloadReachesTheWorkflowAsItWasSent() {
    String input = "{\"z\": 1.10, \"a\":-0.0,\"n\":9223372036854775807, \"t\":\"\\u0000é\"}";
    http.post(PATH, "{\"type\":\"basket\",\"id\":\"verbatim\",\"input\":%s}".formatted(input));
    String history =
        new String(
            http.get(Http.workflow("verbatim", "history")).raw().body(),
            java.nio.charset.StandardCharsets.UTF_8);
    assertThat(history).contains("\"input\":" + input);
  }
}
