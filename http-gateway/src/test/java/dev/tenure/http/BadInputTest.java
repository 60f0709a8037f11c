package dev.tenure.http;

import static dev.tenure.http.Http.workflow;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.http.gateway.RequestLimits;
import dev.tenure.http.json.JsonReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
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

/** Whatever is sent gets an answer that says what is wrong, and nothing of it is stored. */
class BadInputTest {
  private static final String START = "/api/v1/workflows";
  private static Served served;
  private static Http http;
  private String before;

  @BeforeAll
  static void start() {
    served = Served.start();
    http = served.http();
    http.post(START, "{\"type\":\"basket\",\"id\":\"open\"}");
    http.post(START, "{\"type\":\"echo\",\"id\":\"closed\"}");
    http.with("Prefer", "wait=30").get(workflow("closed", "result"));
  }

  @AfterAll
  static void stop() {
    served.close();
  }

  @BeforeEach
  void count() {
    before = served.stored();
  }

  @AfterEach
  void nothingWasStored() {
    assertThat(served.stored()).isEqualTo(before);
  }

  private static void refused(Http.Reply reply, int status, String code) {
    assertThat(reply.status()).as(reply.body().toString()).isEqualTo(status);
    assertThat(reply.header("Content-Type")).startsWith("application/problem+json");
    assertThat(reply.code()).as(reply.body().toString()).isEqualTo(code);
    assertThat(reply.text("type")).startsWith("urn:tenure:error:");
    assertThat(reply.body().get("status").asInt()).isEqualTo(status);
    assertThat(reply.body().toString()).doesNotContain("Exception").doesNotContain("\tat ");
  }

