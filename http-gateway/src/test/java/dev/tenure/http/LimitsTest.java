package dev.tenure.http;

import static dev.tenure.http.Http.workflow;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tenure.http.gateway.RequestLimits;
import dev.tenure.http.workflow.AnswerLimits;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A node whose operator wants other limits keeps to those, at each limit and one past it. */
class LimitsTest {
  private static final RequestLimits SMALL =
      new RequestLimits(
          4_096,
          Duration.ofSeconds(1),
          16,
          1_024,
          4_096,
          8,
          100,
          new AnswerLimits(10, Duration.ofSeconds(1)));
  private static final String START = "/api/v1/workflows";
  private static Served served;
  private static Http http;

  @BeforeAll
  static void start() {
    served = Served.start(given -> given.withRequests(SMALL));
    http = served.http();
  }

  @AfterAll
  static void stop() {
    served.close();
  }

  private static String nested(int levels) {
    // The body itself is the first level.
    return "{\"type\":\"echo\",\"input\":%s}"
        .formatted("[".repeat(levels - 1) + "]".repeat(levels - 1));
  }

  @Test
  void bodiesAndTheirDepthAreLimited() {
    String frame = "{\"type\":\"echo\",\"input\":\"\"}";
    String most = "x".repeat(4_096 - frame.length());
    assertThat(http.post(START, frame.replace("\"\"", "\"" + most + "\"")).status()).isEqualTo(201);
    Http.Reply over = http.post(START, frame.replace("\"\"", "\"" + most + "y\""));
    assertThat(over.code()).isEqualTo("PayloadTooLarge");
    assertThat(over.text("detail")).contains("4096");

    assertThat(http.post(START, nested(8)).status()).isEqualTo(201);
    Http.Reply deep = http.post(START, nested(9));
    assertThat(deep.code()).isEqualTo("InvalidJson");
    assertThat(deep.text("detail")).contains("DEPTH_MAX = 8");
    assertThat(http.rpc("workflows.start", nested(8)).body().at("/error/code").asInt())
        .as("the call itself is one more level")
        .isEqualTo(-32700);
  }

  @Test
  void headersAndAddressesAreLimited() {
    assertThat(http.with("X-A", "x".repeat(1_024)).get(START).status()).isEqualTo(200);
    Http.Reply header = http.with("X-A", "x".repeat(1_025)).get(START);
    assertThat(header.code()).isEqualTo("HeadersTooLarge");
    assertThat(header.text("detail")).contains("= 16 ", "= 1024 ");
    Http many = http;
    for (int i = 0; i < 17; i++) many = many.with("X-" + i, "x");
    Http.Reply tooMany = many.get(START);
    assertThat(tooMany.code()).as(tooMany.body().toString()).isEqualTo("HeadersTooLarge");
    Http.Reply uri = http.get(START + "?type=" + "x".repeat(4_096));
    assertThat(uri.code()).isEqualTo("UriTooLong");
    assertThat(uri.text("detail")).contains("4096");
  }

  @Test
  void pagesEndEarlyAndGoOnByTheirCursor() {
    for (int i = 0; i < 12; i++) {
      http.post(START, "{\"type\":\"failing\",\"id\":\"page-%d\"}".formatted(i));
    }
    Http.Reply page = http.get(START + "?type=failing&limit=1000");
    assertThat(page.body().get("workflows")).hasSize(10);
    assertThat(
            http.get(START + "?type=failing&limit=1000&cursor=" + page.text("next"))
                .body()
                .get("workflows"))
        .hasSize(2);
  }

  @Test
  void aWaitEndsEarlyAndIsAskedForAgain() {
    http.post(START, "{\"type\":\"basket\",\"id\":\"open\"}");
    long start = System.nanoTime();
    Http.Reply reply = http.with("Prefer", "wait=60").get(workflow("open", "result"));
    assertThat(reply.status()).isEqualTo(202);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(45));
  }

  @Test
  void limitsThatMakeNoSenseAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AnswerLimits(9, Duration.ofSeconds(1)));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new RequestLimits(
                    1_023,
                    SMALL.bodyTime(),
                    SMALL.headerCount(),
                    SMALL.headerBytes(),
                    SMALL.uriBytes(),
                    SMALL.jsonDepth(),
                    SMALL.connections(),
                    SMALL.answers()))
        .withMessageContaining("bodyBytes")
        .withMessageContaining("1024");
  }
}
