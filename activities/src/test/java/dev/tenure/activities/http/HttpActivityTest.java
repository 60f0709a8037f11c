package dev.tenure.activities.http;

import static dev.tenure.activities.http.Trial.CONTEXT;
import static dev.tenure.activities.http.Trial.KEY;
import static dev.tenure.activities.http.Trial.call;
import static dev.tenure.activities.http.Trial.failing;
import static dev.tenure.activities.http.Trial.local;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.activities.http.LocalServer.Asked;
import dev.tenure.activities.http.Trial.Told;
import dev.tenure.activities.http.Trial.Told.Again;
import dev.tenure.activities.json.Json;
import dev.tenure.workflow.ActivityCode;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.Failure.OutsideEffect;
import dev.tenure.workflow.Trace;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is sent, and what is made of what comes back. */
class HttpActivityTest {
  record Order(String id, int cents) {}

  record Receipt(String number) {}

  private final LocalServer server = LocalServer.start();

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void theAnswerOfASuccessIsTheResult() throws Exception {
    server.on("/charges", 201, "application/json; charset=utf-8", "{\"number\":\"r-1\"}");
    HttpAnswer answer =
        call(
            local(),
            HttpCall.post(server.url("/charges?dry=no"))
                .withHeader("X-Shop", "north")
                .withJson(new Order("o-17", 900)));
    assertThat(answer.status()).isEqualTo(201);
    assertThat(answer.as(Receipt.class)).isEqualTo(new Receipt("r-1"));
    assertThat(answer.header("content-TYPE")).contains("application/json; charset=utf-8");
    assertThat(answer.headers()).doesNotContainKey("Date");

    Asked asked = server.asked().getFirst();
    assertThat(asked.method()).isEqualTo("POST");
    assertThat(asked.uri()).isEqualTo("/charges?dry=no");
    assertThat(asked.body()).isEqualTo("{\"cents\":900,\"id\":\"o-17\"}");
    assertThat(asked.header("Content-Type")).contains("application/json");
    assertThat(asked.header("X-Shop")).contains("north");
    assertThat(asked.header("Host")).contains("127.0.0.1:" + server.port());
  }

  @Test
  void theStableKeyGoesWithEveryRequest() throws Exception {
    server.on("/", 200, "", "");
    call(local(), HttpCall.post(server.url("/")));
    assertThat(server.asked().getFirst().header("Idempotency-Key")).contains(KEY);
    assertThat(server.asked().getFirst().header("traceparent")).isEmpty();
  }

  @Test
  void theTraceGoesWithTheRequestWhenThereIsOne() throws Exception {
    server.on("/", 200, "", "");
    Trace trace = new Trace("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331", "01");
    call(local(), CONTEXT.in(trace), HttpCall.get(server.url("/")));
    assertThat(server.asked().getFirst().header("traceparent")).contains(trace.traceparent());
  }

