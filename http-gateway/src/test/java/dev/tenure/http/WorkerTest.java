package dev.tenure.http;

import static dev.tenure.http.Http.workflow;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tenure.persistence.task.TaskOffer;
import dev.tenure.persistence.task.TaskStanding;
import dev.tenure.persistence.task.TaskToken;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.sharding.task.TaskTokenText;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Failure.OutsideEffect;
import dev.tenure.workflow.operation.Outcome;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks on their way to workers and back, over HTTP and a real database. */
class WorkerTest {
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

  private static void offer(TaskOffer... offers) {
    for (TaskOffer offer : offers) served.storage.tasks().offer(offer);
  }

  private static Http.Reply take(String queue, String more) {
    return http.post(
        "/api/v1/queues/" + queue + "/tasks/take", "{\"worker\":\"w-1\"%s}".formatted(more));
  }

  private static JsonNode one(String queue) {
    Http.Reply reply = take(queue, "");
    assertThat(reply.status()).as(reply.body().toString()).isEqualTo(200);
    assertThat(reply.body().get("tasks")).hasSize(1);
    return reply.body().at("/tasks/0");
  }

  private static String token(JsonNode task) {
    return task.get("token").asText();
  }

  /** The answer to one report. */
  private static JsonNode report(String word, String token, String more) {
    Http.Reply reply =
        http.post(
            "/api/v1/tasks/" + word, "{\"tasks\":[{\"token\":\"%s\"%s}]}".formatted(token, more));
    assertThat(reply.status()).as(reply.body().toString()).isEqualTo(200);
    assertThat(reply.body().get("tasks")).hasSize(1);
    return reply.body().at("/tasks/0");
  }

  private static void accepted(JsonNode answer) {
    assertThat(answer.get("accepted").asBoolean()).as(answer.toString()).isTrue();
    assertThat(answer.has("error")).isFalse();
  }

  private static void rejected(JsonNode answer, String code) {
    assertThat(answer.get("accepted").asBoolean()).as(answer.toString()).isFalse();
    assertThat(answer.at("/error/code").asText()).isEqualTo(code);
    assertThat(answer.at("/error/detail").asText()).isNotEmpty();
  }

  private static Outcome outcome(String workflow) {
    TaskStanding standing =
        served.storage.tasks().standing(List.of(Offers.id(workflow))).getFirst().orElseThrow();
    return ((TaskStanding.Done) standing).outcome();
  }

