package dev.tenure.activities.http;

import static dev.tenure.activities.http.Trial.CONTEXT;
import static dev.tenure.activities.http.Trial.KEY;
import static dev.tenure.activities.http.Trial.local;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tenure.activities.CallContext;
import dev.tenure.workflow.Verifier.Verdict;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an answer proves about a call. */
@Timeout(60)
class HttpVerifierTest {
  record Charge(String number) {}

  private final LocalServer server = LocalServer.start();

  @AfterEach
  void stop() {
    server.close();
  }

  private static Verdict<Charge> verdict(HttpSettings settings, String template)
      throws InterruptedException {
    try (OutboundHttp http = new OutboundHttp(settings)) {
      return HttpVerifier.<String, Charge>of(
              http, KeyedUrl.template(template), answer -> answer.as(Charge.class))
          .resultUnavailableOn(451)
          .verify(CONTEXT, "input");
    }
  }

  private Verdict<Charge> verdict() throws InterruptedException {
    return verdict(local(), server.url("/charges?key={key}"));
  }

  @Test
  void jsonIsTheResultOfACompletedCall() throws Exception {
    server.on("/charges", 200, "application/json", "{\"number\":\"c-1\"}");
    assertThat(verdict())
        .isEqualTo(
            Verdict.completed(
                new Charge("c-1"), "GET %s answered 200".formatted(server.url("/charges"))));
    assertThat(server.asked().getFirst().method()).isEqualTo("GET");
    assertThat(server.asked().getFirst().uri())
        .isEqualTo("/charges?key=tenure%3Aorder-17%3Arun-1%3Acharge");
    assertThat(server.asked().getFirst().header("Idempotency-Key")).isEmpty();
  }

