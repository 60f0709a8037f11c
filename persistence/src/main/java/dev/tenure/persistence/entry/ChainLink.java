package dev.tenure.persistence.entry;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * A link of the chain through a workflow's commits: a hash of the row's columns and of the exact
 * stored bytes, which carry the link before it. So a commit that was changed, left out or put in
 * does not fit what follows. That detects damage; it is no seal: code that may write the journal
 * can hash anew.
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

  private final byte[] bytes;

  private ChainLink(byte[] bytes) {
    this.bytes = bytes;
  }

  /** The link that these bytes are. They are not copied. */
  public static ChainLink of(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException(
          "a link of %d bytes, not %d".formatted(bytes.length, BYTES));
    }
    return new ChainLink(bytes);
  }

  /** The link that {@link #toString} gave. */
  public static ChainLink parse(String hex) {
    return of(HexFormat.of().parseHex(hex));
  }

  /**
   * A hash of this link and the bytes, which is no link of a commit that is written today: what a
   * snapshot ends with, and the links of commits of format 1.
   */
  ChainLink with(byte[] content) {
    return new ChainLink(LinkHash.of(bytes, content));
  }

  byte[] bytes() {
    return bytes;
  }

  public byte[] toBytes() {
    return bytes.clone();
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