  static Stream<Arguments> bodies() {
    String deep = "[".repeat(10_000) + "]".repeat(10_000);
    String within = "[".repeat(JsonReader.DEPTH_MAX) + "]".repeat(JsonReader.DEPTH_MAX);
    return Stream.of(
        body("empty", "", "InvalidJson"),
        body("null", "null", "InvalidRequest"),
        body("array", "[]", "InvalidRequest"),
        body("truncated", "{\"type\":\"basket\"", "InvalidJson"),
        body("trailing garbage", "{\"type\":\"basket\"}x", "InvalidJson"),
        body("two values", "{\"type\":\"basket\"}{}", "InvalidJson"),
        body("byte order mark", "\uFEFF{\"type\":\"basket\"}", "InvalidJson"),
        body("lone surrogate", "{\"type\":\"basket\",\"id\":\"\\ud800\"}", "InvalidJson"),
        body(
            "lone surrogate in a payload",
            "{\"type\":\"basket\",\"input\":\"\\udc00\"}",
            "InvalidJson"),
        body(
            "lone surrogate in a name",
            "{\"type\":\"basket\",\"input\":{\"\\ud800\":1}}",
            "InvalidJson"),
        body("NUL byte", "{\"type\":\"basket\",\u0000\"id\":\"x\"}", "InvalidJson"),
        body("duplicate keys", "{\"type\":\"basket\",\"type\":\"echo\"}", "InvalidJson"),
        body(
            "duplicate keys in a payload",
            "{\"type\":\"basket\",\"input\":{\"a\":1,\"a\":2}}",
            "InvalidJson"),
        body(
            "duplicate keys by an escape",
            "{\"type\":\"basket\",\"\\u0074ype\":\"echo\"}",
            "InvalidJson"),
        body("unknown field", "{\"type\":\"basket\",\"inputs\":1}", "InvalidRequest"),
        body("missing field", "{\"id\":\"x\"}", "InvalidRequest"),
        body("wrong type", "{\"type\":7}", "InvalidRequest"),
        body("empty type", "{\"type\":\"\"}", "InvalidRequest"),
        body("depth 10 000", "{\"type\":\"basket\",\"input\":" + deep + "}", "InvalidJson"),
        body("one too deep", "{\"type\":\"basket\",\"input\":" + within + "}", "InvalidJson"),
        body("1e999", "{\"type\":\"basket\",\"input\":1e999}", "InvalidJson"),
        body("0e99999999999", "{\"type\":\"basket\",\"input\":0e99999999999}", "InvalidJson"),
        body("1e-99999999999", "{\"type\":\"basket\",\"input\":1e-99999999999}", "InvalidJson"),
        body("NaN", "{\"type\":\"basket\",\"input\":NaN}", "InvalidJson"),
        body("2^63", "{\"type\":\"basket\",\"input\":9223372036854775808}", "InvalidJson"),
        body("-2^63-1", "{\"type\":\"basket\",\"input\":-9223372036854775809}", "InvalidJson"),
        body(
            "a long number",
            "{\"type\":\"basket\",\"input\":" + "1".repeat(5_000) + "}",
            "InvalidJson"),
        body("-0 as a version", "{\"type\":\"basket\",\"version\":-0}", "InvalidRequest"),
        body("1.0 as a version", "{\"type\":\"basket\",\"version\":1.0}", "InvalidRequest"),
        body("version 0", "{\"type\":\"basket\",\"version\":0}", "InvalidRequest"),
        body("version 2^31", "{\"type\":\"basket\",\"version\":2147483648}", "InvalidRequest"),
        body("empty id", "{\"type\":\"basket\",\"id\":\"\"}", "InvalidRequest"),
        body(
            "id of 513 bytes",
            "{\"type\":\"basket\",\"id\":\"" + "é".repeat(256) + "x\"}",
            "InvalidRequest"),
        body(
            "id of 1 MB",
            "{\"type\":\"basket\",\"id\":\"" + "x".repeat(1 << 20) + "\"}",
            "InvalidRequest"),
        body("id as a number", "{\"type\":\"basket\",\"id\":1}", "InvalidRequest"),
        body(
            "negative timer",
            "{\"type\":\"basket\",\"executionTimeout\":\"PT-1S\"}",
            "InvalidRequest"),
        body(
            "timer of nothing",
            "{\"type\":\"basket\",\"executionTimeout\":\"PT0S\"}",
            "InvalidRequest"),
        body(
            "huge timer",
            "{\"type\":\"basket\",\"executionTimeout\":\"P999999D\"}",
            "InvalidRequest"),
        body(
            "timer past a long",
            "{\"type\":\"basket\",\"executionTimeout\":\"P99999999999999999D\"}",
            "InvalidRequest"),
        body(
            "timer that is none",
            "{\"type\":\"basket\",\"executionTimeout\":\"soon\"}",
            "InvalidRequest"),
        body(
            "null attribute",
            "{\"type\":\"basket\",\"attributes\":{\"a\":null}}",
            "InvalidRequest"),
        body(
            "object as an attribute",
            "{\"type\":\"basket\",\"attributes\":{\"a\":{}}}",
            "InvalidRequest"),
        body(
            "unnamed attribute", "{\"type\":\"basket\",\"attributes\":{\"\":1}}", "InvalidRequest"),
        body("comment", "{\"type\":\"basket\"/* */}", "InvalidJson"),
        body("single quotes", "{'type':'basket'}", "InvalidJson"),
        body(
            "UTF-16",
            new String(
                "{\"type\":\"basket\"}".getBytes(StandardCharsets.UTF_16BE),
                StandardCharsets.ISO_8859_1),
            "InvalidJson"));
  }

