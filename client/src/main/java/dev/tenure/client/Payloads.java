package dev.tenure.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import com.fasterxml.jackson.module.paramnames.ParameterNamesModule;
import java.io.IOException;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/** Values of the application as JSON, written by its own mapper or else as a node writes them. */
record Payloads(ObjectMapper json, Optional<PayloadCipher> cipher) {
  private static final String ENCRYPTED = "$encrypted";

  static Payloads standard() {
    return new Payloads(
        JsonMapper.builder()
            .addModule(new ParameterNamesModule())
            .addModule(new Jdk8Module())
            .addModule(new JavaTimeModule())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
            // A number in a tree is the number that was sent, to its last digit.
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build(),
        Optional.empty());
  }

  Payloads json(ObjectMapper mapper) {
    return new Payloads(mapper, cipher);
  }

  Payloads encryptedBy(PayloadCipher used) {
    return new Payloads(json, Optional.of(used));
  }

  /** A value as it leaves this process. */
  JsonNode encrypted(JsonNode value) {
    if (cipher.isEmpty() || value.isNull()) return value;
    PayloadCipher.Encrypted made =
        cipher.get().encrypt(value.toString().getBytes(StandardCharsets.UTF_8));
    ObjectNode whole = json.createObjectNode();
    whole
        .putObject(ENCRYPTED)
        .put("keyId", made.keyId())
        .put("data", Base64.getEncoder().encodeToString(made.bytes()));
    return whole;
  }

  /** A value as it is sent where null has to be written. */
  JsonNode sent(Object value, String what) {
    return value == null ? json.getNodeFactory().nullNode() : encrypted(write(value, what));
  }

  /** A value as it came, once it is readable. */
  private JsonNode decrypted(JsonNode value, Type type, String what) throws IOException {
    JsonNode sealed = value.path(ENCRYPTED);
    boolean asItIs = cipher.isEmpty() && type == JsonNode.class;
    if (asItIs || !sealed.isObject() || value.size() != 1) return value;
    String key = sealed.path("keyId").asText();
    if (cipher.isEmpty())
      throw new IllegalArgumentException(
          "%s is encrypted under key \"%s\": give the client a cipher.".formatted(what, key));
    byte[] data = Base64.getDecoder().decode(sealed.path("data").asText());
    return json.readTree(cipher.get().decrypt(new PayloadCipher.Encrypted(key, data)));
  }

  ObjectNode object() {
    return json.createObjectNode();
  }

  JsonNode write(Object value, String what) {
    try {
      return json.valueToTree(value);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "A %s as %s cannot be written as JSON: %s"
              .formatted(value.getClass().getName(), what, e.getMessage()),
          e);
    }
  }

  /** Writes the value as the given type, not as its own class. */
  JsonNode write(Object value, Type type, String what) {
    try (TokenBuffer written = new TokenBuffer(json, false)) {
      json.writerFor(json.constructType(type)).writeValue(written, value);
      return json.readTree(written.asParser());
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "A %s as %s cannot be written as JSON: %s"
              .formatted(value.getClass().getName(), what, reason(e)),
          e);
    }
  }

  byte[] bytes(ObjectNode body) {
    try {
      return json.writeValueAsBytes(body);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree is always JSON", e);
    }
  }

  @SuppressWarnings("unchecked")
  <T> T read(JsonNode value, Type type, String what) {
    try {
      return (T) json.readerFor(json.constructType(type)).readValue(decrypted(value, type, what));
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "%s cannot be read as %s: %s".formatted(what, type.getTypeName(), reason(e)), e);
    }
  }

  /** Without the value, which may be secret. */
  private static String reason(IOException e) {
    return e instanceof JsonProcessingException json ? json.getOriginalMessage() : e.getMessage();
  }
}