  @Test
  void whatIsForTheListenerOnThisMachineDoesNotReachTheServer() throws Exception {
    server.on("/", 200, "", "");
    call(local(), HttpCall.post(server.url("/")).withText("text/plain", "hello"));
    assertThat(server.asked().getFirst().headers().keySet())
        .noneMatch(name -> name.toLowerCase(java.util.Locale.ROOT).startsWith("proxy-"));
    assertThat(server.asked()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE"})
  void allUsualMethodsAreSent(String method) throws Exception {
    server.on("/", 200, "", "");
    call(local(), HttpCall.of(method, server.url("/")));
    assertThat(server.asked().getFirst().method()).isEqualTo(method);
  }

  @Test
  void anActivityMayHaveAnInputAndAResultOfItsOwn() throws Exception {
    server.on("/charges", 200, "application/json", "{\"number\":\"r-2\",\"more\":1.5}");
    ActivityDefinition<Order, Receipt> definition =
        ActivityDefinition.of("charge", Order.class, Receipt.class).asIdempotent();
    try (OutboundHttp http = new OutboundHttp(local())) {
      ActivityCode<Order, Receipt> code =
          HttpActivity.code(
              definition,
              http,
              order -> HttpCall.post(server.url("/charges")).withJson(order),
              answer -> answer.as(Receipt.class));
      assertThat(code.definition()).isSameAs(definition);
      assertThat(code.body().run(CONTEXT, new Order("o-1", 1))).isEqualTo(new Receipt("r-2"));
    }
  }

  @Test
  void anAnswerThatIsNoResultMayHaveHadItsEffect() throws Exception {
    server.on("/", 200, "text/html", "<p>hello</p>");
    try (OutboundHttp http = new OutboundHttp(local())) {
      var code =
          HttpActivity.code(
              ActivityDefinition.of("charge", Order.class, Receipt.class),
              http,
              order -> HttpCall.post(server.url("/")),
              answer -> answer.as(Receipt.class));
      assertThatThrownBy(() -> code.body().run(CONTEXT, new Order("o-1", 1)))
          .satisfies(
              thrown ->
                  Told.of(thrown)
                      .is(HttpOutcomes.UNREADABLE, Again.PERMANENT, OutsideEffect.POSSIBLE)
                      .saying("no JSON"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "301, PERMANENT, POSSIBLE",
    "303, PERMANENT, POSSIBLE",
    "304, PERMANENT, POSSIBLE",
    "400, PERMANENT, NONE",
    "401, PERMANENT, NONE",
    "403, PERMANENT, NONE",
    "404, PERMANENT, NONE",
    "407, PERMANENT, NONE",
    "408, RETRYABLE, POSSIBLE",
    "409, PERMANENT, POSSIBLE",
    "410, PERMANENT, NONE",
    "422, PERMANENT, NONE",
    "425, RETRYABLE, NONE",
    "429, RETRYABLE, NONE",
    "500, RETRYABLE, POSSIBLE",
    "502, RETRYABLE, POSSIBLE",
    "503, RETRYABLE, POSSIBLE",
    "599, RETRYABLE, POSSIBLE"
  })
  void theStatusSaysWhetherItIsTriedAgain(int status, Again again, OutsideEffect effect) {
    server.on("/", status, "text/plain", status == 304 ? "" : "because\u001b[31m of that");
    Told told =
        failing(local(), HttpCall.post(server.url("/"))).is("http." + status, again, effect);
    told.saying("POST", "answered " + status);
    if (status != 304) told.saying("because [31m of that");
    assertThat(server.asked()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "429, 30, 30",
    "503, 120, 120",
    "503, 'Thu, 01 Jan 2026 00:01:00 GMT', 60",
  })
  void aWaitThatTheServerAsksForIsPartOfTheFailure(int status, String header, long seconds) {
    server.on(
        "/",
        exchange -> {
          exchange.getResponseHeaders().set("Retry-After", header);
          LocalServer.say(exchange, status, "");
        });
    InstantSource clock = InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z"));
    failing(local().withClock(clock), HttpCall.get(server.url("/")))
        .saying("Retry-After: %d seconds".formatted(seconds));
  }

  @ParameterizedTest
  @ValueSource(strings = {"soon", "-1", "99999999999999999999", "Thu, 01 Jan 1970 00:00:00 GMT"})
  void aWaitThatMakesNoSenseIsLeftOut(String header) {
    server.on(
        "/",
        exchange -> {
          exchange.getResponseHeaders().set("Retry-After", header);
          LocalServer.say(exchange, 503, "");
        });
    Told told = failing(local(), HttpCall.get(server.url("/")));
    assertThat(told.message()).doesNotContain("Retry-After");
  }

  @Test
  void theErrorOfAServerIsShownInPart() {
    server.on("/", 400, "text/plain", "x".repeat(100_000));
    Told told = failing(local(), HttpCall.get(server.url("/")));
    assertThat(told.message()).hasSizeLessThan(1_000);
  }

  @Test
  void theQueryOfAUrlIsNotShown() {
    Told told = failing(local(), HttpCall.get(server.url("/none?token=word")));
    assertThat(told.message()).doesNotContain("word");
  }

  @ParameterizedTest
  @CsvSource({
    "Host, other",
    "Content-Length, 0",
    "connection, close",
    "Transfer-Encoding, chunked",
    "Upgrade, h2c",
    "Expect, 100-continue",
    "TE, trailers",
    "Proxy-Authorization, Basic abc",
    "proxy-tenure-call, abc",
    "Idempotency-Key, mine",
    "traceparent, mine",
    "Content-Type, text/html",
    "'X:', a",
    "'X Y', a",
    "'', a",
    "Ümlaut, a",
    "X, ümlaut"
  })
  void aHeaderThatIsNotTheCallersIsRefused(String name, String value) {
    Trace trace = new Trace("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331", "01");
    HttpCall call = HttpCall.post(server.url("/")).withText("text/plain", "a");
    failing(local(), CONTEXT.in(trace), call.withHeader(name, value)).isRefused();
    assertThat(server.asked()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\r\nX-Admin: yes", "a\nb", "a\rb", "a\u0000b", "a\u0085b"})
  void noTextOfACallBecomesAHeaderOfItsOwn(String value) {
    failing(local(), HttpCall.get(server.url("/")).withHeader("X", value)).isRefused();
    failing(local(), HttpCall.get(server.url("/")).withHeader(value, "x")).isRefused();
    failing(local(), HttpCall.get(server.url("/" + value))).isRefused();
    failing(local(), HttpCall.of(value, server.url("/"))).isRefused();
    failing(local(), HttpCall.post(server.url("/")).withText(value, "x")).isRefused();
    assertThat(server.asked()).isEmpty();
  }

  @Test
  void aValueThatIsRefusedIsNotShown() {
    Told told = failing(local(), HttpCall.get(server.url("/")).withHeader("X", "secret\r\nword"));
    assertThat(told.message()).doesNotContain("secret");
  }

  @ParameterizedTest
  @ValueSource(strings = {"CONNECT", "TRACE", "get", "", "GET /x HTTP/1.1", "A1"})
  void aMethodThatIsNoneIsRefused(String method) {
    failing(local(), HttpCall.of(method, server.url("/"))).isRefused();
  }

  @Test
  void aCallWithTooManyOrTooLongHeadersIsRefused() {
    HttpCall call = HttpCall.get(server.url("/"));
    HttpCall many = call;
    for (int i = 0; i < HeaderRules.HEADERS_MAX; i++) many = many.withHeader("X-" + i, "a");
    failing(local(), many).isRefused();
    failing(local(), call.withHeader("X", "a".repeat(HeaderRules.CHARS_MAX))).isRefused();
    assertThat(server.asked()).isEmpty();
  }

  @Test
  void aGetHasNoBody() {
    failing(local(), HttpCall.get(server.url("/")).withText("text/plain", "x")).isRefused();
  }

  @Test
  void aCredentialGoesToItsOriginOnly() throws Exception {
    server.on("/", 200, "", "");
    HttpSettings settings =
        local()
            .withHeaderFor(server.url(""), "Authorization", () -> "Bearer word")
            .withHeaderFor("http://127.0.0.1:1", "X-Other", () -> "other");
    call(settings, HttpCall.get(server.url("/")));
    assertThat(server.asked().getFirst().header("Authorization")).contains("Bearer word");
    assertThat(server.asked().getFirst().header("X-Other")).isEmpty();
  }

  @Test
  void withoutItsCredentialACallIsNotSent() {
    HttpSettings lost =
        local()
            .withHeaderFor(
                server.url(""),
                "Authorization",
                () -> {
                  throw new IllegalStateException("the vault is closed");
                });
    failing(lost, HttpCall.post(server.url("/"))).isUnsent().saying("the vault is closed");
    HttpSettings malformed =
        local().withHeaderFor(server.url(""), "Authorization", () -> "word\r\nX: y");
    Told told = failing(malformed, HttpCall.post(server.url("/"))).isRefused();
    assertThat(told.message()).doesNotContain("word");
    assertThat(server.asked()).isEmpty();
  }

  @Test
  void onlyChosenHeadersOfTheAnswerAreKept() throws Exception {
    server.on(
        "/",
        exchange -> {
          exchange.getResponseHeaders().add("X-One", "a");
          exchange.getResponseHeaders().add("X-One", "b");
          exchange.getResponseHeaders().add("X-Two", "c");
          exchange.getResponseHeaders().add("ETag", "d".repeat(Reply.HEADER_CHARS_MAX + 1));
          LocalServer.say(exchange, 200, "");
        });
    assertThat(call(local().keepingHeaders("X-One", "ETag"), HttpCall.get(server.url("/"))))
        .extracting(HttpAnswer::headers)
        .isEqualTo(Map.of("X-One", "a, b"));
  }

  @Test
  void textIsReadInTheCharsetOfTheAnswer() throws Exception {
    server.on(
        "/",
        exchange -> {
          exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=ISO-8859-1");
          exchange.sendResponseHeaders(200, 1);
          exchange.getResponseBody().write(0xfc);
        });
    assertThat(call(local(), HttpCall.get(server.url("/"))).body()).isEqualTo("ü");
  }

  @ParameterizedTest
  @ValueSource(strings = {"image/png", "text/plain; charset=none-such", "text/plain; charset=@"})
  void anAnswerThatIsNoTextIsPermanentAndMayHaveHadItsEffect(String type) {
    server.on(
        "/",
        exchange -> {
          exchange.getResponseHeaders().set("Content-Type", type);
          exchange.sendResponseHeaders(200, 2);
          exchange.getResponseBody().write(new byte[] {(byte) 0xff, (byte) 0xfe});
        });
    failing(local(), HttpCall.post(server.url("/")))
        .is(HttpOutcomes.UNREADABLE, Again.PERMANENT, OutsideEffect.POSSIBLE);
  }

  @Test
  void callAndAnswerAreTheSameAfterTheyWereRecorded() throws Exception {
    HttpCall call =
        HttpCall.post("https://a.test/")
            .withHeader("B", "1")
            .withHeader("a", "2")
            .withJson(Map.of("z", 1, "a", 2));
    String recorded = Json.MAPPER.writeValueAsString(call);
    assertThat(recorded).contains("{\"a\":\"2\",\"B\":\"1\"}", "{\\\"a\\\":2,\\\"z\\\":1}");
    assertThat(Json.MAPPER.readValue(recorded, HttpCall.class)).isEqualTo(call);
    HttpAnswer answer = HttpAnswer.of(200, Map.of("ETag", "x"), "body");
    String kept = Json.MAPPER.writeValueAsString(answer);
    assertThat(Json.MAPPER.readValue(kept, HttpAnswer.class)).isEqualTo(answer);
  }
}
