package dev.tenure.persistence.codec;

import dev.tenure.persistence.format.FormatLevel;
import dev.tenure.workflow.Payload;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Writes the primitives of the persisted format into a growing array. */
public final class BinaryWriter {
  private byte[] bytes;
  private int size;
  private Instant time = Instant.EPOCH;
  private Apart apart;
  private int references;
  private final int level;

  public BinaryWriter(int expectedBytes) {
    this(expectedBytes, FormatLevel.WRITTEN);
  }

  /**
   * @param level up to which the readers understand what is written
   */
  public BinaryWriter(int expectedBytes, int level) {
    this.level = level;
    bytes = new byte[Math.max(16, expectedBytes)];
  }

  /** Large payloads are written as references from here on, and handed to the given receiver. */
  public void keepApart(Apart keeper) {
    apart = keeper;
  }

  public void payload(Payload payload) {
    if (apart != null && apart.takes(payload)) {
      references++;
      apart.keep(this, payload);
    } else block(payload.bytes());
  }

  /** The newest level of formats that may be written. */
  int level() {
    return level;
  }

  /** How many references were written so far. */
  int references() {
    return references;
  }

  int position() {
    return size;
  }

  void patch(int at, int value) {
    bytes[at] = (byte) value;
  }

  public byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }

  private void room(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
    }
  }

  public void byteOf(int value) {
    room(1);
    bytes[size++] = (byte) value;
  }

  public void raw(byte[] value) {
    room(value.length);
    System.arraycopy(value, 0, bytes, size, value.length);
    size += value.length;
  }

  /** Seven bits a byte, the lowest first; negative numbers take ten bytes. */
  public void number(long value) {
    room(10);
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      bytes[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  /** A number that is small in either direction. */
  public void signed(long value) {
    number(value << 1 ^ value >> 63);
  }

  public void flag(boolean value) {
    byteOf(value ? 1 : 0);
  }

  public void real(double value) {
    room(8);
    long bits = Double.doubleToLongBits(value);
    for (int shift = 56; shift >= 0; shift -= 8) bytes[size++] = (byte) (bits >> shift);
  }

  public void block(byte[] value) {
    number(value.length);
    raw(value);
  }

  /** UTF-8; text that has no such form, because of a lone surrogate, as its plain chars. */
  public void text(String value) {
    int length = value.length();
    int start = size;
    room(length + 5);
    // Nearly all texts are short and plain: their length is known before they are encoded.
    number((long) length << 1);
    room(length);
    for (int i = 0; i < length; i++) {
      char c = value.charAt(i);
      if (c >= 0x80) {
        size = start;
        otherText(value);
        return;
      }
      bytes[size++] = (byte) c;
    }
  }

  private void otherText(String value) {
    if (isWellFormed(value)) {
      byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
      number((long) utf8.length << 1);
      raw(utf8);
    } else {
      byte[] chars = new byte[2 * value.length()];
      for (int i = 0; i < value.length(); i++) {
        chars[2 * i] = (byte) (value.charAt(i) >> 8);
        chars[2 * i + 1] = (byte) value.charAt(i);
      }
      number((long) chars.length << 1 | 1);
      raw(chars);
    }
  }

  private static boolean isWellFormed(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (!Character.isSurrogate(c)) continue;
      boolean pair =
          Character.isHighSurrogate(c)
              && i + 1 < value.length()
              && Character.isLowSurrogate(value.charAt(i + 1));
      if (!pair) return false;
      i++;
    }
    return true;
  }

  /**
   * To the nanosecond, from the event before. Most events of a commit happen together: that is one
   * byte.
   */
  public void moment(Instant value) {
    instant(value);
    time = value;
  }

  /** To the nanosecond, from the moment of this event. */
  public void instant(Instant value) {
    if (value.equals(time)) {
      number(0);
      return;
    }
    long seconds = value.getEpochSecond() - time.getEpochSecond();
    number((seconds << 1 ^ seconds >> 63) + 1);
    number(value.getNano());
  }

  public void duration(Duration value) {
    signed(value.getSeconds());
    number(value.getNano());
  }

  public <T> void optional(Optional<T> value, BiConsumer<BinaryWriter, T> write) {
    flag(value.isPresent());
    if (value.isPresent()) write.accept(this, value.get());
  }

  public <T> void all(Collection<T> values, BiConsumer<BinaryWriter, T> write) {
    number(values.size());
    for (T value : values) write.accept(this, value);
  }

  /**
   * Begins a record whose length stands before it, so that readers can skip what they do not know.
   */
  public int begin() {
    byteOf(0);
    return size;
  }

  /** Ends the record that {@link #begin} returned this for. */
  public void end(int start) {
    int length = size - start;
    if (length < 0x80) {
      bytes[start - 1] = (byte) length;
      return;
    }
    int lengthBytes = (32 - Integer.numberOfLeadingZeros(length) + 6) / 7;
    room(lengthBytes - 1);
    System.arraycopy(bytes, start, bytes, start + lengthBytes - 1, length);
    size = start - 1;
    number(length);
    size += length;
  }
}
