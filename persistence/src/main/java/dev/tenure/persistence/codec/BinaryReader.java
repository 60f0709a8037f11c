package dev.tenure.persistence.codec;

import dev.tenure.persistence.format.FormatLevel;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads what {@link BinaryWriter} wrote. For any bytes, it takes time and memory in proportion to
 * their number, and throws {@link CorruptEntryError} when they cannot be right.
 */
public final class BinaryReader {
  /** In place of a payload's length: the payload is kept apart. */
  static final long APART = -1;

  private static final int HASH_BYTES = 32;
  private static final int MAX_DEPTH = 64;

  private final byte[] bytes;
  private int at;
  private int limit;
  private int depth;
  private Instant time = Instant.EPOCH;

  private final Payloads payloads;
  private final boolean ofRecord;
  private final int level;
  private List<Payload> apart = List.of();

  public BinaryReader(byte[] bytes) {
    this(bytes, Payloads.NONE, false, FormatLevel.READ);
  }

  /**
   * Of a record of the store.
   *
   * @param payloads reads the payloads that are kept apart, when the code asks for their content
   */
  public BinaryReader(byte[] bytes, Payloads payloads) {
    this(bytes, payloads, FormatLevel.READ);
  }

  /**
   * Of a record of the store.
   *
   * @param level the newest of formats that the engine reads
   */
  public BinaryReader(byte[] bytes, Payloads payloads, int level) {
    this(bytes, payloads, true, level);
  }

  private BinaryReader(byte[] bytes, Payloads payloads, boolean ofRecord, int level) {
    this.level = level;
    this.payloads = payloads;
    this.ofRecord = ofRecord;
    this.bytes = bytes;
    this.limit = bytes.length;
  }

  /** The newest level of formats that the engine reads. */
  int level() {
    return level;
  }

  /** Whether the record goes on: a field that came later may not have been written yet. */
  public boolean hasMore() {
    return at < limit;
  }

  private void require(long count) {
    if (count < 0 || count > limit - at) throw new CorruptEntryError("it ends too early");
  }

  public int byteOf() {
    require(1);
    return bytes[at++] & 0xff;
  }

  public byte[] raw(int length) {
    require(length);
    at += length;
    return Arrays.copyOfRange(bytes, at - length, at);
  }

  public long number() {
    long value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      int next = byteOf();
      if (shift == 63 && next > 1) break;
      value |= (long) (next & 0x7f) << shift;
      if (next < 0x80) return value;
    }
    throw new CorruptEntryError("a number has too many bytes");
  }

  public int smallNumber() {
    long value = number();
    if (value < 0 || value > Integer.MAX_VALUE)
      throw new CorruptEntryError("a number is too large");
    return (int) value;
  }

  public long signed() {
    long value = number();
    return value >>> 1 ^ -(value & 1);
  }

  public boolean flag() {
    int value = byteOf();
    if (value > 1) throw new CorruptEntryError("a truth value is neither 0 nor 1");
    return value == 1;
  }

  public double real() {
    require(8);
    long bits = 0;
    for (int i = 0; i < 8; i++) bits = bits << 8 | bytes[at++] & 0xff;
    return Double.longBitsToDouble(bits);
  }

  public byte[] block() {
    long length = number();
    require(length);
    return raw((int) length);
  }

  public Payload payload() {
    long length = number();
    if (length != APART) {
      require(length);
      byte[] content = raw((int) length);
      return ofRecord ? Payload.inRecord(content) : Payload.of(content);
    }
    int size = smallNumber();
    byte[] hash = raw(HASH_BYTES);
    WorkflowId keeper = new WorkflowId(text());
    if (apart.isEmpty()) apart = new ArrayList<>(1);
    apart.add(
        Payload.elsewhere(
            size,
            HexFormat.of().formatHex(hash),
            keeper.value(),
            () -> payloads.load(keeper, hash)));
    return apart.getLast();
  }

  /** The payloads that were read so far and are kept apart. */
  public List<Payload> apart() {
    return List.copyOf(apart);
  }

  public String text() {
    long head = number();
    long length = head >>> 1;
    require(length);
    int start = at;
    at += (int) length;
    if ((head & 1) == 0) return new String(bytes, start, (int) length, StandardCharsets.UTF_8);
    if (length % 2 != 0) throw new CorruptEntryError("half a character");
    char[] chars = new char[(int) length / 2];
    for (int i = 0; i < chars.length; i++) {
      chars[i] = (char) (bytes[start + 2 * i] << 8 | bytes[start + 2 * i + 1] & 0xff);
    }
    return new String(chars);
  }

  public Instant moment() {
    time = instant();
    return time;
  }

  public Instant instant() {
    long head = number();
    if (head == 0) return time;
    long zigzag = head - 1;
    long seconds = time.getEpochSecond() + (zigzag >>> 1 ^ -(zigzag & 1));
    return Instant.ofEpochSecond(seconds, nanos());
  }

  public Duration duration() {
    return Duration.ofSeconds(signed(), nanos());
  }

  private int nanos() {
    int nanos = smallNumber();
    if (nanos > 999_999_999) throw new CorruptEntryError("a second has too many nanoseconds");
    return nanos;
  }

  public <T> Optional<T> optional(Function<BinaryReader, T> read) {
    return flag() ? Optional.of(read.apply(this)) : Optional.empty();
  }

  public <T> List<T> all(Function<BinaryReader, T> read) {
    int count = smallNumber();
    // Each takes a byte at least: a count beyond what is left would only cost memory.
    require(count);
    List<T> values = new ArrayList<>(count);
    for (int i = 0; i < count; i++) values.add(read.apply(this));
    return values;
  }

  /** Enters a record; give the answer to {@link #end}. */
  public int begin() {
    long length = number();
    require(length);
    if (++depth > MAX_DEPTH) throw new CorruptEntryError("it is nested too deeply");
    int outer = limit;
    limit = at + (int) length;
    return outer;
  }

  /** Leaves a record. What a newer engine added behind the fields we know is passed over. */
  public void end(int outer) {
    at = limit;
    limit = outer;
    depth--;
  }
}
