package dev.tenure.persistence.signal;

import dev.tenure.workflow.Payload;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** What a payload was, without the payload: the SHA-256 of its bytes. */
public record ContentHash(String hex) {
  public static ContentHash of(Payload payload) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(payload.bytes());
      return new ContentHash(HexFormat.of().formatHex(digest));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
