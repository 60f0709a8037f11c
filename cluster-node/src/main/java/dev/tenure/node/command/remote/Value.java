package dev.tenure.node.command.remote;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** JSON, or {@code @FILE} with JSON in it. */
final class Value implements ITypeConverter<JsonNode> {
  static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  @Override
  public JsonNode convert(String text) {
    try {
      String json = text.startsWith("@") ? Files.readString(Path.of(text.substring(1))) : text;
      JsonNode value = JSON.readTree(json);
      if (value.isMissingNode()) throw new TypeConversionException("there is no JSON in it");
      return value;
    } catch (JsonProcessingException e) {
      throw new TypeConversionException(
          "it is not JSON (a text needs its quotes: '\"like this\"'): " + e.getOriginalMessage());
    } catch (IOException e) {
      throw new TypeConversionException("the file " + text.substring(1) + " cannot be read");
    }
  }

  /** The value of an attribute: JSON when it is a number, a boolean or a list, else a text. */
  static Object attribute(String text) {
    try {
      JsonNode value = JSON.readTree(text);
      return value.isNumber() || value.isBoolean() || value.isArray() ? value : text;
    } catch (JsonProcessingException e) {
      return text;
    }
  }
}
