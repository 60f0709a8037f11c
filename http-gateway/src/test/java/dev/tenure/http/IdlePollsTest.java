package dev.tenure.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.http.access.Throttle;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Workers that wait for tasks on a node that lets in few requests at once. */
class IdlePollsTest {
  private Served served;
  private Http http;

  @BeforeEach
  void start() {
    served = Served.start(given -> given.withLimits(new Throttle.Limits(10_000, 10_000, 2, 2)));
    http = served.http();
  }

  @AfterEach
  void stop() {
    served.close();
  }

  private Http.Reply take(String queue, int waitSeconds) {
    return http.post(
        "/api/v1/queues/" + queue + "/tasks/take",
        "{\"worker\":\"w\",\"waitSeconds\":%d}".formatted(waitSeconds));
  }

  private List<CompletableFuture<Http.Reply>> idle(int count) {
    // The node's own workers wait, too.
    int before = served.node.tasks().waiting();
    List<CompletableFuture<Http.Reply>> polls =
        IntStream.range(0, count)
            .mapToObj(
                i ->
                    CompletableFuture.supplyAsync(
                        () -> take("idle", 60), task -> Thread.ofVirtual().start(task)))
            .toList();
    Await.until(() -> served.node.tasks().waiting() >= before + count);
    return polls;
  }

  @Test
  void theReportsOfBusyWorkersAreHeardHoweverManyWaitForTasks() {
    List<CompletableFuture<Http.Reply>> polls = idle(2);
    served.storage.tasks().offer(Offers.on("busy", "b-1"));
    String token = take("busy", 0).body().at("/tasks/0/token").asText();
    String report = "{\"tasks\":[{\"token\":\"%s\",\"result\":7}]}".formatted(token);
    for (String word : List.of("heartbeat", "complete")) {
      String body = word.equals("complete") ? report : report.replace(",\"result\":7", "");
      Http.Reply reply = http.post("/api/v1/tasks/" + word, body);
      assertThat(reply.status()).as(reply.body().toString()).isEqualTo(200);
      assertThat(reply.body().at("/tasks/0/accepted").asBoolean()).isTrue();
    }
    assertThat(polls).noneMatch(CompletableFuture::isDone);
  }

  @Test
  void pollsThatWaitHaveALimitOfTheirOwnAndGiveTheirPlaceBack() {
    List<CompletableFuture<Http.Reply>> polls = idle(2);
    Http.Reply third = take("idle", 60);
    assertThat(third.status()).as(third.body().toString()).isEqualTo(503);
    assertThat(third.text("limit")).isEqualTo("WAITING_IN_ALL");
    assertThat(third.header("Retry-After")).isEqualTo("1");
    served.storage.tasks().offer(Offers.on("idle", "i-1"));
    served.node.tasks().offered(Set.of("idle"));
    CompletableFuture.anyOf(polls.toArray(CompletableFuture[]::new))
        .orTimeout(30, TimeUnit.SECONDS)
        .join();
    Http.Reply next = take("idle", 1);
    assertThat(next.status()).as(next.body().toString()).isEqualTo(200);
  }

  private static String call(String id) {
    return "{\"jsonrpc\":\"2.0\"%s,\"method\":\"tenure.tasks.take\",\"params\":{\"queue\":\"rpc\",\"worker\":\"w\"}}"
        .formatted(id);
  }

  @Test
  void aTakeWhoseAnswerNobodyHearsAtOnceTakesNothing() {
    served.storage.tasks().offer(Offers.on("rpc", "r-1"));
    Http.Reply notification = http.post("/api/jsonrpc", call(""));
    assertThat(notification.body().at("/error/code").asInt()).isEqualTo(-32600);
    Http.Reply batch = http.post("/api/jsonrpc", "[" + call(",\"id\":1") + "]");
    assertThat(batch.body().at("/0/error/code").asInt()).isEqualTo(-32600);
    assertThat(batch.body().at("/0/error/message").asText()).isNotEmpty();
    assertThat(batch.body().at("/0/id").asInt()).isEqualTo(1);
    Http.Reply alone = http.post("/api/jsonrpc", call(",\"id\":2"));
    assertThat(alone.body().at("/result/tasks")).as(alone.body().toString()).hasSize(1);
  }
}
