package dev.tenure.persistence.incident;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * What incidents of one cause have in common: kind, type, and the message without what differs from
 * one workflow to the next. It is written down, so the same cause has the same one for ever.
 */
final class Fingerprint {
  private static final int BYTES = 8;

  /** Identifiers are what has a digit in it: numbers, UUIDs, hashes, keys of loops, addresses. */
  private static final Pattern VARIES = Pattern.compile("[\\p{L}\\p{N}_-]*\\p{N}[\\p{L}\\p{N}_-]*");

  private Fingerprint() {}

  /**
   * @param workflowId left out of the message wherever it stands in it
   */
  static String of(String kind, String type, String message, String workflowId) {
    MessageDigest digest = sha256();
    // A separator that none of them holds, or two different triples could become one text.
    digest.update((kind + '\0' + type + '\0').getBytes(StandardCharsets.UTF_8));
    digest.update(normalised(message, workflowId).getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(digest.digest(), 0, BYTES);
  }

  static String normalised(String message, String workflowId) {
    return VARIES.matcher(message.replace(workflowId, "#")).replaceAll("#");
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
