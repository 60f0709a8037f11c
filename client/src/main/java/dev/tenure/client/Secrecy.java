package dev.tenure.client;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Finds out why there is no secure connection. When one side uses TLS and the other does not, the
 * connection breaks without an answer. The client would try again and report that the call may have
 * been carried out, although it was not.
 */
final class Secrecy {
  private static final Duration QUESTION_TIME_MAX = Duration.ofSeconds(3);
  private static final int HTTP_PORT = 80;

  // The JDK has one exception for all of this; its words are what tells them apart.
  private static final String PLAINTEXT = "plaintext connection";
  private static final String HUNG_UP = "terminated the handshake";

  private final URI server;

  /**
   * True when no check is needed: the client uses TLS, or the server has answered or was checked
   * once.
   */
  private volatile boolean settled;

  Secrecy(URI server) {
    this.server = server;
    this.settled = !server.getScheme().equals("http");
  }

  void answered() {
    settled = true;
  }

  /** Empty when the failure has nothing to do with it. */
  Optional<Problem> problem(IOException failure) {
    // One that ends during the greeting may be about to stop: another time it may work.
    if (failure instanceof SSLHandshakeException && !hungUp(failure)) {
      return Optional.of(
          Problem.of(
              Transport.TLS_FAILED,
              "There is no secure connection to %s%s".formatted(server, Transport.why(failure))));
    }
    if (failure instanceof SSLException && isPlaintext(failure)) {
      return Optional.of(
          Problem.of(
              Transport.NO_TLS,
              "%s does not speak TLS: is it http://%s? Then nothing that is sent is secret."
                  .formatted(server, server.getAuthority())));
    }
    // A slow one, or none at all, is no sign of it, and a question would take its time, too.
    boolean broken =
        !(failure instanceof HttpTimeoutException) && !(failure instanceof ConnectException);
    if (settled || !broken) return Optional.empty();
    settled = true;
    if (!speaksTls()) return Optional.empty();
    return Optional.of(
        Problem.of(
            Transport.TLS_WANTED,
            "%s speaks TLS: use https://%s.".formatted(server, server.getAuthority())));
  }

  private static boolean hungUp(IOException failure) {
    return says(failure, HUNG_UP);
  }

  private static boolean isPlaintext(IOException failure) {
    return says(failure, PLAINTEXT);
  }

  private static boolean says(IOException failure, String words) {
    return failure.getMessage() != null && failure.getMessage().contains(words);
  }

  /**
   * Whether the server answers a TLS handshake. Whether its certificate is trusted does not matter
   * here.
   */
  private boolean speaksTls() {
    int port = server.getPort() < 0 ? HTTP_PORT : server.getPort();
    try (Socket plain = new Socket()) {
      int millis = (int) QUESTION_TIME_MAX.toMillis();
      plain.connect(new InetSocketAddress(server.getHost(), port), millis);
      plain.setSoTimeout(millis);
      SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
      try (SSLSocket greeting =
          (SSLSocket) factory.createSocket(plain, server.getHost(), port, true)) {
        greeting.startHandshake();
        return true;
      }
    } catch (SSLException e) {
      // A certificate that is not trusted is one; what ends without one, or is no TLS, is none.
      return !isPlaintext(e) && !hungUp(e);
    } catch (IOException e) {
      // The server does not answer, so this is unknown.
      return false;
    }
  }
}
