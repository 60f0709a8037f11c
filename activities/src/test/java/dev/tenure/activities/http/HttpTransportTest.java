package dev.tenure.activities.http;

import static dev.tenure.activities.http.Trial.CONTEXT;
import static dev.tenure.activities.http.Trial.call;
import static dev.tenure.activities.http.Trial.failing;
import static dev.tenure.activities.http.Trial.local;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.activities.http.Trial.Told;
import dev.tenure.activities.http.Trial.Told.Again;
import dev.tenure.workflow.Failure.OutsideEffect;
import dev.tenure.workflow.NoEffectException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the engine is told when there is no whole answer, and that no request is sent twice. */
@Timeout(60)
class HttpTransportTest {
  private static final Duration SHORT = Duration.ofMillis(700);

  private static HttpSettings hurried() {
    return local().withTimeouts(SHORT, SHORT);
  }

  // --- nothing was sent

  @Test
  void aConnectionThatIsRefusedHadNoEffect() throws IOException {
    int port;
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = taken.getLocalPort();
    }
    failing(local(), HttpCall.post("http://127.0.0.1:" + port + "/")).isUnsent();
  }

  @Test
  void anUnknownHostHadNoEffect() {
    HttpSettings settings =
        local()
            .withResolver(
                host -> {
                  throw new UnknownHostException(host);
                });
    failing(settings, HttpCall.post("http://none.test/")).isUnsent().saying("none.test");
  }

  @Test
  void aLookUpThatFailsHadNoEffect() {
    HttpSettings settings =
        local()
            .withResolver(
                host -> {
                  throw new IllegalStateException("no network");
                });
    failing(settings, HttpCall.post("http://none.test/")).isUnsent().saying("no network");
  }

  @Test
  void aLookUpThatHangsEndsInTime() {
    CountDownLatch over = new CountDownLatch(1);
    HttpSettings settings =
        hurried()
            .withResolver(
                host -> {
                  try {
                    over.await();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                  return List.of(InetAddress.getLoopbackAddress());
                });
    failing(settings, HttpCall.post("http://slow.test/")).isUnsent().saying("slow.test");
    over.countDown();
  }

  @Test
  void aDeadlineThatIsOverSendsNothing() throws IOException {
    try (RawServer server = RawServer.saying("HTTP/1.1 200 OK\r\n\r\n")) {
      failing(local(), CONTEXT.until(Instant.EPOCH), HttpCall.post(server.url("/"))).isUnsent();
      assertThat(server.connections()).isZero();
    }
  }

  @Test
  void theNextAddressIsTriedWhenOneCannotBeReached() throws Exception {
    try (LocalServer server = LocalServer.start()) {
      server.on("/", 200, "", "");
      HttpSettings settings =
          local()
              .withResolver(
                  host ->
                      // Nothing listens on the second loopback address.
                      List.of(
                          InetAddress.ofLiteral("127.0.0.2"), InetAddress.ofLiteral("127.0.0.1")));
      assertThat(call(settings, HttpCall.get(server.url("two.test", "/"))).status()).isEqualTo(200);
    }
  }

  // --- the request is out

  @Test
  void anAnswerThatNeverComesMayHaveHadItsEffect() throws IOException {
    try (RawServer server = RawServer.sayingWithoutEnd("")) {
      failing(hurried(), HttpCall.post(server.url("/"))).isUncertain().saying("in time");
      assertThat(server.requests()).isEqualTo(1);
    }
  }

  @Test
  void theDeadlineOfTheAttemptEndsTheCallBeforeItsOwnTimeout() throws IOException {
    try (RawServer server = RawServer.sayingWithoutEnd("")) {
      Told told =
          failing(
              local(), CONTEXT.until(Instant.now().plus(SHORT)), HttpCall.post(server.url("/")));
      told.isUncertain().saying("in time");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nContent-Le",
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nabc"
      })
  void anAnswerThatDripsAndStopsEndsInTime(String beginning) throws IOException {
    try (RawServer server = RawServer.sayingWithoutEnd(beginning)) {
      failing(hurried(), HttpCall.post(server.url("/"))).isUncertain();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n",
        "HTTP/1.1 xyz OK\r\n\r\n",
        "SSH-2.0-OpenSSH_9.6\r\n",
        "\u0000\u0001\u0002\u0003\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\n\r\n"
      })
  void anAnswerThatIsGarbageMayHaveHadItsEffect(String garbage) throws IOException {
    try (RawServer server = RawServer.saying(garbage)) {
      failing(local(), HttpCall.post(server.url("/"))).isUncertain();
      assertThat(server.requests()).isEqualTo(1);
    }
  }

  @Test
  void anAnswerWhoseConnectionBreaksIsNotTakenAsWhole() throws IOException {
    // Without a length the end of the connection is the end of the body.
    try (RawServer server =
        RawServer.start(
            (connection, out) -> {
              out.write("HTTP/1.1 200 OK\r\n\r\nhal".getBytes(StandardCharsets.US_ASCII));
              out.flush();
              connection.setSoLinger(true, 0);
            })) {
      failing(local(), HttpCall.post(server.url("/"))).isUncertain();
    }
  }

  @Test
  void anAnswerWithoutALengthEndsWithItsConnection() throws Exception {
    try (RawServer server = RawServer.saying("HTTP/1.1 200 OK\r\n\r\nwhole")) {
      assertThat(call(local(), HttpCall.get(server.url("/"))).body()).isEqualTo("whole");
    }
  }

  /** How the connection ends decides whether the answer gets through, so both are right. */
  @Test
  void aServerThatEndsTheConnectionInTheMiddleOfARequestHoldsUpNobody() throws IOException {
    String refusal = "HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\n\r\nbig";
    try (RawServer server = RawServer.saying(refusal)) {
      String large = "x".repeat(8 << 20);
      HttpCall call = HttpCall.post(server.url("/")).withText("text/plain", large);
      for (int i = 0; i < 20; i++)
        assertThat(failing(local(), call).code()).isIn("http.413", "http.no-answer");
    }
  }

  /** The JDK's client repeats a GET by itself when its connection ends before an answer. */
  @Test
  void noRequestIsSentTwice() throws IOException {
    try (RawServer server = RawServer.saying("")) {
      failing(local(), HttpCall.get(server.url("/"))).isUncertain();
      assertThat(server.requests()).isEqualTo(1);
      assertThat(server.connections()).isEqualTo(1);
    }
  }

  @Test
  void aCallOfAnAttemptThatIsGivenUpEndsAtOnce() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    try (RawServer server =
        RawServer.start(
            (connection, out) -> {
              asked.countDown();
              while (connection.getInputStream().read() >= 0) {
                // Until the caller ends the connection.
              }
              ended.countDown();
            })) {
      Thread attempt =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      call(local(), HttpCall.post(server.url("/")));
                    } catch (Exception e) {
                      thrown.set(e);
                    }
                  });
      asked.await();
      attempt.interrupt();
      attempt.join();
      assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
      ended.await();
    }
  }

  @Test
  void callsAtTheSameTimeGetTheirOwnAnswers() throws Exception {
    try (LocalServer server = LocalServer.start();
        OutboundHttp http = new OutboundHttp(local());
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      server.on(
          "/", exchange -> LocalServer.say(exchange, 200, exchange.getRequestURI().getRawQuery()));
      var body = HttpActivity.code(HttpActivity.define("call"), http).body();
      List<Future<String>> answers = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        HttpCall call = HttpCall.post(server.url("/?" + i));
        answers.add(threads.submit(() -> body.run(CONTEXT, call).body()));
      }
      for (int i = 0; i < answers.size(); i++)
        assertThat(answers.get(i).get()).isEqualTo(Integer.toString(i));
      assertThat(server.asked()).hasSize(200);
    }
  }

  @Test
  void nothingIsSentAnyMoreAfterTheClientWasClosed() {
    OutboundHttp http = new OutboundHttp(local());
    http.close();
    try (LocalServer server = LocalServer.start()) {
      var body = HttpActivity.code(HttpActivity.define("call"), http).body();
      assertThatThrownBy(() -> body.run(CONTEXT, HttpCall.post(server.url("/"))))
          .isInstanceOf(NoEffectException.class);
      assertThat(server.asked()).isEmpty();
    }
  }

  // --- too much

  @Test
  void anAnswerUpToTheLimitIsTaken() throws Exception {
    try (LocalServer server = LocalServer.start()) {
      server.on("/", 200, "text/plain", "x".repeat(5_000));
      HttpAnswer answer = call(local().withAnswerBytesMax(5_000), HttpCall.get(server.url("/")));
      assertThat(answer.body()).hasSize(5_000);
      failing(local().withAnswerBytesMax(4_999), HttpCall.get(server.url("/")))
          .is("too large", Again.PERMANENT, OutsideEffect.POSSIBLE)
          .saying("answerBytesMax = 4999");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"200 OK", "500 Oops"})
  void anAnswerWithoutEndIsCutOff(String status) throws IOException {
    byte[] chunk = ("10000\r\n" + "x".repeat(0x10000) + "\r\n").getBytes(StandardCharsets.US_ASCII);
    try (RawServer server =
        RawServer.start(
            (connection, out) -> {
              String head = "HTTP/1.1 " + status + "\r\nTransfer-Encoding: chunked\r\n\r\n";
              out.write(head.getBytes(StandardCharsets.US_ASCII));
              while (true) out.write(chunk);
            })) {
      Told told = failing(local(), HttpCall.post(server.url("/")));
      if (status.startsWith("200")) told.is("too large", Again.PERMANENT, OutsideEffect.POSSIBLE);
      else told.is("http.500", Again.RETRYABLE, OutsideEffect.POSSIBLE);
    }
  }

  @Test
  void headersWithoutEndAreCutOff() throws IOException {
    byte[] header = ("X-More: " + "x".repeat(1_000) + "\r\n").getBytes(StandardCharsets.US_ASCII);
    try (RawServer server =
        RawServer.start(
            (connection, out) -> {
              out.write("HTTP/1.1 200 OK\r\n".getBytes(StandardCharsets.US_ASCII));
              while (true) out.write(header);
            })) {
      failing(local(), HttpCall.post(server.url("/"))).isUncertain();
    }
  }
}