  @Test
  void aTaskComesWithAllThatAWorkerNeeds() {
    Instant deadline = Instant.parse("2099-01-01T00:00:00Z");
    offer(Offers.full("full", "order:17", deadline));
    Instant before = Instant.now();
    JsonNode task = one("full");
    assertThat(task.get("workflowId").asText()).isEqualTo("order:17");
    assertThat(task.get("runId").asText()).isEqualTo("run-1");
    assertThat(task.get("operationId").asText()).isEqualTo("send#1");
    assertThat(task.get("attempt").asInt()).isEqualTo(2);
    assertThat(task.get("delivery").asInt()).isEqualTo(1);
    assertThat(task.get("activity").asText()).isEqualTo("send");
    assertThat(task.get("input").toString()).isEqualTo("{\"n\":1.5,\"z\":[]}");
    assertThat(task.get("idempotencyKey").asText()).isEqualTo("tenure:order%3A17:run-1:send#1");
    assertThat(task.get("attemptKey").asText()).isEqualTo("tenure:order%3A17:send#1:2");
    assertThat(task.get("declaredKey").asText()).isEqualTo("order-17");
    assertThat(Instant.parse(task.get("deadline").asText())).isEqualTo(deadline);
    assertThat(Instant.parse(task.get("visibleUntil").asText()))
        .isBetween(before, before.plusSeconds(60));
    assertThat(task.get("heartbeatTimeoutMs").asInt()).isEqualTo(12_000);
    assertThat(task.get("attemptTimeoutMs").asInt()).isEqualTo(300_000);
    assertThat(task.get("traceparent").asText())
        .isEqualTo("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
    assertThat(task.has("details")).isFalse();
  }

  @Test
  void aPollTakesAtMostWhatItWantsAndOnlyWhatItCanRun() {
    for (int i = 0; i < 5; i++) offer(Offers.on("some", "some-" + i));
    assertThat(take("some", ",\"max\":3").body().get("tasks")).hasSize(3);
    assertThat(take("some", ",\"activities\":[\"print\"],\"max\":3").body().get("tasks")).isEmpty();
    assertThat(take("some", ",\"activities\":[\"print\",\"send\"],\"max\":9").body().get("tasks"))
        .hasSize(2);
  }

  @Test
  void aPollWaitsForATaskToCome() {
    CompletableFuture<Http.Reply> poll =
        CompletableFuture.supplyAsync(() -> take("long", ",\"waitSeconds\":60"));
    Await.until(() -> served.node.tasks().waiting() > 0);
    offer(Offers.on("long", "long-1"));
    served.node.tasks().offered(Set.of("long"));
    assertThat(poll.orTimeout(30, TimeUnit.SECONDS).join().body().get("tasks")).hasSize(1);
    assertThat(take("long", ",\"waitSeconds\":1").body().get("tasks")).isEmpty();
  }

  @Test
  void aWorkerThatGoesAwayWhileItWaitsLosesNoTask() throws IOException {
    String body = "{\"worker\":\"gone\",\"waitSeconds\":60}";
    // The node's own workers wait, too.
    int before = served.node.tasks().waiting();
    try (Socket socket = new Socket(served.uri.getHost(), served.uri.getPort())) {
      socket
          .getOutputStream()
          .write(
              ("POST /api/v1/queues/gone/tasks/take HTTP/1.1\r\nHost: x\r\n"
                      + "Content-Type: application/json\r\nContent-Length: "
                      + body.length()
                      + "\r\n\r\n"
                      + body)
                  .getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().flush();
      Await.until(() -> served.node.tasks().waiting() > before);
      // Takes from one queue come one after the other: when this one is answered, that of the poll
      // has found nothing, and the poll waits in memory. A take that is still under way could get
      // the task for the worker that left. It is given back then, and delivered a second time.
      assertThat(take("gone", "").body().get("tasks")).isEmpty();
    }
    Await.until(() -> served.node.tasks().waiting() <= before);
    offer(Offers.on("gone", "gone-1"));
    served.node.tasks().offered(Set.of("gone"));
    JsonNode task = one("gone");
    assertThat(task.get("workflowId").asText()).isEqualTo("gone-1");
    assertThat(task.get("delivery").asInt()).as("nobody had it before").isEqualTo(1);
  }

  @Test
  void anOutcomeIsRecordedOnceAndARepetitionGetsTheSameAnswer() {
    offer(Offers.on("once", "once-1"));
    String token = token(one("once"));
    accepted(report("complete", token, ",\"result\":{\"id\": 1.50}"));
    accepted(report("complete", token, ",\"result\":{\"id\": 1.50}"));
    rejected(report("complete", token, ",\"result\":2"), "TaskEnded");
    rejected(report("fail", token, ",\"type\":\"T\",\"message\":\"m\""), "TaskEnded");
    Outcome.Succeeded done = (Outcome.Succeeded) outcome("once-1");
    assertThat(PayloadCodec.jsonOf(done.value())).as("as it was sent").isEqualTo("{\"id\": 1.50}");
    assertThat(take("once", "").body().get("tasks")).isEmpty();
  }

  /** All spans are measured by the server's database, whatever time a worker says it is. */
  @ParameterizedTest
  @ValueSource(strings = {"Sat, 01 Jan 2000 00:00:00 GMT", "Thu, 01 Jan 2099 00:00:00 GMT", "soon"})
  void theClockOfAWorkerCountsForNothing(String date) {
    String queue = "clock-" + date.length() + date.charAt(date.length() / 2);
    offer(Offers.on(queue, queue + "-1"));
    Http wrong = http.with("Date", date).with("X-Request-Start", date);
    Http.Reply taken =
        wrong.post("/api/v1/queues/" + queue + "/tasks/take", "{\"worker\":\"late or early\"}");
    JsonNode task = taken.body().at("/tasks/0");
    Instant now = Instant.now();
    Duration slack = Duration.ofMinutes(2);
    assertThat(Instant.parse(task.get("visibleUntil").asText()))
        .isBetween(now.minus(slack), now.plus(slack));
    assertThat(take(queue, "").body().get("tasks")).as("nobody else gets it").isEmpty();
    Http.Reply beaten =
        wrong.post(
            "/api/v1/tasks/heartbeat", "{\"tasks\":[{\"token\":\"%s\"}]}".formatted(token(task)));
    assertThat(Instant.parse(beaten.body().at("/tasks/0/visibleUntil").asText()))
        .isBetween(now.minus(slack), now.plus(slack));
    Http.Reply done =
        wrong.post(
            "/api/v1/tasks/complete", "{\"tasks\":[{\"token\":\"%s\"}]}".formatted(token(task)));
    accepted(done.body().at("/tasks/0"));
    assertThat(outcome(queue + "-1")).isEqualTo(Outcome.DONE);
  }

  @Test
  void nothingIsAResult() {
    offer(Offers.on("null", "null-1"), Offers.on("null", "null-2"));
    accepted(report("complete", token(one("null")), ""));
    accepted(report("complete", token(one("null")), ",\"result\":null"));
    assertThat(outcome("null-1")).isEqualTo(Outcome.DONE);
    assertThat(outcome("null-2")).isEqualTo(Outcome.DONE);
  }

  @Test
  void aFailureSaysAllThatTheEngineHasToKnow() {
    offer(Offers.on("bad", "bad-1"), Offers.on("bad", "bad-2"));
    accepted(report("fail", token(one("bad")), ",\"type\":\"T\",\"message\":\"m\""));
    Failure usual = ((Outcome.Failed) outcome("bad-1")).failure();
    assertThat(usual.type()).isEqualTo("T");
    assertThat(usual.retryable()).isTrue();
    assertThat(usual.outside()).isEqualTo(OutsideEffect.POSSIBLE);
    accepted(
        report(
            "fail",
            token(one("bad")),
            ",\"type\":\"CardDeclined\",\"message\":\"no\",\"code\":\"do-not-honour\",\"stack\":\"at"
                + " x\",\"retryable\":false,\"effect\":\"none\""));
    Failure sure = ((Outcome.Failed) outcome("bad-2")).failure();
    assertThat(sure.code()).contains("do-not-honour");
    assertThat(sure.stackText()).isEqualTo("at x");
    assertThat(sure.retryable()).isFalse();
    assertThat(sure.outside()).isEqualTo(OutsideEffect.NONE);
  }

  @Test
  void aLateTokenIsRejectedWithTheReason() {
    offer(Offers.on("late", "late-1", Duration.ofSeconds(1)));
    String late = token(one("late"));
    JsonNode again = takeAgain("late");
    assertThat(again.get("delivery").asInt()).isEqualTo(2);
    for (String word : List.of("heartbeat", "complete", "return"))
      rejected(report(word, late, ""), "TaskClaimExpired");
    accepted(report("complete", token(again), ""));
  }

  /** Waits until the worker that took it counts as lost. */
  private static JsonNode takeAgain(String queue) {
    Http.Reply reply = take(queue, ",\"waitSeconds\":30");
    assertThat(reply.body().get("tasks")).hasSize(1);
    return reply.body().at("/tasks/0");
  }

  @Test
  void aTaskThatIsOverIsGone() {
    offer(Offers.on("over", "over-1"));
    String token = token(one("over"));
    served.change("DELETE FROM task WHERE queue = 'over'");
    rejected(report("heartbeat", token, ""), "TaskGone");
    rejected(report("complete", token, ""), "TaskGone");
  }

  @Test
  void aTokenThatIsForgedIsOfNoUse() {
    offer(Offers.on("forged", "forged-1"));
    TaskToken real = TaskTokenText.parse(token(one("forged"))).orElseThrow();
    TaskToken guessed = new TaskToken(real.id(), real.attempt(), real.delivery(), "guessed");
    rejected(report("complete", TaskTokenText.of(guessed), ""), "TaskTokenInvalid");
    rejected(report("complete", "x", ""), "TaskTokenInvalid");
    TaskToken foreign = new TaskToken(Offers.id("of another cluster"), 1, 1, real.secret());
    assertThat(report("complete", TaskTokenText.of(foreign), "").get("accepted").asBoolean())
        .isFalse();
    accepted(report("complete", TaskTokenText.of(real), ""));
  }

  @Test
  void eachReportOfARequestHasAnAnswerOfItsOwn() {
    offer(Offers.on("batch", "batch-1"), Offers.on("batch", "batch-2"));
    JsonNode tasks = take("batch", ",\"max\":2").body().get("tasks");
    Http.Reply reply =
        http.post(
            "/api/v1/tasks/complete",
            "{\"tasks\":[{\"token\":\"%s\"},{\"token\":\"no token\"},{\"token\":\"%s\",\"result\":7}]}"
                .formatted(token(tasks.get(0)), token(tasks.get(1))));
    accepted(reply.body().at("/tasks/0"));
    rejected(reply.body().at("/tasks/1"), "TaskTokenInvalid");
    accepted(reply.body().at("/tasks/2"));
    assertThat(http.post("/api/v1/tasks/complete", "{\"tasks\":[]}").body().get("tasks")).isEmpty();
  }

  @Test
  void aTokenTwiceInOneRequestCountsOnce() {
    offer(Offers.on("twice", "twice-1"));
    String token = token(one("twice"));
    Http.Reply reply =
        http.post(
            "/api/v1/tasks/complete",
            "{\"tasks\":[{\"token\":\"%s\",\"result\":1},{\"token\":\"%s\",\"result\":2}]}"
                .formatted(token, token));
    accepted(reply.body().at("/tasks/0"));
    rejected(reply.body().at("/tasks/1"), "TaskEnded");
  }

  @Test
  void heartbeatsKeepATaskAndTheirDetailsReachTheNextDelivery() {
    offer(Offers.on("alive", "alive-1", Duration.ofSeconds(1)));
    String token = token(one("alive"));
    JsonNode answer = report("heartbeat", token, ",\"details\":{\"page\": 7}");
    accepted(answer);
    assertThat(Instant.parse(answer.get("visibleUntil").asText())).isAfter(Instant.now());
    JsonNode again = takeAgain("alive");
    assertThat(again.get("details").toString()).isEqualTo("{\"page\":7}");
  }

  @Test
  void aTaskCanBeKeptForLongerThanUsual() {
    offer(Offers.on("extended", "extended-1", Duration.ofSeconds(1)));
    JsonNode answer = report("extend", token(one("extended")), ",\"seconds\":3600");
    assertThat(Instant.parse(answer.get("visibleUntil").asText()))
        .isAfter(Instant.now().plusSeconds(3_000));
  }

  @Test
  void aTaskThatIsGivenBackGoesToTheNextWorker() {
    offer(Offers.on("back", "back-1"));
    accepted(report("return", token(one("back")), ""));
    assertThat(one("back").get("workflowId").asText()).isEqualTo("back-1");
  }

  @Test
  void queuesOfTheEngineAreNotForWorkers() {
    Http.Reply reply = take("tenure.activity.send", "");
    assertThat(reply.status()).isEqualTo(403);
    assertThat(reply.code()).isEqualTo("QueueForbidden");
  }

  @Test
  void peopleSeeWhatWaitsAndWhatComesBeforeIt() {
    offer(Offers.on("seen", "seen-0"), Offers.on("seen", "seen-1"), Offers.on("seen", "seen-2"));
    one("seen");
    JsonNode view = http.get("/api/v1/queues/seen").body();
    assertThat(view.get("waiting").asInt()).isEqualTo(2);
    assertThat(view.get("taken").asInt()).isEqualTo(1);
    assertThat(view.get("lost").asInt()).isZero();
    assertThat(view.has("oldestAt")).isTrue();
    assertThat(view.at("/keys/0/waiting").asInt()).isEqualTo(2);
    assertThat(http.get("/api/v1/queues?limit=1000").body().toString())
        .contains("{\"queue\":\"seen\"}");

    Http.Reply second = http.get(workflow("seen-2", "tasks", "send#1") + "?runId=run-1");
    assertThat(second.text("state")).isEqualTo("waiting");
    assertThat(second.body().get("position").asInt()).isEqualTo(1);
    Http.Reply first = http.get(workflow("seen-0", "tasks", "send#1") + "?runId=run-1");
    assertThat(first.text("state")).isEqualTo("taken");
    assertThat(first.text("worker")).isEqualTo("w-1");
    Http.Reply none = http.get(workflow("seen-9", "tasks", "send#1") + "?runId=run-1");
    assertThat(none.status()).isEqualTo(404);
    assertThat(none.code()).isEqualTo("TaskNotFound");
    assertThat(http.get(workflow("seen-9", "tasks", "send#1")).code())
        .isEqualTo("WorkflowNotFound");
  }

  @Test
  void theSameThingsAreMethodsOfJsonRpc() {
    offer(Offers.on("rpc", "rpc-1"));
    JsonNode taken =
        http.rpc("tasks.take", "{\"queue\":\"rpc\",\"worker\":\"w\"}").body().at("/result/tasks/0");
    JsonNode done =
        http.rpc("tasks.complete", "{\"tasks\":[{\"token\":\"%s\"}]}".formatted(token(taken)))
            .body();
    assertThat(done.at("/result/tasks/0/accepted").asBoolean()).isTrue();
  }
}
