package dev.tenure.bench.http.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A request whose bytes are made once, but for a number in the middle.
 *
 * @param digits how many the number has, with zeros in front
 */
record Request(byte[] before, byte[] after, int digits) {
  private static final int DIGITS = 9;
  private static final byte[] NOTHING = new byte[0];

  /** A POST with {@code #} where the number stands, at one place or none. */
  static Request post(String host, String key, String path, String body) {
    String numbered = path + body;
    boolean counted = numbered.indexOf('#') >= 0;
    int bytes = body.length() + (body.indexOf('#') >= 0 ? DIGITS - 1 : 0);
    String all =
        "POST %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
            .formatted(path, host, key, bytes, body);
    if (!counted) return new Request(ascii(all), NOTHING, 0);
    int at = all.indexOf('#');
    return new Request(ascii(all.substring(0, at)), ascii(all.substring(at + 1)), DIGITS);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** The number as it stands in a request. */
  static String padded(long number) {
    return "%0".concat(DIGITS + "d").formatted(number);
  }

  void write(long number, ByteBuffer to) {
    to.put(before);
    int end = to.position() + digits;
    long rest = number;
    for (int at = end - 1; at >= to.position(); at--) {
      to.put(at, (byte) ('0' + rest % 10));
      rest /= 10;
    }
    to.position(end);
    to.put(after);
  }
}
