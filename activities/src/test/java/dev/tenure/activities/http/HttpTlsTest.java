package dev.tenure.activities.http;

import static dev.tenure.activities.http.Trial.call;
import static dev.tenure.activities.http.Trial.failing;
import static dev.tenure.activities.http.Trial.local;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With https the name of the URL counts, although the address that was checked is connected to. */
@Timeout(60)
class HttpTlsTest {
  private static final String HOST = "payments.test";

  private static TestTls tls;

  @BeforeAll
  static void keys(@TempDir Path folder) throws Exception {
    tls = TestTls.of(HOST, folder);
  }

  /** Every name leads to this machine. */
  private static HttpSettings settings() {
    return local().withResolver(host -> List.of(InetAddress.ofLiteral("127.0.0.1")));
  }

  @Test
  void theCertificateHasToBeForTheHostOfTheUrl() throws Exception {
    try (LocalServer server = LocalServer.start(tls.server())) {
      server.on("/", 200, "text/plain", "hello");
      HttpAnswer answer =
          call(
              settings().withTls(tls.client()),
              HttpCall.post(server.url(HOST, "/")).withText("text/plain", "hi"));
      assertThat(answer.body()).isEqualTo("hello");
      assertThat(server.asked().getFirst().header("Host")).contains(HOST + ":" + server.port());
      assertThat(server.asked().getFirst().body()).isEqualTo("hi");
      assertThat(server.asked().getFirst().headers().keySet())
          .noneMatch(name -> name.startsWith("Proxy"));

      failing(settings().withTls(tls.client()), HttpCall.post(server.url("other.test", "/")))
          .isUnsent()
          .saying("TLS");
      failing(settings().withTls(tls.client()), HttpCall.post(server.url("127.0.0.1", "/")))
          .isUnsent()
          .saying("TLS");
      assertThat(server.asked()).hasSize(1);
    }
  }

  @Test
  void aCertificateThatIsNotTrustedHadNoEffect() {
    try (LocalServer server = LocalServer.start(tls.server())) {
      failing(settings(), HttpCall.post(server.url(HOST, "/"))).isUnsent().saying("TLS");
      assertThat(server.asked()).isEmpty();
    }
  }

  @Test
  void aServerThatSpeaksNoTlsIsNotCertainToHaveDoneNothing() throws IOException {
    try (ServerSocket plain = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual()
          .start(
              () -> {
                try (Socket connection = plain.accept()) {
                  connection.getInputStream().read();
                  connection.getOutputStream().write("HTTP/1.1 400 Bad\r\n\r\n".getBytes(US_ASCII));
                  connection.getInputStream().readAllBytes();
                } catch (IOException ended) {
                  // The test looks at what the caller makes of it.
                }
              });
      failing(
              settings().withTls(tls.client()),
              HttpCall.post("https://%s:%d/".formatted(HOST, plain.getLocalPort())))
          .isUncertain();
    }
  }

  @Test
  void aHandshakeThatIsNeverAnsweredHadNoEffect() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Duration brief = Duration.ofMillis(700);
      failing(
              settings().withTls(tls.client()).withTimeouts(brief, brief),
              HttpCall.post("https://%s:%d/".formatted(HOST, silent.getLocalPort())))
          .isUnsent()
          .saying("in time");
    }
  }

  @Test
  void aServerThatHangsUpInTheHandshakeHadNoEffect() throws IOException {
    try (ServerSocket rude = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual()
          .start(
              () -> {
                try (Socket connection = rude.accept()) {
                  connection.getInputStream().read();
                } catch (IOException ended) {
                  // The test looks at what the caller makes of it.
                }
              });
      failing(
              settings().withTls(tls.client()),
              HttpCall.post("https://%s:%d/".formatted(HOST, rude.getLocalPort())))
          .isUnsent();
    }
  }

  @Test
  void anAnswerThatNeverComesOverTlsMayHaveHadItsEffect() {
    try (LocalServer server = LocalServer.start(tls.server())) {
      server.on("/", exchange -> server.hang());
      Duration brief = Duration.ofSeconds(3);
      failing(
              settings().withTls(tls.client()).withTimeouts(brief, brief),
              HttpCall.post(server.url(HOST, "/")))
          .isUncertain();
      assertThat(server.asked()).hasSize(1);
    }
  }
}
