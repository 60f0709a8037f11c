package dev.tenure.persistence.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a server that computes each signature once more from what it received. */
class S3ArchiveTest {
  private static final String SECRET = "the-secret-of-this-test";
  private static final Instant NOW = Instant.parse("2026-02-03T04:05:06Z");
  private static final String NAME = "runs/order 17 ü.gz";

  @TempDir private Path folder;
  private final Map<String, byte[]> objects = new HashMap<>();
  private HttpServer server;

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    String path = exchange.getRequestURI().getRawPath();
    byte[] said = new byte[0];
    int status = 200;
    if (!isSigned(exchange, body)) {
      status = 403;
      said =
          "<Error><Code>SignatureDoesNotMatch</Code><Message>%s</Message></Error>"
              .formatted(SECRET)
              .getBytes(StandardCharsets.UTF_8);
    } else if (exchange.getRequestMethod().equals("PUT")) objects.put(path, body);
    else if (objects.containsKey(path)) said = objects.get(path);
    else {
      status = 404;
      said = "<Error><Code>NoSuchKey</Code></Error>".getBytes(StandardCharsets.UTF_8);
    }
    exchange.sendResponseHeaders(status, said.length == 0 ? -1 : said.length);
    exchange.getResponseBody().write(said);
    exchange.close();
  }

  private static boolean isSigned(HttpExchange exchange, byte[] body) {
    String hash = exchange.getRequestHeaders().getFirst("x-amz-content-sha256");
    if (!hash.equals(sha256(body))) return false;
    String given = exchange.getRequestHeaders().getFirst("Authorization");
    String names = given.replaceAll(".*SignedHeaders=([^,]*),.*", "$1");
    Map<String, String> headers = new HashMap<>();
    for (String name : names.split(";"))
      headers.put(name, exchange.getRequestHeaders().getFirst(name));
    SigV4 expected =
        new SigV4(new S3Credentials("key", SECRET, Optional.empty()), "eu-north-1", "s3");
    return headers.containsKey("host")
        && headers.get("x-amz-date").equals("20260203T040506Z")
        && given.equals(
            expected.authorization(
                exchange.getRequestMethod(),
                exchange.getRequestURI().getRawPath(),
                "",
                headers,
                hash,
                NOW));
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private Map<String, String> environment(String secret) {
    return new HashMap<>(
        Map.of(
            "AWS_ACCESS_KEY_ID", "key",
            "AWS_SECRET_ACCESS_KEY", secret,
            "AWS_SESSION_TOKEN", "a token",
            "AWS_REGION", "eu-north-1",
            "AWS_ENDPOINT_URL_S3", "http://127.0.0.1:" + server.getAddress().getPort() + "/"));
  }

  private ArchivePlace place(String secret) {
    return ArchivePlace.parse("s3://bucket/" + NAME, environment(secret), InstantSource.fixed(NOW));
  }

  @Test
  void whatIsKeptIsFetchedAgain() throws IOException {
    Path file = Files.write(folder.resolve("file"), new byte[100_000]);
    ArchivePlace place = place(SECRET);
    place.archive().keep(place.name(), file);
    assertThat(objects).containsOnlyKeys("/bucket/runs/order%2017%20%C3%BC.gz");
    Path copy = folder.resolve("copy");
    place.archive().fetch(place.name(), copy);
    assertThat(copy).hasSameBinaryContentAs(file);
    assertThatThrownBy(() -> place.archive().fetch("other", copy))
        .isInstanceOf(ArchiveError.class)
        .hasMessageContaining("404, NoSuchKey");
  }

  @Test
  void aRefusalSaysWhyAndNoSecret() throws IOException {
    Path file = Files.write(folder.resolve("file"), new byte[1]);
    ArchivePlace place = place("another secret");
    assertThatThrownBy(() -> place.archive().keep(place.name(), file))
        .isInstanceOf(ArchiveError.class)
        .hasMessageContaining("403, SignatureDoesNotMatch")
        .hasMessageNotContaining(SECRET)
        .hasMessageNotContaining("another secret");
    assertThat(objects).isEmpty();
    server.stop(0);
    assertThatThrownBy(() -> place.archive().keep(place.name(), file))
        .isInstanceOf(ArchiveError.class)
        .hasMessageContaining("was not reached");
  }

  @Test
  void whatIsNoPlaceIsRefused() {
    for (String place : new String[] {"s3://", "s3://bucket", "s3://bucket/", "s3:///name"})
      assertThatThrownBy(
              () -> ArchivePlace.parse(place, environment(SECRET), InstantSource.fixed(NOW)))
          .isInstanceOf(ArchiveError.class)
          .hasMessageContaining("s3://bucket/name");
    Map<String, String> without = environment(SECRET);
    without.remove("AWS_SECRET_ACCESS_KEY");
    assertThatThrownBy(() -> ArchivePlace.parse("s3://b/n", without, InstantSource.fixed(NOW)))
        .isInstanceOf(ArchiveError.class)
        .hasMessageContaining("AWS_SECRET_ACCESS_KEY");
  }
}
