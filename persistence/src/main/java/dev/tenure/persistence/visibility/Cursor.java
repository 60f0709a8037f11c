package dev.tenure.persistence.visibility;

import dev.tenure.persistence.key.KeyText;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;

/** The place of a row in a list, newest first. What it looks like is nobody's business. */
record Cursor(Instant startedAt, String column) {
  private static final byte VERSION = 1;

  /** Before every row. */
  static final Cursor NEWEST = new Cursor(StoredTime.LATEST, "\uffff");

  static Cursor after(WorkflowRow row) {
    return new Cursor(row.startedAt(), KeyText.column(row.id().value()));
  }

  static Cursor of(PageRequest page) {
    return page.cursor().map(Cursor::parse).orElse(NEWEST);
  }

  /** The place that excludes what both exclude. */
  Cursor before(Optional<Instant> time) {
    return time.filter(startedAt::isAfter).map(t -> new Cursor(t, "")).orElse(this);
  }

  String written() {
    byte[] id = column.getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes = ByteBuffer.allocate(13 + id.length);
    bytes.put(VERSION).putLong(startedAt.getEpochSecond()).putInt(startedAt.getNano()).put(id);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
  }

  private static Cursor parse(String written) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(written));
      if (bytes.remaining() <= 13 || bytes.get() != VERSION) throw new InvalidCursorError();
      Instant startedAt = Instant.ofEpochSecond(bytes.getLong(), bytes.getInt());
      String id = StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
      if (id.indexOf('\0') >= 0) throw new InvalidCursorError();
      return new Cursor(StoredTime.floor(startedAt), id);
    } catch (IllegalArgumentException
        | DateTimeException
        | ArithmeticException
        | CharacterCodingException e) {
      throw new InvalidCursorError();
    }
  }
}