  private static Arguments body(String name, String body, String code) {
    return Arguments.of(name, body.getBytes(StandardCharsets.UTF_8), code);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("bodies")
  void aBodyThatCannotBeUsedIsRefused(String name, byte[] body, String code) {
    refused(http.post(START, body), 400, code);
    // As the params of a call the same; what is no JSON at all is no call either.
    if (code.equals("InvalidRequest") && body[0] == '{') {
      String params = new String(body, StandardCharsets.UTF_8);
      assertThat(http.rpc("workflows.start", params).body().at("/error/code").asInt())
          .isEqualTo(-32602);
    } else if (code.equals("InvalidJson")) {
      Http.Reply reply = http.post("/api/jsonrpc", body);
      assertThat(reply.status()).isEqualTo(400);
      assertThat(reply.body().at("/error/code").asInt()).isEqualTo(-32700);
      assertThat(reply.body().get("id").isNull()).isTrue();
    }
  }

  @Test
  void everythingThatIsWrongIsNamedAtOnce() {
    Http.Reply reply =
        http.post(
            START,
            "{\"id\":\"\",\"version\":\"1\",\"attributes\":{\"a/b\":{}},\"executionTimeout\":7}");
    refused(reply, 400, "InvalidRequest");
    List<String> pointers = reply.body().get("errors").findValuesAsText("pointer");
    assertThat(pointers)
        .containsExactlyInAnyOrder(
            "/id", "/version", "/attributes/a~1b", "/executionTimeout", "/type");
  }

  @Test
  void invalidUtf8IsRefused() {
    for (int[] wrong : new int[][] {{0xFF}, {0xC0, 0x80}, {0xED, 0xA0, 0x80}, {0xE2, 0x82}}) {
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      body.writeBytes("{\"type\":\"basket\",\"input\":\"".getBytes(StandardCharsets.UTF_8));
      Arrays.stream(wrong).forEach(body::write);
      body.writeBytes("\"}".getBytes(StandardCharsets.UTF_8));
      refused(http.post(START, body.toByteArray()), 400, "InvalidJson");
    }
  }

  @Test
  void aBodyMayBeAsLongAsTheLimitAndNotOneByteMore() {
    int room = (int) RequestLimits.DEFAULT.bodyBytes() - "{\"type\":\"\"}".length();
    byte[] atLimit = ("{\"type\":\"" + "x".repeat(room) + "\"}").getBytes(StandardCharsets.UTF_8);
    refused(http.post(START, atLimit), 400, "InvalidRequest");
    byte[] over = ("{\"type\":\"" + "x".repeat(room + 1) + "\"}").getBytes(StandardCharsets.UTF_8);
    refused(http.post(START, over), 413, "PayloadTooLarge");
    Http.Reply overRpc = http.post("/api/jsonrpc", over);
    assertThat(overRpc.status()).isEqualTo(413);
    assertThat(overRpc.body().at("/error/code").asInt()).isEqualTo(-32024);
  }

  @Test
  void aPayloadPastItsLimitIsRefused() {
    String payload = "\"" + "x".repeat(2 * 1024 * 1024 - 1) + "\"";
    for (Http.Reply reply :
        List.of(
            http.post(START, "{\"type\":\"basket\",\"input\":" + payload + "}"),
            http.post(workflow("open", "signal", "item"), "{\"payload\":" + payload + "}"),
            http.post(workflow("open", "update", "limit"), "{\"payload\":" + payload + "}"),
            http.post(workflow("open", "query", "items"), "{\"input\":" + payload + "}"))) {
      refused(reply, 413, "PayloadTooLarge");
      assertThat(reply.text("limit")).isEqualTo("PAYLOAD_BYTES_MAX");
    }
  }

  @Test
  void compressedBodiesAreRefusedUnread() throws IOException {
    ByteArrayOutputStream bomb = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(bomb)) {
      byte[] zeros = new byte[1 << 20];
      for (int i = 0; i < 64; i++) zip.write(zeros);
    }
    refused(
        http.with("Content-Encoding", "gzip").post(START, bomb.toByteArray()),
        415,
        "UnsupportedMediaType");
  }

