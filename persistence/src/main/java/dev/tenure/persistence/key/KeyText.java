package dev.tenure.persistence.key;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Identifiers as they are stored: every character survives, none is normalised, and two different
 * identifiers never become one key. What a key cannot hold is percent-escaped over UTF-8 bytes; a
 * lone surrogate is no text and is refused before any key is built.
 */
public final class KeyText {
  private static final char[] HEX = "0123456789ABCDEF".toCharArray();

  private KeyText() {}

  /**
   * The identifier as a column of its own: only NUL, which PostgreSQL cannot hold, and the escape
   * itself are escaped, so that people find their identifiers as they wrote them.
   */
  public static String column(String text) {
    return escape(text, "\0%");
  }

  /** The identifier that was stored as this column. */
  public static String ofColumn(String column) {
    int percent = column.indexOf('%');
    if (percent < 0) return column;
    byte[] utf8 = column.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream text = new ByteArrayOutputStream(utf8.length);
    for (int i = 0; i < utf8.length; i++) {
      if (utf8[i] != '%') {
        text.write(utf8[i]);
        continue;
      }
      if (i + 2 >= utf8.length) throw notOurs(column);
      int high = Character.digit(utf8[i + 1], 16);
      int low = Character.digit(utf8[i + 2], 16);
      if (high < 0 || low < 0) throw notOurs(column);
      text.write(high << 4 | low);
      i += 2;
    }
    return text.toString(StandardCharsets.UTF_8);
  }

  private static IllegalStateException notOurs(String column) {
    return new IllegalStateException("the stored key '" + column + "' has a broken escape");
  }

  /** Several identifiers as one key, {@code a:b:c}; a colon inside one of them is escaped, too. */
  public static String joined(String... components) {
    StringBuilder key = new StringBuilder();
    for (String component : components) {
      if (!key.isEmpty()) key.append(':');
      key.append(escape(component, "\0%:"));
    }
    return key.toString();
  }

  private static String escape(String text, String reserved) {
    StringBuilder escaped = null;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean plain = c > ':' || reserved.indexOf(c) < 0;
      if (!plain && escaped == null) {
        escaped = new StringBuilder(text.length() + 16).append(text, 0, i);
      }
      if (escaped == null) continue;
      if (plain) escaped.append(c);
      else escaped.append('%').append(HEX[c >> 4]).append(HEX[c & 15]);
    }
    return escaped == null ? text : escaped.toString();
  }
}
