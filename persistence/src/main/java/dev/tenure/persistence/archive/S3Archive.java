package dev.tenure.persistence.archive;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Archives as objects of a bucket of an S3-compatible store. */
final class S3Archive implements Archive {
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);
  private static final Duration ANSWER_LIMIT = Duration.ofMinutes(10);

  /** What one request may carry in S3. */
  private static final long OBJECT_BYTES_MAX = 5L * 1024 * 1024 * 1024;

  private static final int REFUSAL_BYTES_MAX = 4_096;
  private static final Pattern CODE = Pattern.compile("<Code>([A-Za-z0-9.]{1,64})</Code>");

  private final URI bucket;
  private final S3Credentials credentials;
  private final SigV4 signatures;
  private final InstantSource clock;
  private final HttpClient http;

  private S3Archive(URI bucket, String region, S3Credentials credentials, InstantSource clock) {
    this.bucket = bucket;
    this.credentials = credentials;
    this.signatures = new SigV4(credentials, region, "s3");
    this.clock = clock;
    this.http = HttpClient.newBuilder().connectTimeout(CONNECT_LIMIT).build();
  }

  /**
   * A bucket, with what the environment says under the names that AWS gave its variables: {@code
   * AWS_ACCESS_KEY_ID}, {@code AWS_SECRET_ACCESS_KEY}, {@code AWS_SESSION_TOKEN}, {@code
   * AWS_REGION}, and {@code AWS_ENDPOINT_URL_S3} or {@code AWS_ENDPOINT_URL} for a store that is
   * not Amazon's.
   */
  static S3Archive of(String bucket, Map<String, String> environment, InstantSource clock) {
    S3Credentials credentials =
        new S3Credentials(
            required(environment, "AWS_ACCESS_KEY_ID"),
            required(environment, "AWS_SECRET_ACCESS_KEY"),
            given(environment, "AWS_SESSION_TOKEN"));
    String region =
        given(environment, "AWS_REGION")
            .or(() -> given(environment, "AWS_DEFAULT_REGION"))
            .orElse("us-east-1");
    String name = SigV4.escaped(bucket, false);
    String address =
        given(environment, "AWS_ENDPOINT_URL_S3")
            .or(() -> given(environment, "AWS_ENDPOINT_URL"))
            .map(endpoint -> endpoint.replaceAll("/+$", "") + "/" + name)
            .orElse("https://%s.s3.%s.amazonaws.com".formatted(name, region));
    return new S3Archive(address(address), region, credentials, clock);
  }

  private static URI address(String text) {
    try {
      URI address = URI.create(text);
      if (address.getHost() != null && address.getScheme().startsWith("http")) return address;
    } catch (IllegalArgumentException e) {
      // said below
    }
    throw new ArchiveError("the address of the S3 store is none: " + text);
  }

  private static Optional<String> given(Map<String, String> environment, String variable) {
    return Optional.ofNullable(environment.get(variable)).filter(value -> !value.isBlank());
  }

  private static String required(Map<String, String> environment, String variable) {
    return given(environment, variable)
        .orElseThrow(() -> new ArchiveError("an S3 store needs the variable " + variable));
  }

  @Override
  public void keep(String name, Path content) {
    try {
      if (Files.size(content) > OBJECT_BYTES_MAX)
        throw new ArchiveError(
            "%s has more than OBJECT_BYTES_MAX = %d bytes: keep it as a file"
                .formatted(name, OBJECT_BYTES_MAX));
      String hash = hash(content);
      send(name, request("PUT", name, hash, HttpRequest.BodyPublishers.ofFile(content)));
    } catch (IOException e) {
      throw unreachable(name, e);
    }
  }

  @Override
  public void fetch(String name, Path into) {
    HttpRequest request = request("GET", name, SigV4.hash(""), HttpRequest.BodyPublishers.noBody());
    try (InputStream content = send(name, request)) {
      Files.copy(content, into, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw unreachable(name, e);
    }
  }

  private HttpRequest request(
      String method, String name, String hash, HttpRequest.BodyPublisher body) {
    URI address = URI.create(bucket + "/" + SigV4.escaped(name, true));
    Instant now = clock.instant();
    Map<String, String> signed = new TreeMap<>();
    signed.put("x-amz-content-sha256", hash);
    signed.put("x-amz-date", SigV4.time(now));
    credentials.sessionToken().ifPresent(token -> signed.put("x-amz-security-token", token));
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address).timeout(ANSWER_LIMIT).method(method, body);
    signed.forEach(request::header);
    // The client sends it by itself, and lets nobody set it.
    signed.put("host", address.getRawAuthority());
    return request
        .header(
            "Authorization",
            signatures.authorization(method, address.getRawPath(), "", signed, hash, now))
        .build();
  }

  /** The body of the answer, when it is a success. */
  private InputStream send(String name, HttpRequest request) throws IOException {
    try {
      HttpResponse<InputStream> answer =
          http.send(request, HttpResponse.BodyHandlers.ofInputStream());
      if (answer.statusCode() / 100 == 2) return answer.body();
      try (InputStream body = answer.body()) {
        throw refused(name, answer.statusCode(), body.readNBytes(REFUSAL_BYTES_MAX));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ArchiveError("interrupted while %s was sent".formatted(name), e);
    }
  }

  /** The store's own word for it; the rest of the answer may repeat what was sent. */
  private ArchiveError refused(String name, int status, byte[] body) {
    Matcher code = CODE.matcher(new String(body, StandardCharsets.UTF_8));
    return new ArchiveError(
        "%s refused %s: status %d%s"
            .formatted(bucket, name, status, code.find() ? ", " + code.group(1) : ""));
  }

  private ArchiveError unreachable(String name, IOException e) {
    return new ArchiveError("%s in %s was not reached: %s".formatted(name, bucket, e), e);
  }

  private static String hash(Path content) throws IOException {
    try (InputStream in = Files.newInputStream(content);
        DigestInputStream digested =
            new DigestInputStream(in, MessageDigest.getInstance("SHA-256"))) {
      digested.transferTo(OutputStream.nullOutputStream());
      return HexFormat.of().formatHex(digested.getMessageDigest().digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
