package dev.tenure.sharding.payload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tenure.workflow.PayloadCipher;
import dev.tenure.workflow.PayloadCipher.Encrypted;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/**
 * Values as they are stored when they are encrypted: {@code 02, length (1), key id, bytes}. Neither
 * JSON nor a value with its type in front begins with 02. Where JSON is wanted, it is {@code
 * {"$encrypted":{"keyId":"…","data":"…"}}} with the bytes in Base64, and the engine does not look
 * into it.
 */
record Encryption(Optional<PayloadCipher> cipher) {
  static final Encryption NONE = new Encryption(Optional.empty());

  private static final byte ENCRYPTED = 2;
  private static final String FIELD = "$encrypted";
  private static final byte[] BEGIN = ("{\"" + FIELD + "\"").getBytes(StandardCharsets.UTF_8);
  private static final ObjectMapper JSON = new ObjectMapper();

  static boolean isEncrypted(byte[] bytes) {
    return bytes.length > 0 && bytes[0] == ENCRYPTED;
  }

  /** The bytes as they are to be stored. */
  byte[] encrypted(byte[] plain) {
    return cipher.isEmpty() ? plain : bytes(cipher.get().encrypt(plain));
  }

  /** The stored form of a value that a client sent: plain JSON, or encrypted by the client. */
  byte[] received(byte[] bytes) {
    if (cipher.isEmpty() || isEncrypted(bytes)) return bytes;
    return encryptedThere(bytes).orElseGet(() -> encrypted(bytes));
  }

  private static Optional<byte[]> encryptedThere(byte[] json) {
    if (json.length <= BEGIN.length
        || !Arrays.equals(json, 0, BEGIN.length, BEGIN, 0, BEGIN.length)) return Optional.empty();
    try {
      JsonNode said = JSON.readTree(json).path(FIELD);
      byte[] data = Base64.getDecoder().decode(said.path("data").asText());
      return Optional.of(bytes(new Encrypted(said.path("keyId").asText(), data)));
    } catch (IOException | IllegalArgumentException e) {
      throw new PayloadConversionException(
          "An encrypted value is {\"$encrypted\":{\"keyId\":\"…\",\"data\":\"…\"}} with Base64 as"
              + " data. "
              + e.getMessage());
    }
  }

  /**
   * @param what names the value in errors
   */
  byte[] decrypted(byte[] stored, String what) {
    if (!isEncrypted(stored)) return stored;
    Encrypted value = of(stored);
    if (cipher.isEmpty())
      throw new PayloadConversionException(
          "%s is encrypted under key \"%s\", and there is no cipher here."
              .formatted(what, value.keyId()));
    try {
      return cipher.get().decrypt(value);
    } catch (RuntimeException e) {
      throw new PayloadConversionException(
          "%s cannot be decrypted. %s".formatted(what, e.getMessage()), e);
    }
  }

  /** The JSON that stands for an encrypted value where no key is at hand. */
  static String json(byte[] stored) {
    Encrypted value = of(stored);
    return JSON.createObjectNode()
        .set(
            FIELD,
            JSON.createObjectNode()
                .put("keyId", value.keyId())
                .put("data", Base64.getEncoder().encodeToString(value.bytes())))
        .toString();
  }

  private static byte[] bytes(Encrypted value) {
    byte[] key = value.keyId().getBytes(StandardCharsets.UTF_8);
    byte[] all = new byte[2 + key.length + value.bytes().length];
    all[0] = ENCRYPTED;
    all[1] = (byte) key.length;
    System.arraycopy(key, 0, all, 2, key.length);
    System.arraycopy(value.bytes(), 0, all, 2 + key.length, value.bytes().length);
    return all;
  }

  private static Encrypted of(byte[] stored) {
    int keyEnd = 2 + (stored[1] & 0xff);
    return new Encrypted(
        new String(stored, 2, keyEnd - 2, StandardCharsets.UTF_8),
        Arrays.copyOfRange(stored, keyEnd, stored.length));
  }
}