  @Test
  void aBodyOfAnotherTypeIsRefused() {
    String body = "{\"type\":\"basket\"}";
    for (String type :
        List.of(
            "text/plain",
            "application/xml",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x")) {
      refused(http.with("Content-Type", type).post(START, body), 415, "UnsupportedMediaType");
    }
  }

  @Test
  void pathsThatAreNoTextAreRefused() {
    for (String id : List.of("%FF", "%C0%80", "%ED%A0%80", "%E2%82")) {
      Http.Reply reply = RawHttp.get(served.uri, "/api/v1/workflows/" + id);
      refused(reply, 400, "InvalidRequest");
    }
    // Well-formed, and nobody's: taken as they are, never resolved.
    for (String id : List.of("%00", "%2E%2E", "%2E%2E%2Fopen", "open%20", "OPEN", "%6Fpen%00")) {
      refused(RawHttp.get(served.uri, "/api/v1/workflows/" + id), 404, "WorkflowNotFound");
    }
    assertThat(RawHttp.get(served.uri, "/api/v1/workflows/%6Fpen").status()).isEqualTo(200);
    assertThat(RawHttp.get(served.uri, "/api/v1/nothing/../workflows/open").status())
        .isEqualTo(404);
    refused(RawHttp.get(served.uri, "/api/v1/workflows/"), 400, "InvalidRequest");
    refused(http.get(workflow("x".repeat(513))), 400, "InvalidRequest");
  }

  @Test
  void queriesAreReadStrictly() {
    for (String query :
        List.of(
            "limit=0",
            "limit=1001",
            "limit=x",
            "limit=1&limit=2",
            "limits=1",
            "status=none",
            "startedFrom=2026-02-30T00:00:00Z",
            "startedFrom=yesterday",
            "attributes=%7B%22a%22:null%7D",
            "type=",
            "parent=%C0%80")) {
      refused(http.get("/api/v1/workflows?" + query), 400, "InvalidRequest");
    }
    refused(http.get("/api/v1/workflows?attributes=%7B"), 400, "InvalidJson");
    refused(http.with("Prefer", "wait=61").get(workflow("open", "result")), 400, "InvalidRequest");
    refused(http.with("Prefer", "wait=x").get(workflow("open", "result")), 400, "InvalidRequest");
    refused(http.with("Last-Event-ID", "7").get(workflow("open", "events")), 400, "InvalidRequest");
  }

  @Test
  void keysAreReadStrictly() {
    String body = "{\"type\":\"basket\"}";
    refused(http.with("Idempotency-Key", "x".repeat(129)).post(START, body), 400, "InvalidRequest");
    Http.Reply twice =
        RawHttp.send(
            served.uri,
            "POST /api/v1/workflows HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                + "Idempotency-Key: a\r\nIdempotency-Key: b\r\nContent-Length: 17\r\n\r\n"
                + body);
    refused(twice, 400, "InvalidRequest");
  }

  @Test
  void whatDoesNotFitTheWorkflowIsSaid() {
    refused(http.post(workflow("none", "signal", "item"), "{}"), 404, "WorkflowNotFound");
    refused(http.post(workflow("closed", "signal", "item"), "{}"), 409, "WorkflowClosed");
    refused(http.post(workflow("closed", "cancel")), 409, "WorkflowClosed");
    refused(http.post(workflow("closed", "update", "x"), "{}"), 409, "WorkflowClosed");
    refused(http.post(workflow("open", "signal", "n".repeat(257)), "{}"), 400, "InvalidRequest");
  }

  @Test
  void whatIsNoCallIsRefused() {
    for (String call :
        List.of(
            "7",
            "\"x\"",
            "[]",
            "{}",
            "{\"jsonrpc\":\"1.0\",\"method\":\"x\",\"id\":1}",
            "{\"jsonrpc\":\"2.0\",\"id\":1}",
            "{\"jsonrpc\":\"2.0\",\"method\":7,\"id\":1}",
            "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"id\":{}}",
            "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"id\":1,\"extra\":1}")) {
      Http.Reply reply = http.post("/api/jsonrpc", call);
      assertThat(reply.status()).as(call).isEqualTo(200);
      assertThat(reply.body().at("/error/code").asInt()).as(call).isEqualTo(-32600);
    }
    assertThat(http.rpc("workflows.nothing", "{}").body().at("/error/code").asInt())
        .isEqualTo(-32601);
    assertThat(http.rpc("workflows.start", "[1]").body().at("/error/code").asInt())
        .isEqualTo(-32602);
    String batch = "[" + "{},".repeat(100) + "{}]";
    assertThat(http.post("/api/jsonrpc", batch).body().at("/error/code").asInt()).isEqualTo(-32600);
  }
}
