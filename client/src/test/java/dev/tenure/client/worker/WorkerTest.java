package dev.tenure.client.worker;

import static dev.tenure.client.worker.FakeServer.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tenure.client.worker.FakeServer.Trouble;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a worker does with its tasks, and what it says of them. */
class WorkerTest extends WorkerFixture {
  // --- tasks

  @Test
  void itRunsATaskAndReportsWhatCameOfIt() {
    server.offer("t1", "send", MAIL);
    try (Worker worker =
        worker()
            .activity(
                "send",
                Mail.class,
                (context, mail) -> mail.to() + mail.copies() + context.idempotencyKey())
            .start()) {
      JsonNode done = server.first("complete");
      assertThat(done.get("token").asText()).isEqualTo("t1");
      assertThat(done.get("result").asText()).isEqualTo("ada2tenure:w:r:send#1");
      JsonNode poll = server.seen("take").getFirst().body();
      assertThat(poll.get("worker").asText()).isEqualTo("w");
      assertThat(poll.get("activities").get(0).asText()).isEqualTo("send");
      await("the slot is free", () -> worker.running() == 0);
    }
  }

  @Test
  void nothingIsAResultAndListsAreInputs() {
    server.offer("t1", "sum", "[1,2]");
    List<Integer> got = new CopyOnWriteArrayList<>();
    try (Worker worker =
        worker()
            .activity(
                "sum",
                new TypeReference<List<Integer>>() {},
                (context, numbers) -> {
                  got.addAll(numbers);
                  return null;
                })
            .start()) {
      assertThat(server.first("complete").get("result").isNull()).isTrue();
      assertThat(got).containsExactly(1, 2);
    }
  }

  @Test
  void itRunsSoManyAtOnceAndNoMore() {
    for (int i = 0; i < 20; i++) server.offer("t" + i, "send", MAIL);
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    try (Worker worker =
        worker()
            .atOnce(3)
            .activity(
                "send",
                Mail.class,
                (context, mail) -> {
                  most.accumulateAndGet(now.incrementAndGet(), Math::max);
                  if (server.seen("complete").isEmpty() && now.get() < 3)
                    await("three run", () -> most.get() == 3);
                  now.decrementAndGet();
                  return null;
                })
            .start()) {
      await("all are done", () -> done() == 20);
      assertThat(most.get()).isEqualTo(3);
      assertThat(server.seen("take")).allMatch(take -> take.body().get("max").asInt() <= 3);
    }
  }

  private JsonNode failure(ActivityBody<Mail> body) {
    server.offer("t1", "send", MAIL);
    try (Worker worker = worker().activity("send", Mail.class, body).start()) {
      return server.first("fail");
    }
  }

  @Test
  void anExceptionMayHaveHadAnEffectAndMayBeTriedAgain() {
    JsonNode failed =
        failure(
            (context, mail) -> {
              throw new IllegalStateException("down \ud800");
            });
    assertThat(failed.get("type").asText()).isEqualTo("java.lang.IllegalStateException");
    assertThat(failed.get("message").asText()).isEqualTo("down ?");
    assertThat(failed.get("stack").asText()).contains("WorkerTest");
    assertThat(failed.get("retryable").asBoolean()).isTrue();
    assertThat(failed.get("effect").asText()).isEqualTo("possible");
  }

  @Test
  void anErrorIsReportedLikeAnException() {
    JsonNode failed =
        failure(
            (context, mail) -> {
              throw new AssertionError("x".repeat(10_000));
            });
    assertThat(failed.get("type").asText()).isEqualTo("java.lang.AssertionError");
    assertThat(failed.get("message").asText()).hasSize(4_000).endsWith("…");
  }

  @Test
  void whatHadNoEffectSaysSo() {
    JsonNode failed =
        failure(
            (context, mail) -> {
              throw new NoEffectException("no connection");
            });
    assertThat(failed.get("effect").asText()).isEqualTo("none");
    assertThat(failed.get("retryable").asBoolean()).isTrue();
  }

