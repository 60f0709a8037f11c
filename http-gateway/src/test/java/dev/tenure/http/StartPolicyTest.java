package dev.tenure.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What becomes of a start when its id is taken. */
class StartPolicyTest {
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

  private static String body(String type, String id, String policy) {
    return "{\"type\":\"%s\",\"id\":\"%s\",\"input\":\"%s\",\"startPolicy\":\"%s\"}"
        .formatted(type, id, policy, policy);
  }

  private static Http.Reply result(String id, String runId) {
    return http.with("Prefer", "wait=30").get(PATH + "/" + id + "/result?runId=" + runId);
  }

  @Test
  void aWorkflowThatHasEndedIsStartedAgain() {
    http.post(PATH, body("echo", "ended", "reject-duplicate"));
    assertThat(result("ended", "").status()).isEqualTo(400);
    assertThat(http.with("Prefer", "wait=30").get(PATH + "/ended/result").status()).isEqualTo(200);
    assertThat(http.post(PATH, body("echo", "ended", "reject-duplicate")).status()).isEqualTo(409);
    Http.Reply again = http.post(PATH, body("echo", "ended", "allow-if-closed"));
    assertThat(again.status()).as(again.body().toString()).isEqualTo(201);
    assertThat(result("ended", again.text("runId")).text("result")).isEqualTo("allow-if-closed");
  }

  @Test
  void eachStartHasItsOwnResultAndAKeyMeansOneRun() {
    Http.Reply first =
        http.with("Idempotency-Key", "policy:1")
            .post(PATH, body("basket", "running", "terminate-if-running"));
    assertThat(http.post(PATH, body("echo", "running", "allow-if-closed")).status()).isEqualTo(409);
    Http.Reply second = http.post(PATH, body("echo", "running", "terminate-if-running"));
    assertThat(second.status()).as(second.body().toString()).isEqualTo(201);
    assertThat(result("running", second.text("runId")).text("status")).isEqualTo("completed");
    assertThat(result("running", first.text("runId")).text("status")).isEqualTo("terminated");
    assertThat(
            http.with("Idempotency-Key", "policy:1")
                .post(PATH, body("basket", "running", "terminate-if-running"))
                .body())
        .isEqualTo(first.body());
    assertThat(
            http.with("Idempotency-Key", "policy:1")
                .post(PATH, body("basket", "running", "allow-if-closed"))
                .code())
        .isEqualTo("IdempotencyKeyReused");
    assertThat(result("running", "no-such-run").status()).isEqualTo(404);
  }

  private static Http.Reply startOrSignal(String policy, String item) {
    return http.post(
        PATH + "/start-or-signal",
        ("{\"type\":\"basket\",\"id\":\"carrier\",\"startPolicy\":\"%s\",\"signal\":"
                + "{\"name\":\"item\",\"signalId\":\"%s\",\"payload\":\"%s\"}}")
            .formatted(policy, item, item));
  }

  @Test
  void aSignalStartsAnEndedWorkflowAgainWhenItIsToldTo() {
    assertThat(startOrSignal("reject-duplicate", "done").body().get("started").asBoolean())
        .isTrue();
    assertThat(http.with("Prefer", "wait=30").get(PATH + "/carrier/result").status())
        .isEqualTo(200);
    assertThat(startOrSignal("reject-duplicate", "one").code()).isEqualTo("WorkflowClosed");
    Http.Reply again = startOrSignal("allow-if-closed", "one");
    assertThat(again.status()).as(again.body().toString()).isEqualTo(200);
    assertThat(again.body().get("started").asBoolean()).isTrue();
    // Sent again: its signal is recognised, and no other run begins.
    assertThat(startOrSignal("allow-if-closed", "one").body().get("started").asBoolean()).isFalse();
    http.post(PATH + "/carrier/signal/item", "{\"payload\":\"done\"}");
    assertThat(
            http.with("Prefer", "wait=30")
                .get(PATH + "/carrier/result")
                .body()
                .at("/result/items/0")
                .asText())
        .isEqualTo("one");
    assertThat(startOrSignal("terminate-if-running", "two").status()).isEqualTo(400);
  }

  @Test
  void aStreamOfEventsShowsEveryRun() {
    http.post(PATH, body("echo", "watched", "reject-duplicate"));
    http.with("Prefer", "wait=30").get(PATH + "/watched/result");
    String runId = http.post(PATH, body("echo", "watched", "allow-if-closed")).text("runId");
    result("watched", runId);
    assertThat(http.get(PATH + "/watched/history").body().toString())
        .contains("started-again")
        .contains(runId);
  }
}
