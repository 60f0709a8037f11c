package dev.tenure.http;

import static dev.tenure.http.Http.workflow;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.http.access.Throttle;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** More than a node takes is sent away with the time to come again, and what it took is kept. */
class OverloadTest {
  private static final int STARTS_EACH = 20;
  private static final long GROWTH_BYTES_MAX = 8 << 20;

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
  void ofTenTimesTooManyStartsNoneThatWasTakenIsLostAndMemoryStaysFlat() {
    int limit = 8;
    try (Served served =
        Served.start(
            given -> given.withLimits(new Throttle.Limits(1_000_000, 1_000_000, limit, limit)))) {
      Crowd crowd = new Crowd(served.uri, limit * 10);
      // What a connection or a class takes once is not the growth that is looked for.
      crowd.rush("warm-up", STARTS_EACH);
      Await.until(() -> ended(served) == crowd.taken());
      long before = heapBytes(served);
      int refusedBefore = crowd.refused();
      crowd.rush("first", STARTS_EACH);
      crowd.rush("second", STARTS_EACH);
      assertThat(crowd.refused() - refusedBefore).isGreaterThan(limit * 10);
      // It recovers by itself: at once, and without a request to say so.
      Http.Reply next = served.http().post("/api/v1/workflows", "{\"type\":\"echo\"}");
      assertThat(next.status()).isEqualTo(201);
      int taken = crowd.taken() + 1;
      Await.until(() -> ended(served) == taken);
      // What was refused left nothing behind.
      assertThat(served.count("SELECT count(*) FROM workflow_all")).isEqualTo(taken);
      assertThat(heapBytes(served) - before).isLessThan(GROWTH_BYTES_MAX);
    }
  }

  private static long ended(Served served) {
    return served.count("SELECT count(*) FROM workflow_all WHERE closed_at IS NOT NULL");
  }

  private static long heapBytes(Served served) {
    Await.until(() -> served.node.resident() == 0);
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
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
