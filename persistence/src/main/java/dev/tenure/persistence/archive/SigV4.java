package dev.tenure.persistence.archive;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs requests with AWS Signature Version 4, as S3-compatible stores ask for it. A request is
 * signed with all the headers that are given here.
 */
final class SigV4 {
  private static final String ALGORITHM = "AWS4-HMAC-SHA256";
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  private final S3Credentials credentials;
  private final String region;
  private final String service;

  SigV4(S3Credentials credentials, String region, String service) {
    this.credentials = credentials;
    this.region = region;
    this.service = service;
  }

  /** As it goes into the header {@code x-amz-date}. */
  static String time(Instant now) {
    return TIME.format(now);
  }

  /**
   * The value of the header {@code Authorization}.
   *
   * @param path of the request, escaped
   * @param query of the request, escaped and sorted; empty when there is none
   * @param headers by their names in lower case
   * @param contentHash SHA-256 of the body, in hexadecimal
   */
  String authorization(
      String method,
      String path,
      String query,
      Map<String, String> headers,
      String contentHash,
      Instant now) {
    SortedMap<String, String> sorted = new TreeMap<>(headers);
    String names = String.join(";", sorted.keySet());
    String lines =
        sorted.entrySet().stream()
            .map(header -> header.getKey() + ":" + header.getValue().strip() + "\n")
            .collect(Collectors.joining());
    String request = String.join("\n", method, path, query, lines, names, contentHash);
    String time = time(now);
    String day = time.substring(0, 8);
    String scope = String.join("/", day, region, service, "aws4_request");
    String toSign = String.join("\n", ALGORITHM, time, scope, hash(request));
    byte[] key = utf8("AWS4" + credentials.secretKey());
    for (String part : scope.split("/")) key = hmac(key, part);
    return "%s Credential=%s/%s, SignedHeaders=%s, Signature=%s"
        .formatted(ALGORITHM, credentials.accessKey(), scope, names, hex(hmac(key, toSign)));
  }

  /** A path or a name with all escaped that is not unreserved; slashes stay in a path. */
  static String escaped(String text, boolean isPath) {
    StringBuilder escaped = new StringBuilder();
    for (byte each : utf8(text)) {
      char c = (char) (each & 0xff);
      boolean plain =
          c >= 'a' && c <= 'z'
              || c >= 'A' && c <= 'Z'
              || c >= '0' && c <= '9'
              || "-_.~".indexOf(c) >= 0
              || isPath && c == '/';
      if (plain) escaped.append(c);
      else escaped.append("%%%02X".formatted((int) c));
    }
    return escaped.toString();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  static String hash(String text) {
    try {
      return hex(MessageDigest.getInstance("SHA-256").digest(utf8(text)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static byte[] hmac(byte[] key, String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(utf8(text));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has HMAC with SHA-256", e);
    }
  }
}
