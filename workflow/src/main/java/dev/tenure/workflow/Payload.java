package dev.tenure.workflow;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A value as the engine sees it: bytes that it keeps and hands on, and never looks into. The array
 * is shared, not copied: nobody changes it once it is a payload.
 */
public final class Payload {
  /** No value: what a method without a result returns. */
  public static final Payload NONE = new Payload(new byte[0]);

  private final byte[] bytes;

  private Payload(byte[] bytes) {
    this.bytes = bytes;
  }

  public static Payload of(byte[] bytes) {
    return bytes.length == 0 ? NONE : new Payload(bytes);
  }

  /** The bytes themselves. Read them only. */
  public byte[] bytes() {
    return bytes;
  }

  public int size() {
    return bytes.length;
  }

  /** The SHA-256 of the bytes, in hexadecimal: equal for equal payloads, and for no others. */
  public String fingerprint() {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes()));
    } catch (NoSuchAlgorithmException everyJavaHasIt) {
      throw new AssertionError(everyJavaHasIt);
    }
  }

  public boolean isNone() {
    return bytes.length == 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Payload that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** Its size only: payloads may be secret, and this ends up in logs. */
  @Override
  public String toString() {
    return bytes.length + " bytes";
  }
}
