package dev.tenure.persistence.task;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Proves that a worker has a task. It is made for one delivery of one attempt and is of no use for
 * another; only its hash is stored.
 *
 * @param secret random, and known to the worker alone
 */
public record TaskToken(TaskId id, int attempt, int delivery, String secret) {
  /** The SHA-256 of the secret. */
  public byte[] hash() {
    return hash(secret);
  }

  public static byte[] hash(String secret) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException everyJavaHasIt) {
      throw new AssertionError(everyJavaHasIt);
    }
  }

  /** Without the secret: this may end up in a log. */
  @Override
  public String toString() {
    return "token of %s, attempt %d, delivery %d".formatted(id, attempt, delivery);
  }
}
