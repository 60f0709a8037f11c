package dev.tenure.http.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.tenure.http.json.Json.Slice;
import dev.tenure.workflow.InvalidTextError;
import dev.tenure.workflow.Text;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads JSON strictly: well-formed UTF-8 without a mark in front, one value and nothing after it,
 * no name twice in one object, no lone surrogate, no number that a reader would have to round away.
 * A check is of no use when a later reader understands the same bytes differently.
 */
public final class JsonReader {
  /** Objects and arrays within one another. */
  public static final int DEPTH_MAX = 64;

  /** Digits of one number. */
  public static final int NUMBER_CHARS_MAX = 400;

  /** So many digits and a sign are always within 64 bits. */
  private static final int LONG_CHARS_SURE = 18;

  private static final BigDecimal LONG_MIN = BigDecimal.valueOf(Long.MIN_VALUE);
  private static final BigDecimal LONG_MAX = BigDecimal.valueOf(Long.MAX_VALUE);

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          // Names that clients choose must not fill the JVM's table of interned strings.
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DEPTH_MAX)
                  .maxNumberLength(NUMBER_CHARS_MAX)
                  .build())
          .build();

  private final byte[] source;
  private final JsonParser parser;
  private final int depthMax;
  private final StringBuilder pointer = new StringBuilder();
  private int depth;

  private JsonReader(byte[] source, JsonParser parser, int depthMax) {
    this.depthMax = depthMax;
    this.source = source;
    this.parser = parser;
  }

  /**
   * Throws {@link InvalidJsonError}, which says where and why, and repeats nothing that was sent.
   */
  public static Json read(byte[] document) {
    return read(document, DEPTH_MAX);
  }

  /**
   * @param depthMax at most {@link #DEPTH_MAX}
   */
  public static Json read(byte[] document, int depthMax) {
    requireText(document);
    try (JsonParser parser = FACTORY.createParser(document)) {
      JsonReader reader = new JsonReader(document, parser, depthMax);
      try {
        return reader.document();
      } catch (JsonProcessingException e) {
        throw new InvalidJsonError(reader.pointer.toString(), reason(e, depthMax));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory", e);
    }
  }

  private static void requireText(byte[] document) {
    if (document.length == 0) throw new InvalidJsonError("", "the body is empty");
    if (document.length >= 3
        && document[0] == (byte) 0xEF
        && document[1] == (byte) 0xBB
        && document[2] == (byte) 0xBF) {
      throw new InvalidJsonError("", "the body begins with a byte order mark: leave it out");
    }
    boolean ascii = true;
    for (byte b : document) {
      // No JSON has one; and a parser that guesses encodings would take it for UTF-16.
      if (b == 0) throw new InvalidJsonError("", "the body has a NUL byte: write it as an escape");
      ascii &= b > 0;
    }
    if (ascii) return;
    try {
      // Jackson lets some sequences pass that are no UTF-8; two of them could become one character.
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(document));
    } catch (CharacterCodingException e) {
      throw new InvalidJsonError("", "the body is not well-formed UTF-8");
    }
  }

  /** The parser's reason without its excerpt of what was sent. */
  private static String reason(JsonProcessingException e, int depthMax) {
    String where =
        e.getLocation() == null
            ? ""
            : " (line %d, column %d)"
                .formatted(e.getLocation().getLineNr(), e.getLocation().getColumnNr());
    if (e.getClass().getSimpleName().equals("StreamConstraintsException")) {
      return "it is nested deeper than DEPTH_MAX = %d, or has a number of more than NUMBER_CHARS_MAX = %d characters%s"
          .formatted(depthMax, NUMBER_CHARS_MAX, where);
    }
    return "it is not JSON" + where;
  }

  private Json document() throws IOException {
    Json value = value(parser.nextToken());
    if (parser.nextToken() != null) {
      throw new InvalidJsonError("", "something follows the JSON value: send one value");
    }
    return value;
  }

  private Json value(JsonToken token) throws IOException {
    if (token == null) throw new InvalidJsonError(pointer.toString(), "it ends in the middle");
    int start = (int) parser.currentTokenLocation().getByteOffset();
    return switch (token) {
      case START_OBJECT, START_ARRAY -> {
        if (++depth > depthMax) {
          throw new InvalidJsonError(
              pointer.toString(), "it is nested deeper than DEPTH_MAX = " + depthMax);
        }
        Json inner = token == JsonToken.START_OBJECT ? object(start) : array(start);
        depth--;
        yield inner;
      }
      case VALUE_STRING -> {
        String text = wellFormed(parser.getText());
        yield new Json.Text(text, here(start));
      }
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
        String literal = parser.getText();
        requireUsable(literal);
        yield new Json.Num(literal, new Slice(source, start, start + literal.length()));
      }
      case VALUE_TRUE -> new Json.Bool(true, new Slice(source, start, start + 4));
      case VALUE_FALSE -> new Json.Bool(false, new Slice(source, start, start + 5));
      case VALUE_NULL -> new Json.Null(new Slice(source, start, start + 4));
      case END_OBJECT, END_ARRAY, FIELD_NAME, NOT_AVAILABLE, VALUE_EMBEDDED_OBJECT ->
          throw new InvalidJsonError(pointer.toString(), "it is not JSON");
    };
  }

  private Slice here(int start) {
    return new Slice(source, start, (int) parser.currentLocation().getByteOffset());
  }

  private Json object(int start) throws IOException {
    Map<String, Json> fields = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      if (parser.currentToken() == null) throw new InvalidJsonError("", "it ends in the middle");
      String name = wellFormed(parser.currentName());
      int length = pointer.length();
      pointer.append('/').append(escaped(name));
      if (fields.containsKey(name)) {
        throw new InvalidJsonError(pointer.toString(), "the name stands there twice");
      }
      fields.put(name, value(parser.nextToken()));
      pointer.setLength(length);
    }
    return new Json.Obj(java.util.Collections.unmodifiableMap(fields), here(start));
  }

  private Json array(int start) throws IOException {
    List<Json> items = new ArrayList<>();
    for (JsonToken next = parser.nextToken();
        next != JsonToken.END_ARRAY;
        next = parser.nextToken()) {
      int length = pointer.length();
      pointer.append('/').append(items.size());
      items.add(value(next));
      pointer.setLength(length);
    }
    return new Json.Arr(List.copyOf(items), here(start));
  }

  private String wellFormed(String text) {
    try {
      Text.utf8Bytes("text", text);
      return text;
    } catch (InvalidTextError e) {
      throw new InvalidJsonError(pointer.toString(), "a text has a lone surrogate");
    }
  }

  /** Whole numbers that a long holds, others that a double holds: nothing may become infinite. */
  private void requireUsable(String literal) {
    boolean whole =
        literal.indexOf('.') < 0 && literal.indexOf('e') < 0 && literal.indexOf('E') < 0;
    if (whole && literal.length() <= LONG_CHARS_SURE) return;
    if (whole) {
      BigDecimal value = new BigDecimal(literal);
      if (value.compareTo(LONG_MIN) < 0 || value.compareTo(LONG_MAX) > 0) {
        throw new InvalidJsonError(
            pointer.toString(), "a whole number is beyond 64 bits: send it as a string");
      }
    } else if (Double.isInfinite(Double.parseDouble(literal)) || !isExact(literal)) {
      throw new InvalidJsonError(
          pointer.toString(), "a number is beyond the range of a double: send it as a string");
    }
  }

  /** 0e99999999999 is 0 as a double, and nothing that can be told apart from others exactly. */
  private static boolean isExact(String literal) {
    try {
      return new BigDecimal(literal).scale() != Integer.MIN_VALUE;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  /** A name as a part of a JSON pointer. */
  public static String escaped(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }
}
