package dev.tenure.activities.http;

import dev.tenure.activities.outbound.Target;
import dev.tenure.workflow.Failure;
import java.net.http.HttpHeaders;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What came back for one request, as bytes. */
record Reply(String method, Target target, int status, HttpHeaders headers, byte[] bytes) {
  /** The longest header that is kept. A longer one is left out: half an ETag would be a lie. */
  static final int HEADER_CHARS_MAX = 1_024;

  /** How much of an error's body its message shows. */
  static final int EXCERPT_CHARS_MAX = 512;

  private static final Pattern CHARSET =
      Pattern.compile(";\\s*charset\\s*=\\s*\"?([^\\s\";]+)", Pattern.CASE_INSENSITIVE);

  /** Its body is not in the charset that it names, or in UTF-8 when it names none. */
  static final class NoTextException extends Exception {
    private static final long serialVersionUID = 1L;

    NoTextException(String message) {
      super(message);
    }
  }

  boolean isSuccess() {
    return status / 100 == 2;
  }

  boolean isJson() {
    String type = headers.firstValue("Content-Type").orElse("");
    return type.matches("(?i)application/([\\w.+-]+\\+)?json\\s*(;.*)?");
  }

  HttpAnswer answer(Set<String> kept) throws NoTextException {
    Map<String, String> some = new TreeMap<>();
    for (String name : kept) {
      String value = String.join(", ", headers.allValues(name));
      if (!value.isEmpty() && value.length() <= HEADER_CHARS_MAX) some.put(name, value);
    }
    return HttpAnswer.of(status, some, text());
  }

  private String text() throws NoTextException {
    Charset charset = charset();
    try {
      return charset.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new NoTextException("its body is no text in " + charset);
    }
  }

  private Charset charset() throws NoTextException {
    Matcher named = CHARSET.matcher(headers.firstValue("Content-Type").orElse(""));
    if (!named.find()) return StandardCharsets.UTF_8;
    try {
      return Charset.forName(named.group(1));
    } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
      throw new NoTextException("its body is in a charset that is not known");
    }
  }

  /** The beginning of the body, for people. */
  Optional<String> excerpt() {
    String text = new String(bytes, StandardCharsets.UTF_8).strip();
    if (text.isEmpty()) return Optional.empty();
    // A message ends up in logs and on terminals.
    return Optional.of(Failure.cut(text.replaceAll("[\\p{Cc}\\p{Cf}]+", " "), EXCERPT_CHARS_MAX));
  }

  @Override
  public String toString() {
    return "%s %s answered %d".formatted(method, target, status);
  }
}