  @Test
  void aCallThatIsNotKnownIsNotCompleted() throws Exception {
    server.on("/charges", 404, "", "");
    assertThat(verdict()).isInstanceOf(Verdict.NotCompleted.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {410, 451})
  void aResultThatIsGoneIsUnavailable(int status) throws Exception {
    server.on("/charges", status, "", "");
    assertThat(verdict()).isInstanceOf(Verdict.CompletedResultUnavailable.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {201, 202, 204, 301, 400, 401, 403, 409, 429, 500, 502, 503})
  void everyOtherStatusProvesNothing(int status) throws Exception {
    server.on("/charges", status, "application/json", status == 204 ? "" : "{\"number\":\"c-1\"}");
    assertThat(verdict()).isInstanceOf(Verdict.Indeterminate.class);
    assertThat(verdict().evidence()).contains("answered " + status);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[1",
        "<p>welcome</p>",
        "[]",
        "null",
        "{}",
        "{\"error\":1}",
        "{\"state\":\"pending\"}",
        "{\"number\":{}}",
        "{\"number\":null}",
        "{\"number\":null,\"error\":1}",
        "{} {}"
      })
  void aBodyThatIsNoResultProvesNothing(String body) throws Exception {
    server.on("/charges", 200, "application/json", body);
    assertThat(verdict()).isInstanceOf(Verdict.Indeterminate.class);
  }

  @Test
  void whatIsReadAsNullProvesNothing() throws Exception {
    server.on("/charges", 200, "application/json", "{\"number\":\"c-1\"}");
    for (HttpActivity.Reading<Charge> reading :
        List.<HttpActivity.Reading<Charge>>of(
            answer -> null,
            answer -> {
              throw new IllegalStateException("it is pending");
            })) {
      try (OutboundHttp http = new OutboundHttp(local())) {
        HttpVerifier<String, Charge> verifier =
            HttpVerifier.of(http, KeyedUrl.template(server.url("/charges?key={key}")), reading);
        assertThat(verifier.verify(CONTEXT, "input")).isInstanceOf(Verdict.Indeterminate.class);
      }
    }
  }

  /** It has fields that the answer may or may not set. */
  public static final class ChargeBean {
    public String number;
    private String state;

    public String getState() {
      return state;
    }

    public void setState(String state) {
      this.state = state;
    }
  }

  record Nothing() {}

  @ParameterizedTest
  @ValueSource(classes = {ChargeBean.class, Nothing.class, Object.class, Void.class, List.class})
  void aTypeThatRequiresNothingOfTheAnswerProvesNothing(Class<?> type) throws Exception {
    for (String body : List.of("{}", "{\"error\":1}", "{\"number\":\"c-1\"}")) {
      server.on("/charges", 200, "application/json", body);
      try (OutboundHttp http = new OutboundHttp(local())) {
        Verdict<Object> verdict =
            HttpVerifier.<String, Object>of(
                    http,
                    KeyedUrl.template(server.url("/charges?key={key}")),
                    answer -> answer.as(type))
                .verify(CONTEXT, "input");
        assertThat(verdict).isInstanceOf(Verdict.Indeterminate.class);
        assertThat(verdict.evidence()).contains(type.getName(), "Make it a record");
      }
      assertThatThrownBy(() -> HttpAnswer.of(200, Map.of(), body).as(type))
          .isInstanceOf(AnswerTypeException.class);
    }
  }

  @Test
  void whatTheCallerLooksIntoIsRead() {
    HttpAnswer answer = HttpAnswer.of(200, Map.of(), "{\"number\":\"c-1\"}");
    assertThat((Object) answer.as(Map.class)).isEqualTo(Map.of("number", "c-1"));
    assertThat(answer.as(JsonNode.class).path("number").asText()).isEqualTo("c-1");
    assertThat(HttpAnswer.of(200, Map.of(), "17").as(Integer.class)).isEqualTo(17);
    assertThat(HttpAnswer.of(200, Map.of(), "17").as(long.class)).isEqualTo(17L);
    assertThat(HttpAnswer.of(200, Map.of(), "\"c-1\"").as(String.class)).isEqualTo("c-1");
  }

  /** A component that the answer may give as null is no reason to doubt the others. */
  @Test
  void oneComponentOfARecordMayBeNull() {
    record Detailed(String number, String note) {}
    assertThat(
            HttpAnswer.of(200, Map.of(), "{\"number\":\"c-1\",\"note\":null}").as(Detailed.class))
        .isEqualTo(new Detailed("c-1", null));
    assertThatThrownBy(
            () -> HttpAnswer.of(200, Map.of(), "{\"number\":\"c-1\"}").as(Detailed.class))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("note");
  }

  /** A value of zeros would be a receipt over nothing. */
  @Test
  void aNumberThatIsNullIsNoZero() throws Exception {
    record Amount(long cents) {}
    server.on("/charges", 200, "application/json", "{\"cents\":null}");
    try (OutboundHttp http = new OutboundHttp(local())) {
      HttpVerifier<String, Amount> verifier =
          HttpVerifier.of(
              http,
              KeyedUrl.template(server.url("/charges?key={key}")),
              answer -> answer.as(Amount.class));
      assertThat(verifier.verify(CONTEXT, "input")).isInstanceOf(Verdict.Indeterminate.class);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {404, 410, 200})
  void whatAnotherOriginAnswersProvesNothing(int status) throws Exception {
    try (LocalServer elsewhere = LocalServer.start()) {
      elsewhere.on("/login", status, "application/json", "{\"number\":\"c-1\"}");
      redirecting(elsewhere.url("/login"));
      Verdict<Charge> verdict =
          verdict(local().followingRedirects(2), server.url("/charges?key={key}"));
      assertThat(elsewhere.asked()).hasSize(1);
      assertThat(verdict).isInstanceOf(Verdict.Indeterminate.class);
      assertThat(verdict.evidence()).contains("answered " + status, server.url("") + " was asked");
    }
    server.on("/login", 404, "", "");
    redirecting("/login");
    assertThat(verdict(local().followingRedirects(2), server.url("/charges?key={key}")))
        .as("the same origin")
        .isInstanceOf(Verdict.NotCompleted.class);
  }

  private void redirecting(String location) {
    server.on(
        "/charges",
        exchange -> {
          exchange.getResponseHeaders().set("Location", location);
          LocalServer.say(exchange, 302, "");
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {".", ".."})
  void aKeyOfDotsIsNoPartOfAUrl(String key) throws Exception {
    server.on("/", 404, "", "");
    server.on("/charges/", 404, "", "");
    try (OutboundHttp http = new OutboundHttp(local())) {
      HttpVerifier<String, Charge> verifier =
          HttpVerifier.of(
              http,
              KeyedUrl.template(server.url("/charges/{declaredKey}")),
              answer -> answer.as(Charge.class));
      assertThat(verifier.verify(CONTEXT.declaring(key), "input"))
          .isInstanceOf(Verdict.Indeterminate.class);
    }
    assertThat(server.asked()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "text/html", "application/jsonp", "text/plain; application/json"})
  void aPageOfAProxyProvesNothing(String type) throws Exception {
    server.on("/charges", 200, type, "{\"number\":\"c-1\"}");
    assertThat(verdict()).isInstanceOf(Verdict.Indeterminate.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"application/json;charset=UTF-8", "Application/JSON", "application/hal+json"})
  void jsonHasManyNames(String type) throws Exception {
    server.on("/charges", 200, type, "{\"number\":\"c-1\"}");
    assertThat(verdict()).isInstanceOf(Verdict.CompletedWithResult.class);
  }

  @Test
  void noAnswerProvesNothing() throws Exception {
    HttpSettings brief = local().withTimeouts(Duration.ofMillis(700), Duration.ofMillis(700));
    server.on("/charges", exchange -> server.hang());
    assertThat(verdict(brief, server.url("/charges?key={key}")))
        .isInstanceOf(Verdict.Indeterminate.class);
    try (RawServer garbage = RawServer.saying("what?\r\n\r\n")) {
      assertThat(verdict(local(), garbage.url("/{key}"))).isInstanceOf(Verdict.Indeterminate.class);
    }
    assertThat(verdict(local(), "http://127.0.0.1:1/{key}"))
        .isInstanceOf(Verdict.Indeterminate.class);
  }

  @Test
  void anAnswerThatIsTooLargeProvesNothing() throws Exception {
    server.on("/charges", 200, "application/json", "{\"number\":\"" + "x".repeat(5_000) + "\"}");
    assertThat(verdict(local().withAnswerBytesMax(1_000), server.url("/charges?key={key}")))
        .isInstanceOf(Verdict.Indeterminate.class);
  }

  @Test
  void whatThePolicyRefusesProvesNothing() throws Exception {
    assertThat(verdict(HttpSettings.publicOnly(), server.url("/charges?key={key}")))
        .isInstanceOf(Verdict.Indeterminate.class);
    assertThat(server.asked()).isEmpty();
  }

  @Test
  void theTemplateHasAKeyInIt() {
    assertThatThrownBy(() -> KeyedUrl.template("http://a.test/charges"))
        .hasMessageContaining("{key}");
    KeyedUrl<String> declared = KeyedUrl.template("http://a.test/{declaredKey}");
    assertThat(declared.of(CONTEXT.declaring("a/b c+{key}"), "x"))
        .isEqualTo("http://a.test/a%2Fb%20c%2B%7Bkey%7D");
    assertThatThrownBy(() -> declared.of(CallContext.of(KEY), "x"))
        .hasMessageContaining("the call has none");
  }

  @Test
  void aCallWithoutTheKeyThatTheUrlNeedsProvesNothing() throws Exception {
    assertThat(verdict(local(), server.url("/{declaredKey}")))
        .isInstanceOf(Verdict.Indeterminate.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 404, 100, 600})
  void aStatusThatSaysSomethingElseCannotSayThatAResultIsGone(int status) throws IOException {
    try (OutboundHttp http = new OutboundHttp(local())) {
      HttpVerifier<String, String> verifier =
          HttpVerifier.of(http, KeyedUrl.template("http://a.test/{key}"), HttpAnswer::body);
      assertThatThrownBy(() -> verifier.resultUnavailableOn(status))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
