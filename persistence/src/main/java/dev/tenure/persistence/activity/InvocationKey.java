package dev.tenure.persistence.activity;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * What was called with what: {@code SHA256(job \0 node \0 tool \0 canonical(args))}. The same call
 * gives the same key in every replay and every attempt.
 */
public final class InvocationKey {
  /** Where a claim does not say what is called: the record of an earlier one says it. */
  public static final InvocationKey RECORDED = new InvocationKey(new byte[32]);

  private final byte[] hash;

  private InvocationKey(byte[] hash) {
    this.hash = hash;
  }

  /**
   * @param job the workflow's id
   * @param node the operation within the workflow's whole life
   * @param tool the activity's name
   * @param arguments in their canonical form
   */
  public static InvocationKey of(String job, String node, String tool, byte[] arguments) {
    MessageDigest digest = sha256();
    for (String part : new String[] {job, node, tool}) {
      digest.update(part.getBytes(StandardCharsets.UTF_8));
      digest.update((byte) 0);
    }
    return new InvocationKey(digest.digest(arguments));
  }

  /** As it was stored. */
  public static InvocationKey ofBytes(byte[] stored) {
    return new InvocationKey(stored.clone());
  }

  public byte[] bytes() {
    return hash.clone();
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException everyJavaHasIt) {
      throw new AssertionError(everyJavaHasIt);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof InvocationKey key && Arrays.equals(hash, key.hash);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(hash);
  }

  /** Lower-case hex. */
  @Override
  public String toString() {
    return HexFormat.of().formatHex(hash);
  }
}
