package dev.tenure.activities.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.activities.outbound.Target;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The listener between the client and the server is of use to nobody else on the machine. */
@Timeout(60)
class CheckedConnectionTest {
  private static final Duration SPAN = Duration.ofSeconds(30);
  private static final String ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

  private static CheckedConnection open(String url) {
    return CheckedConnection.open(
        Target.of(url),
        List.of(InetAddress.getLoopbackAddress()),
        SPAN,
        TimeLeft.of(SPAN, Optional.empty(), InstantSource.system()));
  }

  /** What comes back for the text, until the connection ends. */
  private static String exchanged(CheckedConnection connection, String text) throws IOException {
    try (Socket socket =
        new Socket(connection.proxy().getAddress(), connection.proxy().getPort())) {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    } catch (SocketException reset) {
      return "";
    }
  }

  private static String request(String url, String secret) {
    return "GET %s HTTP/1.1\r\nHost: a\r\n%s: %s\r\n\r\n"
        .formatted(url, CheckedConnection.SECRET_HEADER, secret);
  }

  @Test
  void theFirstRequestWithTheSecretIsHandedOnAndNoOther() throws IOException {
    try (RawServer server = RawServer.saying(ANSWER);
        CheckedConnection connection = open(server.url("/a"))) {
      assertThat(exchanged(connection, request(server.url("/a"), "guessed"))).isEmpty();
      assertThat(exchanged(connection, "GET / HTTP/1.1\r\n\r\n")).isEmpty();
      assertThat(exchanged(connection, "nonsense\r\n\r\n")).isEmpty();
      assertThat(exchanged(connection, "cut")).isEmpty();
      assertThat(connection.isRequestOut()).isFalse();
      assertThat(server.requests()).isZero();

      String own = request(server.url("/a"), connection.secret());
      assertThat(exchanged(connection, own)).isEqualTo(ANSWER);
      assertThat(connection.isRequestOut()).isTrue();
      assertThat(exchanged(connection, own)).isEmpty();
      assertThat(server.requests()).isEqualTo(1);
    }
  }

  @Test
  void theListenerLeadsToItsTargetOnly() throws IOException {
    try (RawServer server = RawServer.saying(ANSWER);
        CheckedConnection connection = open(server.url("/a"))) {
      String other = request("http://127.0.0.1:1/", connection.secret());
      assertThat(exchanged(connection, other)).isEmpty();
      assertThat(server.requests()).isZero();
    }
  }

  @Test
  void aTunnelIsForTlsOnly() throws IOException {
    try (RawServer server = RawServer.saying(ANSWER);
        CheckedConnection connection = open(server.url("/a"))) {
      String tunnel =
          "CONNECT 127.0.0.1:%d HTTP/1.1\r\n%s: %s\r\n\r\n"
              .formatted(server.port(), CheckedConnection.SECRET_HEADER, connection.secret());
      assertThat(exchanged(connection, tunnel)).isEmpty();
      assertThat(server.requests()).isZero();
    }
  }

  @Test
  void thePortIsKeptUntilTheCallIsOver() throws IOException {
    try (RawServer server = RawServer.saying(ANSWER)) {
      CheckedConnection connection = open(server.url("/a"));
      exchanged(connection, request(server.url("/a"), connection.secret()));
      try (Socket still =
          new Socket(connection.proxy().getAddress(), connection.proxy().getPort())) {
        assertThat(still.isConnected()).isTrue();
      }
      connection.close();
      // A thread that waits in accept gives the port back a moment later.
      long deadline = System.nanoTime() + SPAN.toNanos();
      while (isListening(connection)) assertThat(System.nanoTime()).isLessThan(deadline);
    }
  }

  private static boolean isListening(CheckedConnection connection) {
    try (Socket socket =
        new Socket(connection.proxy().getAddress(), connection.proxy().getPort())) {
      return socket.isConnected();
    } catch (IOException refused) {
      return false;
    }
  }

  @Test
  void whatIsForProxiesIsTakenOutOfTheHead() throws IOException {
    RequestHead head =
        head(
            "POST http://a.test:81/x?y=z HTTP/1.1\r\n"
                + "Host: a.test:81\r\n"
                + "proxy-b: c\r\n"
                + "A: b\r\n\r\n"
                + "body");
    assertThat(new String(head.forServer("http://a.test:81"), StandardCharsets.US_ASCII))
        .isEqualTo("POST /x?y=z HTTP/1.1\r\nHost: a.test:81\r\nA: b\r\n\r\n");
    assertThatThrownBy(() -> head.forServer("http://a.test:8")).isInstanceOf(IOException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "GET / HTTP/1.1\r\n", "GET /\r\n\r\n", "\r\n\r\n"})
  void aHeadThatIsNoneIsRefused(String text) {
    assertThatThrownBy(() -> head(text)).isInstanceOf(IOException.class);
  }

  @Test
  void aHeadWithoutEndIsCutOff() {
    String endless = "GET / HTTP/1.1\r\nA: " + "b".repeat(RequestHead.BYTES_MAX);
    assertThatThrownBy(() -> head(endless)).hasMessageContaining("too long");
  }

  private static RequestHead head(String text) throws IOException {
    return RequestHead.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII)));
  }
}
