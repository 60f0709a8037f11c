package dev.tenure.http;

import static dev.tenure.http.Http.workflow;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.http.gateway.RequestLimits;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Requests that are no good HTTP, or that stop half-way. */
class ProtocolTest {
  private static final String HEAD =
      "POST /api/v1/workflows HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
  private static final String BODY = "{\"type\":\"basket\"}";
  private static final int TOGETHER = 1_000;
  private static Served served;

  @BeforeAll
  static void start() {
    served = Served.start();
  }

  @AfterAll
  static void stop() {
    served.close();
  }

  private static Http.Reply send(String request) {
    String before = served.stored();
    Http.Reply reply = RawHttp.send(served.uri, request);
    assertThat(served.stored()).isEqualTo(before);
    assertThat(reply.header("Content-Type")).startsWith("application/problem+json");
    assertThat(reply.code()).isNotEmpty();
    return reply;
  }

  @Test
  void conflictingLengthsAreRefused() {
    assertThat(send(HEAD + "Content-Length: 17\r\nContent-Length: 16\r\n\r\n" + BODY).status())
        .isEqualTo(400);
    assertThat(
            send(HEAD + "Content-Length: 17\r\nTransfer-Encoding: chunked\r\n\r\n" + BODY).status())
        .isEqualTo(400);
    assertThat(send(HEAD + "Content-Length: -1\r\n\r\n" + BODY).status()).isEqualTo(400);
    assertThat(send(HEAD + "Content-Length: many\r\n\r\n" + BODY).status()).isEqualTo(400);
  }

  @Test
  void tenThousandHeadersAreRefused() {
    StringBuilder many = new StringBuilder(HEAD);
    for (int i = 0; i < 10_000; i++) many.append("X-").append(i).append(": y\r\n");
    Http.Reply reply = send(many + "Content-Length: 17\r\n\r\n" + BODY);
    assertThat(reply.status()).isIn(400, 431);
    Http.Reply large =
        send(HEAD + "X: " + "y".repeat(RequestLimits.DEFAULT.headerBytes() + 1) + "\r\n\r\n");
    assertThat(large.status()).isEqualTo(431);
    assertThat(large.code()).isEqualTo("HeadersTooLarge");
  }

  @Test
  void aLongAddressIsRefused() {
    Http.Reply reply =
        send("GET /" + "x".repeat(RequestLimits.DEFAULT.uriBytes() + 1) + " HTTP/1.1\r\n\r\n");
    assertThat(reply.status()).isEqualTo(414);
    assertThat(reply.code()).isEqualTo("UriTooLong");
  }

  @Test
  void aMethodThatNobodyKnowsIsRefused() {
    assertThat(send("BREW /api/v1/workflows HTTP/1.1\r\nHost: x\r\n\r\n").status()).isEqualTo(501);
    Http.Reply wrong = send("DELETE /api/v1/workflows HTTP/1.1\r\nHost: x\r\n\r\n");
    assertThat(wrong.status()).isEqualTo(405);
    assertThat(wrong.header("Allow")).isEqualTo("GET, POST");
  }

  @Test
  void aBodyThatNeverComesTimesOut() {
    Http.Reply reply = send(HEAD + "Content-Length: 17\r\n\r\n{\"type\"");
    assertThat(reply.status()).isEqualTo(408);
    assertThat(reply.code()).isEqualTo("RequestTimeout");
  }

  @Test
  void whoeverGoesAwayHalfWayStoresNothing() throws IOException {
    String before = served.stored();
    for (int i = 0; i < 50; i++) {
      try (Socket socket = new Socket(served.uri.getHost(), served.uri.getPort())) {
        socket
            .getOutputStream()
            .write(
                (HEAD + "Content-Length: 17\r\n\r\n{\"type\":\"bask")
                    .getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
      }
    }
    assertThat(served.http().get("/api/v1/workflows").status()).isEqualTo(200);
    assertThat(served.stored()).isEqualTo(before);
  }

  @Test
  void whoeverGoesAwayBeforeTheAnswerFindsItLater() throws IOException {
    served.http().post("/api/v1/workflows", "{\"type\":\"basket\",\"id\":\"left\"}");
    String signal = "{\"signalId\":\"s\",\"payload\":1}";
    try (Socket socket = new Socket(served.uri.getHost(), served.uri.getPort())) {
      String request =
          "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
              .formatted(workflow("left", "signal", "item"), signal.length(), signal);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().flush();
    }
    Http.Reply again = served.http().post(workflow("left", "signal", "item"), signal);
    assertThat(again.status()).isEqualTo(200);
    assertThat(served.count("SELECT signals FROM workflow_all WHERE id = 'left'")).isEqualTo(1);
  }

  @Test
  void pagesOfOtherHostsAreNotServedByAnOpenNode() {
    Http.Reply reply =
        send("GET /api/v1/workflows HTTP/1.1\r\nHost: x\r\nOrigin: http://evil.test\r\n\r\n");
    assertThat(reply.status()).isEqualTo(403);
  }

  /** As workers do that were started together. Those that a system drops would hear nothing. */
  @Test
  void connectionsThatComeTogetherAreAllAnswered() throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(served.uri.resolve("/api/v1/workflows/nobody")).build();
    try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
      for (int i = 0; i < TOGETHER; i++)
        all.add(client.sendAsync(request, HttpResponse.BodyHandlers.ofString()));
      for (CompletableFuture<HttpResponse<String>> one : all)
        assertThat(one.get(2, TimeUnit.MINUTES).statusCode()).isIn(404, 429, 503);
    }
  }
}
