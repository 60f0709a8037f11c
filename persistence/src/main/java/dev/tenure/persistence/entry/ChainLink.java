package dev.tenure.persistence.entry;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A link of the chain through a workflow's commits: the SHA-256 of the link before it and the exact
 * stored bytes. Each commit carries the link before it, so none can be changed, left out or put in
 * without breaking what follows.
 */
public final class ChainLink {
  public static final int BYTES = 32;

  /** Before the first commit. */
  public static final ChainLink NONE = new ChainLink(new byte[BYTES]);

  /**
   * In place of a link, in the commit that seals an unreadable history. No hash is known to be
   * equal to it.
   */
  static final ChainLink SEAL = new ChainLink(seal());

  private static byte[] seal() {
    byte[] bytes = new byte[BYTES];
    Arrays.fill(bytes, (byte) 0xff);
    return bytes;
  }

  // Making a digest costs as much as using it.
  private static final ThreadLocal<MessageDigest> SHA_256 =
      ThreadLocal.withInitial(ChainLink::sha256);

  private final byte[] bytes;

  private ChainLink(byte[] bytes) {
    this.bytes = bytes;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  static ChainLink of(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException(
          "a link of %d bytes, not %d".formatted(bytes.length, BYTES));
    }
    return new ChainLink(bytes);
  }

  /** The link after this one, when these are the bytes that were stored. */
  ChainLink after(byte[] stored) {
    MessageDigest digest = SHA_256.get();
    digest.update(bytes);
    return new ChainLink(digest.digest(stored));
  }

  byte[] bytes() {
    return bytes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ChainLink that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** Hexadecimal, as operators compare it. */
  @Override
  public String toString() {
    return HexFormat.of().formatHex(bytes);
  }
}
