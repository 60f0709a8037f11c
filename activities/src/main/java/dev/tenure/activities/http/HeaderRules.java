package dev.tenure.activities.http;

import dev.tenure.activities.outbound.OutboundRefusedException;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which headers a call may have. A header that says where a message ends, or whom it is for, would
 * let the text of a workflow's input write requests of its own.
 */
final class HeaderRules {
  static final int HEADERS_MAX = 64;
  static final int CHARS_MAX = 16_384;

  private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}");
  private static final Pattern VALUE = Pattern.compile("[\\x20-\\x7e\\t]*");

  /** What belongs to one connection, and to the client alone. */
  private static final Set<String> OF_THE_CLIENT =
      Set.of(
          "connection",
          "content-length",
          "expect",
          "host",
          "http2-settings",
          "keep-alive",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade");

  private HeaderRules() {}

  static String requireName(String name) {
    if (name == null || !NAME.matcher(name).matches())
      throw new OutboundRefusedException("A header's name is malformed: use letters and dashes.");
    String lower = name.toLowerCase(Locale.ROOT);
    if (OF_THE_CLIENT.contains(lower) || lower.startsWith("proxy-"))
      throw new OutboundRefusedException(
          "The header %s is the client's own: leave it out.".formatted(name));
    return name;
  }

  /** The value stays out of the message: it may be a secret. */
  static String requireValue(String name, String value) {
    if (value == null || !VALUE.matcher(value).matches())
      throw new OutboundRefusedException(
          "The value of header %s has a character that is not printable ASCII.".formatted(name));
    return value;
  }

  static void require(Map<String, String> headers) {
    if (headers.size() > HEADERS_MAX)
      throw new OutboundRefusedException(
          "The call has %d headers: use at most %d.".formatted(headers.size(), HEADERS_MAX));
    long chars = 0;
    for (Map.Entry<String, String> header : headers.entrySet()) {
      chars += requireName(header.getKey()).length();
      chars += requireValue(header.getKey(), header.getValue()).length();
    }
    if (chars > CHARS_MAX)
      throw new OutboundRefusedException(
          "The headers of the call have %d characters: use at most %d."
              .formatted(chars, CHARS_MAX));
  }
}
