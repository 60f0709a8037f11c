package dev.tenure.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.http.gateway.RequestLimits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a worker sends gets an answer that says what is wrong, and no task is touched. */
class WorkerBadInputTest {
  /** A request of workers that would be carried out, and its name in JSON-RPC. */
  private record Door(String path, String method, String good) {
    String params() {
      return method.equals("tasks.take") ? "{\"queue\":\"mail\"," + good.substring(1) : good;
    }
  }

  /** The worker must not count as lost while the tests run. */
  private static final Duration LONG = Duration.ofHours(1);

  private static Served served;
  private static Http http;
  private static String token;
  private String before;

  @BeforeAll
  static void start() {
    served = Served.start();
    http = served.http();
    served.storage.tasks().offer(Offers.on("mail", "w-1", LONG));
    served.storage.tasks().offer(Offers.on("mail", "w-2", LONG));
    token =
        http.post("/api/v1/queues/mail/tasks/take", "{\"worker\":\"w\"}")
            .body()
            .at("/tasks/0/token")
            .asText();
    assertThat(token).isNotEmpty();
  }

  @AfterAll
  static void stop() {
    served.close();
  }

  /** Also which worker has a task, and until when. */
  private static String stored() {
    return served.stored() + served.count("SELECT coalesce(sum(hashtext(t::text)), 0) FROM task t");
  }

  @BeforeEach
  void count() {
    before = stored();
  }

  @AfterEach
  void nothingWasChanged() {
    assertThat(stored()).isEqualTo(before);
  }

  private static void refused(Http.Reply reply, int status, String code) {
    assertThat(reply.status()).as(reply.body().toString()).isEqualTo(status);
    assertThat(reply.header("Content-Type")).startsWith("application/problem+json");
    assertThat(reply.code()).as(reply.body().toString()).isEqualTo(code);
    assertThat(reply.body().toString()).doesNotContain("Exception").doesNotContain("\tat ");
  }

  private static List<Door> doors() {
    String item = "{\"tasks\":[{\"token\":\"TOKEN\"%s}]}";
    return List.of(
        new Door("/api/v1/queues/mail/tasks/take", "tasks.take", "{\"worker\":\"w\",\"max\":1}"),
        new Door("/api/v1/tasks/heartbeat", "tasks.heartbeat", item.formatted("")),
        new Door("/api/v1/tasks/extend", "tasks.extend", item.formatted(",\"seconds\":60")),
        new Door("/api/v1/tasks/complete", "tasks.complete", item.formatted(",\"result\":1")),
        new Door(
            "/api/v1/tasks/fail",
            "tasks.fail",
            item.formatted(",\"type\":\"T\",\"message\":\"m\"")),
        new Door("/api/v1/tasks/return", "tasks.return", item.formatted("")));
  }

  static Stream<Arguments> bodies() {
    String deep = "[".repeat(10_000) + "]".repeat(10_000);
    List<Arguments> all = new ArrayList<>();
    for (Door door : doors()) {
      String good = door.good;
      String open = good.substring(0, good.length() - 1);
      all.add(body(door, "empty", "", "InvalidJson"));
      all.add(body(door, "null", "null", "InvalidRequest"));
      all.add(body(door, "array", "[]", "InvalidRequest"));
      all.add(body(door, "no field at all", "{}", "InvalidRequest"));
      all.add(body(door, "truncated", open, "InvalidJson"));
      all.add(body(door, "trailing garbage", good + "x", "InvalidJson"));
      all.add(body(door, "two values", good + good, "InvalidJson"));
      all.add(body(door, "byte order mark", "\uFEFF" + good, "InvalidJson"));
      all.add(body(door, "NUL byte", "\u0000" + good, "InvalidJson"));
      all.add(body(door, "unknown field", open + ",\"more\":1}", "InvalidRequest"));
      all.add(body(door, "duplicate keys", open + "," + good.substring(1), "InvalidJson"));
      all.add(body(door, "depth 10 000", open + ",\"x\":" + deep + "}", "InvalidJson"));
      all.add(body(door, "lone surrogate", open + ",\"x\":\"\\ud800\"}", "InvalidJson"));
      all.add(body(door, "1e999", open + ",\"x\":1e999}", "InvalidJson"));
      all.add(body(door, "NaN", open + ",\"x\":NaN}", "InvalidJson"));
      all.add(body(door, "2^63", open + ",\"x\":9223372036854775808}", "InvalidJson"));
    }
    return all.stream();
  }

