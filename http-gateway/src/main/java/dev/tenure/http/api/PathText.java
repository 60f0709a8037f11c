package dev.tenure.http.api;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Identifiers as parts of a path, each character surviving: two of them never become one. */
public final class PathText {
  private static final String UNRESERVED =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_~";
  private static final char[] HEX = "0123456789ABCDEF".toCharArray();

  private PathText() {}

  /** Also dots are escaped: clients take {@code ..} out of a path before they send it. */
  public static String encoded(String text) {
    StringBuilder path = new StringBuilder();
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      boolean inner = b == '.' && !text.equals(".") && !text.equals("..");
      if (b > 0 && UNRESERVED.indexOf(b) >= 0 || inner) path.append((char) b);
      else path.append('%').append(HEX[(b >> 4) & 15]).append(HEX[b & 15]);
    }
    return path.toString();
  }

  /** As most are: there is nothing to decode. */
  private static boolean isPlain(String raw) {
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      if (c == '%' || c == '+' || c >= 0x80) return false;
    }
    return true;
  }

  /**
   * What a part of a path stands for; empty when it is no well-formed escape of well-formed UTF-8:
   * a lenient reader would make one text of several.
   *
   * @param plusIsSpace as it is in a query
   */
  public static Optional<String> decoded(String raw, boolean plusIsSpace) {
    if (isPlain(raw)) return Optional.of(raw);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(raw.length());
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      if (c == '%') {
        if (i + 2 >= raw.length()) return Optional.empty();
        int high = Character.digit(raw.charAt(i + 1), 16);
        int low = Character.digit(raw.charAt(i + 2), 16);
        if (high < 0 || low < 0) return Optional.empty();
        bytes.write(high << 4 | low);
        i += 2;
      } else if (c == '+' && plusIsSpace) {
        bytes.write(' ');
      } else if (c < 0x80) {
        bytes.write(c);
      } else {
        return Optional.empty();
      }
    }
    try {
      return Optional.of(
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(bytes.toByteArray()))
              .toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }
}
