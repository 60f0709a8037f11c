package dev.tenure.workflow;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/**
 * A value as the engine sees it: bytes that it keeps and hands on, and never looks into. The array
 * is shared, not copied: do not change it once it is a payload.
 */
public final class Payload {
  /** No value: what a method without a result returns. */
  public static final Payload NONE = new Payload(0, new byte[0], null, null, null, false);

  /** Reads the bytes of a payload from where it is kept. It may take a while, and may fail. */
  @FunctionalInterface
  public interface Source {
    byte[] load();
  }

  private final int size;

  /** Null when it is kept elsewhere. */
  private final byte[] bytes;

  private final Source source;
  private final String fingerprint;
  private final String keeper;
  private final boolean inRecord;

  private Payload(
      int size, byte[] bytes, Source source, String fingerprint, String keeper, boolean inRecord) {
    this.size = size;
    this.bytes = bytes;
    this.source = source;
    this.fingerprint = fingerprint;
    this.keeper = keeper;
    this.inRecord = inRecord;
  }

  public static Payload of(byte[] bytes) {
    return bytes.length == 0 ? NONE : new Payload(bytes.length, bytes, null, null, null, false);
  }

  /** One that was read from a record which has all of its bytes: it is not kept elsewhere. */
  public static Payload inRecord(byte[] bytes) {
    return bytes.length == 0 ? NONE : new Payload(bytes.length, bytes, null, null, null, true);
  }

  /**
   * A payload that is read each time it is needed: what is not used takes no memory.
   *
   * @param keeper whose it is, where it is kept
   */
  public static Payload elsewhere(int size, String fingerprint, String keeper, Source source) {
    return new Payload(size, null, source, fingerprint, keeper, false);
  }

  /** Whose it is, when it is kept elsewhere. */
  public Optional<String> keptBy() {
    return Optional.ofNullable(keeper);
  }

  /** Whether a record has all of its bytes, which so were never kept elsewhere. */
  public boolean isInRecord() {
    return inRecord;
  }

  /** The bytes themselves. Read them only. */
  public byte[] bytes() {
    return bytes != null ? bytes : source.load();
  }

  public int size() {
    return size;
  }

  /** The SHA-256 of the bytes, in hexadecimal: equal for equal payloads, and for no others. */
  public String fingerprint() {
    if (fingerprint != null) return fingerprint;
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes()));
    } catch (NoSuchAlgorithmException everyJavaHasIt) {
      throw new AssertionError(everyJavaHasIt);
    }
  }

  public boolean isNone() {
    return size == 0;
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof Payload that) || size != that.size) return false;
    return bytes != null && that.bytes != null
        ? Arrays.equals(bytes, that.bytes)
        : fingerprint().equals(that.fingerprint());
  }

  @Override
  public int hashCode() {
    // Equal ones are of equal size, wherever they are kept; nothing is hashed by payloads alone.
    return size;
  }

  /** Its size only: payloads may be secret, and this ends up in logs. */
  @Override
  public String toString() {
    return size + " bytes";
  }
}