  private static Arguments body(Door door, String name, String body, String code) {
    return Arguments.of(door.method + ": " + name, door, body, code);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("bodies")
  void aBodyThatCannotBeUsedIsRefusedAtEveryDoor(String name, Door door, String body, String code) {
    String sent = body.replace("TOKEN", token);
    refused(http.post(door.path, sent), 400, code);
    if (code.equals("InvalidRequest") && sent.startsWith("{"))
      assertThat(http.rpc(door.method, sent).body().at("/error/code").asInt()).isEqualTo(-32602);
  }

  static Stream<Arguments> values() {
    List<Arguments> all = new ArrayList<>();
    for (String wrong :
        List.of(
            "\"worker\":\"\"",
            "\"worker\":7",
            "\"worker\":\"" + "é".repeat(129) + "\"",
            "\"worker\":\"w\",\"max\":0",
            "\"worker\":\"w\",\"max\":101",
            "\"worker\":\"w\",\"max\":-0",
            "\"worker\":\"w\",\"max\":1.0",
            "\"worker\":\"w\",\"max\":\"1\"",
            "\"worker\":\"w\",\"waitSeconds\":61",
            "\"worker\":\"w\",\"waitSeconds\":-1",
            "\"worker\":\"w\",\"activities\":\"send\"",
            "\"worker\":\"w\",\"activities\":[\"\"]",
            "\"worker\":\"w\",\"activities\":[" + "\"a\",".repeat(100) + "\"a\"]"))
      all.add(Arguments.of("/api/v1/queues/mail/tasks/take", "{" + wrong + "}"));
    for (String word : List.of("heartbeat", "extend", "complete", "fail", "return")) {
      String more =
          switch (word) {
            case "extend" -> ",\"seconds\":9";
            case "fail" -> ",\"type\":\"T\",\"message\":\"m\"";
            default -> "";
          };
      for (String tasks :
          List.of(
              "null",
              "{}",
              "\"t\"",
              "[1]",
              "[null]",
              "[{}]",
              "[{\"token\":7" + more + "}]",
              "[{\"token\":null" + more + "}]",
              "[{\"token\":\"\"" + more + "}]",
              "[{\"token\":\"" + "x".repeat(4_097) + "\"" + more + "}]",
              "[{\"token\":\"TOKEN\",\"more\":1" + more + "}]",
              "["
                  + ("{\"token\":\"t\"" + more + "},").repeat(100)
                  + "{\"token\":\"t\""
                  + more
                  + "}]"))
        all.add(Arguments.of("/api/v1/tasks/" + word, "{\"tasks\":" + tasks + "}"));
    }
    for (String wrong :
        List.of("", "\"seconds\":0", "\"seconds\":43201", "\"seconds\":\"60\"", "\"seconds\":1e3"))
      all.add(item("extend", wrong));
    for (String wrong :
        List.of(
            "\"type\":\"T\"",
            "\"message\":\"m\"",
            "\"type\":\"\",\"message\":\"m\"",
            "\"type\":\"tenure.Timeout\",\"message\":\"m\"",
            "\"type\":\"T\",\"message\":\"m\",\"effect\":\"some\"",
            "\"type\":\"T\",\"message\":\"m\",\"effect\":true",
            "\"type\":\"T\",\"message\":\"m\",\"retryable\":\"no\"",
            "\"type\":\"T\",\"message\":\"m\",\"code\":\"\"",
            "\"type\":\"T\",\"message\":\"" + "x".repeat((1 << 16) + 1) + "\""))
      all.add(item("fail", wrong));
    return all.stream();
  }

  private static Arguments item(String word, String more) {
    String fields = more.isEmpty() ? "" : "," + more;
    return Arguments.of(
        "/api/v1/tasks/" + word, "{\"tasks\":[{\"token\":\"TOKEN\"" + fields + "}]}");
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("values")
  void aValueThatCannotBeUsedIsRefused(String path, String body) {
    refused(http.post(path, body.replace("TOKEN", token)), 400, "InvalidRequest");
  }

  @Test
  void oneReportThatIsWrongFailsTheRequestAndNamesItsPlace() {
    String good = "{\"token\":\"%s\",\"type\":\"T\",\"message\":\"m\"}".formatted(token);
    Http.Reply reply =
        http.post(
            "/api/v1/tasks/fail",
            "{\"tasks\":[%s,{\"token\":\"t\",\"type\":\"tenure.X\",\"message\":\"\"}]}"
                .formatted(good));
    // A token that is none is answered by itself; what else is said with it does not matter.
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body().at("/tasks/1/error/code").asText()).isEqualTo("TaskTokenInvalid");
    // Its own report was taken: the other task of the queue stays as it was.
    before = stored();
    Http.Reply wrong =
        http.post(
            "/api/v1/tasks/fail",
            "{\"tasks\":[%s,%s]}".formatted(good, good.replace("\"T\"", "\"tenure.X\"")));
    refused(wrong, 400, "InvalidRequest");
    assertThat(wrong.body().at("/errors/0/pointer").asText()).isEqualTo("/tasks/1/type");
  }

  @Test
  void invalidUtf8IsRefusedAtEveryDoor() {
    for (Door door : doors()) {
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      String good = door.good.replace("TOKEN", token);
      body.writeBytes(good.substring(0, good.length() - 1).getBytes(StandardCharsets.UTF_8));
      body.writeBytes(",\"x\":\"".getBytes(StandardCharsets.UTF_8));
      body.write(0xFF);
      body.writeBytes("\"}".getBytes(StandardCharsets.UTF_8));
      refused(http.post(door.path, body.toByteArray()), 400, "InvalidJson");
    }
  }

  @Test
  void bodiesOfAnotherTypeCompressedOrTooLongAreRefusedAtEveryDoor() throws IOException {
    ByteArrayOutputStream bomb = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(bomb)) {
      for (int i = 0; i < 64; i++) zip.write(new byte[1 << 20]);
    }
    byte[] over = new byte[(int) RequestLimits.DEFAULT.bodyBytes() + 1];
    for (Door door : doors()) {
      String good = door.good.replace("TOKEN", token);
      refused(
          http.with("Content-Type", "text/plain").post(door.path, good),
          415,
          "UnsupportedMediaType");
      refused(
          http.with("Content-Encoding", "gzip").post(door.path, bomb.toByteArray()),
          415,
          "UnsupportedMediaType");
      refused(http.post(door.path, over), 413, "PayloadTooLarge");
      refused(http.get(door.path), 405, "MethodNotAllowed");
    }
  }

