package dev.tenure.persistence.visibility;

import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;

/**
 * The place of a row in a list, newest first. Its text is opaque.
 *
 * @param number decides between rows that started at the same moment
 */
public record Cursor(Instant startedAt, long number) {
  private static final byte VERSION = 1;
  private static final int BYTES = 1 + Long.BYTES + Integer.BYTES + Long.BYTES;

  /** Before every row. */
  public static final Cursor NEWEST = new Cursor(StoredTime.LATEST, Long.MAX_VALUE);

  public static Cursor of(PageRequest page) {
    return page.cursor().map(Cursor::parse).orElse(NEWEST);
  }

  /** Whether it stands for something older. */
  public boolean isBefore(Cursor other) {
    int time = startedAt.compareTo(other.startedAt);
    return time < 0 || time == 0 && number < other.number;
  }

  /** The place that excludes what both exclude. */
  public Cursor before(Optional<Instant> time) {
    return time.filter(startedAt::isAfter)
        .map(earlier -> new Cursor(earlier, Long.MIN_VALUE))
        .orElse(this);
  }

  public String written() {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES).put(VERSION);
    bytes.putLong(startedAt.getEpochSecond()).putInt(startedAt.getNano()).putLong(number);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
  }

  private static Cursor parse(String written) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(written));
      if (bytes.remaining() != BYTES || bytes.get() != VERSION) throw new InvalidCursorError();
      Instant startedAt = Instant.ofEpochSecond(bytes.getLong(), bytes.getInt());
      return new Cursor(StoredTime.floor(startedAt), bytes.getLong());
    } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
      throw new InvalidCursorError();
    }
  }
}