  @Test
  void aFailureSaysOfItselfWhatTheEngineHasToKnow() {
    JsonNode failed =
        failure(
            (context, mail) -> {
              throw ActivityFailure.permanent("CardDeclined", "no")
                  .withCode("do-not-honour")
                  .withoutEffect();
            });
    assertThat(failed.get("type").asText()).isEqualTo("CardDeclined");
    assertThat(failed.get("code").asText()).isEqualTo("do-not-honour");
    assertThat(failed.get("retryable").asBoolean()).isFalse();
    assertThat(failed.get("effect").asText()).isEqualTo("none");
    assertThatThrownBy(() -> ActivityFailure.retryable("tenure.Timeout", "x"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anInputThatCannotBeReadHadNoEffectAndIsNotTriedAgain() {
    server.offer("t1", "send", "\"no object\"");
    try (Worker worker = worker().activity("send", Mail.class, (context, mail) -> 1).start()) {
      JsonNode failed = server.first("fail");
      assertThat(failed.get("type").asText()).isEqualTo(Failures.UNREADABLE_INPUT);
      assertThat(failed.get("effect").asText()).isEqualTo("none");
      assertThat(failed.get("retryable").asBoolean()).isFalse();
    }
  }

  @Test
  void aResultThatTheServerRefusesIsReportedAsAFailureAndHarmsNoOther() {
    server.trouble("complete", new Trouble(413, "PayloadTooLarge"));
    server.offer("t1", "send", MAIL);
    try (Worker worker = worker().activity("send", Mail.class, (context, mail) -> 1).start()) {
      JsonNode failed = server.first("fail");
      assertThat(failed.get("type").asText()).isEqualTo(Reports.REFUSED_RESULT);
      assertThat(failed.get("code").asText()).isEqualTo("PayloadTooLarge");
      assertThat(failed.get("effect").asText()).isEqualTo("possible");
      server.offer("t2", "send", MAIL);
      await("the next is done", () -> server.seen("complete").size() == 2);
    }
  }

  @Test
  void aTaskWhoseCodeItDoesNotHaveIsGivenBack() {
    server.offer("t1", "print", MAIL);
    try (Worker worker = worker().activity("send", Mail.class, (context, mail) -> 1).start()) {
      assertThat(server.first("return").get("token").asText()).isEqualTo("t1");
    }
  }

  // --- heartbeats

  /** Long enough for a machine that has other things to do. */
  private static final int SILENCE_MS = 3_000;

  private static ObjectNode brief(String token) {
    return brief(token, SILENCE_MS);
  }

  private static ObjectNode brief(String token, int silenceMs) {
    return FakeServer.task(token, "send", MAIL).put("heartbeatTimeoutMs", silenceMs);
  }

  @Test
  void itSendsHeartbeatsByItselfAsLongAsTheCodeRuns() {
    server.offer(brief("t1"));
    try (Worker worker = worker().activity("send", Mail.class, (context, mail) -> hang()).start()) {
      await("heartbeats", () -> server.seen("heartbeat").size() >= 4);
      List<FakeServer.Seen> beats = server.seen("heartbeat");
      for (int i = 1; i < beats.size(); i++)
        assertThat(beats.get(i).at() - beats.get(i - 1).at())
            .isLessThan(Duration.ofMillis(SILENCE_MS).toNanos());
      release.countDown();
      assertThat(server.first("complete").get("result").asText()).isEqualTo("released");
      assertThat(interrupted).isFalse();
    }
  }

  @Test
  void detailsTravelWithTheHeartbeatsAndTheLastOnesCome() {
    server.offer(brief("t1").set("details", brief("x").get("input")));
    Set<Object> last = ConcurrentHashMap.newKeySet();
    try (Worker worker =
        worker()
            .activity(
                "send",
                Mail.class,
                (context, mail) -> {
                  last.add(context.lastDetails(Mail.class).orElseThrow());
                  context.heartbeat(new Mail("page", 7));
                  assertThatThrownBy(() -> context.heartbeat("x".repeat(70_000)))
                      .isInstanceOf(IllegalArgumentException.class);
                  return hang();
                })
            .start()) {
      await(
          "the details arrive",
          () -> server.seen("heartbeat").stream().anyMatch(one -> one.task().has("details")));
      assertThat(last).containsExactly(new Mail("ada", 2));
      // Once they are there they are not sent again.
      long beats = server.seen("heartbeat").size();
      await("more heartbeats", () -> server.seen("heartbeat").size() > beats + 2);
      assertThat(server.seen("heartbeat").stream().filter(one -> one.task().has("details")).count())
          .isEqualTo(1);
      release.countDown();
    }
  }

  @Test
  void aTaskThatTheWorkerDoesNotHaveAnyMoreIsCancelled() {
    server.rejected.put("t1", "TaskClaimExpired");
    server.offer(brief("t1"));
    try (Worker worker = worker().activity("send", Mail.class, (context, mail) -> hang()).start()) {
      await("it is interrupted", interrupted::get);
      await("it is over", () -> worker.running() == 0);
      assertThat(server.seen("fail")).isEmpty();
      assertThat(server.seen("complete")).isEmpty();
    }
  }

  @Test
  void aTaskIsCancelledWhenNoHeartbeatGetsThroughForTooLong() {
    server.heartbeatsFail = true;
    server.offer(brief("t1", 600));
    try (Worker worker = worker().activity("send", Mail.class, (context, mail) -> hang()).start()) {
      await("it is interrupted", interrupted::get);
      await("it is over", () -> worker.running() == 0);
      assertThat(server.seen("fail")).isEmpty();
    }
  }

  private void isCancelledByItself(ObjectNode task) {
    server.offer(task);
    try (Worker worker = worker().activity("send", Mail.class, (context, mail) -> hang()).start()) {
      await("it is interrupted", interrupted::get);
      await("it is over", () -> worker.running() == 0);
      assertThat(server.seen("fail")).isEmpty();
      assertThat(server.seen("complete")).isEmpty();
    }
  }

  @Test
  void anAttemptThatTakesTooLongIsCancelledHoweverAliveItIs() {
    isCancelledByItself(FakeServer.task("t1", "send", MAIL).put("attemptTimeoutMs", 400));
  }

  /** Its own clock is decades behind. */
  @Test
  void aTaskIsCancelledAtItsDeadlineByTheClockOfTheServer() {
    isCancelledByItself(
        FakeServer.task("t1", "send", MAIL)
            .put("attemptTimeoutMs", 3_600_000)
            .put("heartbeatTimeoutMs", 30_000)
            .put("visibleUntil", "2099-01-01T00:00:30Z")
            .put("deadline", "2099-01-01T00:00:00.400Z"));
  }

  @Test
  void heartbeatsThatGetLostNowAndThenDoNoHarm() {
    for (int i = 0; i < 3; i++) {
      server.trouble("heartbeat", new Trouble(503, "Overloaded"));
      server.offer(brief("t" + i));
    }
    try (Worker worker = worker().activity("send", Mail.class, (context, mail) -> hang()).start()) {
      await("heartbeats", () -> server.seen("heartbeat").size() >= 6);
      release.countDown();
      await("all are done", () -> done() == 3);
      assertThat(interrupted).isFalse();
    }
  }
}
