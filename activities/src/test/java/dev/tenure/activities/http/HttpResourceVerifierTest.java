package dev.tenure.activities.http;

import static dev.tenure.activities.http.Trial.CONTEXT;
import static dev.tenure.activities.http.Trial.local;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether the outside world still agrees with the history. */
class HttpResourceVerifierTest {
  record Charge(String number, int cents, String tag) {}

  private static final Charge RECORDED = new Charge("c/1", 900, "\"v7\"");

  private final LocalServer server = LocalServer.start();
  private final OutboundHttp http = new OutboundHttp(local());

  @AfterEach
  void stop() {
    http.close();
    server.close();
  }

  private HttpResourceVerifier<String, Charge> verifier() {
    return HttpResourceVerifier.of(
        http, (input, charge) -> server.url("/charges?of=" + KeyedUrl.encoded(charge.number())));
  }

  private Optional<String> difference(HttpResourceVerifier<String, Charge> verifier)
      throws Exception {
    return verifier.difference(CONTEXT, "input", RECORDED);
  }

  private HttpResourceVerifier<String, Charge> comparing() {
    return verifier()
        .comparing("/state", charge -> "PAID")
        .comparing("/amount/cents", Charge::cents);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"state\":\"PAID\",\"amount\":{\"cents\":900},\"more\":1}",
        "{\"state\":\"PAID\",\"amount\":{\"cents\":900.00}}"
      })
  void aResourceThatIsAsItWasAgrees(String body) throws Exception {
    server.on("/charges", 200, "application/json", body);
    assertThat(difference(comparing())).isEmpty();
    assertThat(server.asked().getFirst().uri()).isEqualTo("/charges?of=c%2F1");
  }

  @Test
  void eachFieldThatDiffersIsNamed() throws Exception {
    server.on("/charges", 200, "application/json", "{\"state\":\"REFUNDED\"}");
    assertThat(difference(comparing()).orElseThrow())
        .contains("/state is \"REFUNDED\", and the history has \"PAID\"")
        .contains("/amount/cents is missing, and the history has 900");
  }

  @Test
  void aResourceThatIsGoneDiffers() throws Exception {
    assertThat(difference(verifier()).orElseThrow()).contains("answered 404", "200 was expected");
    assertThat(difference(verifier().expectingStatus(404))).isEmpty();
  }

  @Test
  void theETagHasToBeTheSame() throws Exception {
    server.on(
        "/charges",
        exchange -> {
          exchange.getResponseHeaders().set("ETag", "\"v7\"");
          LocalServer.say(exchange, 200, "");
        });
    assertThat(difference(verifier().comparingETag(Charge::tag))).isEmpty();
    assertThat(difference(verifier().comparingETag(charge -> "\"v6\"")).orElseThrow())
        .contains("ETag is \"v7\", and the history has \"v6\"");
  }

  @Test
  void aLongValueIsShownInPart() throws Exception {
    server.on("/charges", 200, "application/json", "{\"state\":\"" + "x".repeat(9_000) + "\"}");
    assertThat(difference(comparing()).orElseThrow()).hasSizeLessThan(1_000);
  }

  @Test
  void noAnswerThatCanBeReadIsThrown() {
    server.on("/charges", 200, "text/html", "<p>hello</p>");
    assertThatThrownBy(() -> difference(comparing())).hasMessageContaining("no JSON");
    server.close();
    assertThatThrownBy(() -> difference(comparing())).isInstanceOf(RuntimeException.class);
  }
}
