package dev.tenure.http;

import static dev.tenure.http.Http.workflow;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.http.access.Throttle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** More than a node takes is sent away with the time to come again, and what it took is kept. */
class OverloadTest {
  @Test
  void pastTheLimitOfOpenRequestsAnswersAre503AndItRecoversByItself() {
    try (Served served =
        Served.start(given -> given.withLimits(new Throttle.Limits(10_000, 10_000, 100, 8)))) {
      Http http = served.http();
      http.post("/api/v1/workflows", "{\"type\":\"basket\",\"id\":\"slow\"}");
      List<CompletableFuture<Http.Reply>> waiting = new ArrayList<>();
      for (int i = 0; i < 80; i++) {
        waiting.add(
            CompletableFuture.supplyAsync(
                () -> http.with("Prefer", "wait=5").get(workflow("slow", "result")),
                task -> Thread.ofVirtual().start(task)));
      }
      int refused = 0;
      for (CompletableFuture<Http.Reply> each : waiting) {
        Http.Reply reply = each.join();
        if (reply.status() == 202) continue;
        refused++;
        assertThat(reply.status()).as(reply.body().toString()).isEqualTo(503);
        assertThat(reply.code()).isEqualTo("Overloaded");
        assertThat(reply.header("Retry-After")).isEqualTo("1");
      }
      assertThat(refused).isGreaterThan(40);
      assertThat(http.get(workflow("slow")).status()).isEqualTo(200);
    }
  }

  @Test
  void pastTheRateAnswersAre429() {
    try (Served served =
        Served.start(given -> given.withLimits(new Throttle.Limits(1, 5, 100, 100)))) {
      List<Integer> statuses = new ArrayList<>();
      Http.Reply last = null;
      for (int i = 0; i < 10; i++) {
        last = served.http().get("/api/v1/workflows");
        statuses.add(last.status());
      }
      assertThat(statuses).startsWith(200, 200, 200).contains(429);
      String batch = "[" + "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"id\":1},".repeat(20);
      batch = batch.substring(0, batch.length() - 1) + "]";
      Http.Reply refused = served.http().post("/api/jsonrpc", batch);
      assertThat(refused.status()).isEqualTo(429);
      assertThat(refused.header("Retry-After")).isNotEmpty();
    }
  }
}