  @Test
  void payloadsPastTheirLimitsAreRefused() {
    String large = "\"" + "x".repeat(2 * 1024 * 1024 - 1) + "\"";
    String item = "{\"tasks\":[{\"token\":\"%s\",\"%s\":%s}]}";
    Http.Reply result = http.post("/api/v1/tasks/complete", item.formatted(token, "result", large));
    refused(result, 413, "PayloadTooLarge");
    assertThat(result.text("limit")).isEqualTo("PAYLOAD_BYTES_MAX");
    String details = "\"" + "x".repeat(64 * 1024 - 1) + "\"";
    Http.Reply beat =
        http.post("/api/v1/tasks/heartbeat", item.formatted(token, "details", details));
    refused(beat, 413, "PayloadTooLarge");
    assertThat(beat.text("limit")).isEqualTo("DETAILS_BYTES_MAX");
  }

  @Test
  void namesOfQueuesAreTakenAsTheyAre() {
    for (String queue : List.of("%FF", "%C0%80", "%ED%A0%80"))
      refused(RawHttp.get(served.uri, "/api/v1/queues/" + queue), 400, "InvalidRequest");
    for (String queue :
        List.of("%00", "..%2F", "a:b", "'%3B%20DROP%20TABLE%20task", "MAIL", "mail%20")) {
      Http.Reply view = RawHttp.get(served.uri, "/api/v1/queues/" + queue);
      assertThat(view.status()).as(queue).isEqualTo(200);
      assertThat(view.body().get("waiting").asInt()).as(queue).isZero();
      assertThat(
              http.post("/api/v1/queues/" + queue + "/tasks/take", "{\"worker\":\"w\"}")
                  .body()
                  .get("tasks"))
          .isEmpty();
    }
    String long321 = "x".repeat(321);
    refused(http.get("/api/v1/queues/" + long321), 400, "InvalidRequest");
    refused(
        http.post("/api/v1/queues/" + long321 + "/tasks/take", "{\"worker\":\"w\"}"),
        400,
        "InvalidRequest");
    for (String query : List.of("keys=-1", "keys=101", "keys=x", "key=1"))
      refused(http.get("/api/v1/queues/mail?" + query), 400, "InvalidRequest");
    for (String query : List.of("limit=0", "limit=1001", "cursor=x"))
      refused(http.get("/api/v1/queues?" + query), 400, "InvalidRequest");
  }
}
