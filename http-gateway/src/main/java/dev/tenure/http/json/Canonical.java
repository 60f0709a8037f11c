package dev.tenure.http.json;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.TreeMap;

/**
 * Whether two requests say the same: names in order, texts and spaces written in one way, as RFC
 * 8785 has it. Numbers keep their exact value, where that would round them to doubles: two
 * different amounts are never the same request.
 */
public final class Canonical {
  private Canonical() {}

  /** The SHA-256 of the canonical form, as text of 43 characters. */
  public static String hash(Json value) {
    StringBuilder text = new StringBuilder();
    write(value, text);
    return hash(text.toString());
  }

  public static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  static void write(Json value, StringBuilder to) {
    switch (value) {
      case Json.Null n -> to.append("null");
      case Json.Bool b -> to.append(b.value());
      case Json.Num number -> to.append(exact(number.literal()));
      case Json.Text text -> quoted(text.value(), to);
      case Json.Arr array -> {
        to.append('[');
        for (int i = 0; i < array.items().size(); i++) {
          if (i > 0) to.append(',');
          write(array.items().get(i), to);
        }
        to.append(']');
      }
      case Json.Obj object -> {
        to.append('{');
        boolean first = true;
        // A TreeMap compares UTF-16 units, which is the order that RFC 8785 asks for.
        for (var each : new TreeMap<>(object.fields()).entrySet()) {
          if (!first) to.append(',');
          first = false;
          quoted(each.getKey(), to);
          to.append(':');
          write(each.getValue(), to);
        }
        to.append('}');
      }
    }
  }

  /** One spelling per value: 1, 1.0 and 10e-1 are the same. */
  private static String exact(String literal) {
    BigDecimal value = new BigDecimal(literal);
    return value.signum() == 0 ? "0" : value.stripTrailingZeros().toString();
  }

  private static void quoted(String text, StringBuilder to) {
    to.append('"');
    JsonStringEncoder.getInstance().quoteAsString(text, to);
    to.append('"');
  }
}
