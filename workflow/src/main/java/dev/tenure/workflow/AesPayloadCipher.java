package dev.tenure.workflow;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * AES in GCM, by the JDK. The nonce derives from the key and the bytes: equal bytes become equal
 * bytes, so a reader of the database sees which values are equal and how long they are, and nothing
 * else. A key is 16, 24 or 32 random bytes.
 *
 * <pre>{@code
 * AesPayloadCipher.of("2026-11", newKey).reading("2026-05", oldKey)
 * }</pre>
 */
public final class AesPayloadCipher implements PayloadCipher {
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final String NONCES = "HmacSHA256";

  private final String current;
  private final Map<String, SecretKey> keys;

  private AesPayloadCipher(String current, Map<String, SecretKey> keys) {
    this.current = current;
    this.keys = keys;
  }

  /** Encrypts under that key, and reads what was encrypted under it. */
  public static AesPayloadCipher of(String keyId, byte[] key) {
    return new AesPayloadCipher(Text.require("key id", keyId, Encrypted.KEY_ID_BYTES_MAX), Map.of())
        .reading(keyId, key);
  }

  /** Also reads what was encrypted under that key: an old one, or the next one to come. */
  public AesPayloadCipher reading(String keyId, byte[] key) {
    if (key.length != 16 && key.length != 24 && key.length != 32)
      throw new IllegalArgumentException(
          "Key \"%s\" has %d bytes: AES takes 16, 24 or 32.".formatted(keyId, key.length));
    Map<String, SecretKey> more = new LinkedHashMap<>(keys);
    if (more.put(keyId, new SecretKeySpec(key, "AES")) != null)
      throw new IllegalArgumentException("Two keys are called \"%s\".".formatted(keyId));
    return new AesPayloadCipher(current, more);
  }

  @Override
  public Encrypted encrypt(byte[] plain) {
    SecretKey key = keys.get(current);
    try {
      byte[] nonce = nonce(key, plain);
      Cipher aes = cipher(Cipher.ENCRYPT_MODE, key, nonce);
      byte[] all = Arrays.copyOf(nonce, NONCE_BYTES + aes.getOutputSize(plain.length));
      aes.doFinal(plain, 0, plain.length, all, NONCE_BYTES);
      return new Encrypted(current, all);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Key \"%s\" cannot encrypt.".formatted(current), e);
    }
  }

  @Override
  public byte[] decrypt(Encrypted encrypted) {
    String id = encrypted.keyId();
    SecretKey key = keys.get(id);
    if (key == null)
      throw new IllegalArgumentException(
          "There is no key \"%s\" here, only %s.".formatted(id, keys.keySet()));
    byte[] all = encrypted.bytes();
    try {
      if (all.length < NONCE_BYTES) throw new GeneralSecurityException("it is too short");
      byte[] nonce = Arrays.copyOf(all, NONCE_BYTES);
      return cipher(Cipher.DECRYPT_MODE, key, nonce)
          .doFinal(all, NONCE_BYTES, all.length - NONCE_BYTES);
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException(
          "This was not encrypted under key \"%s\", or was changed since.".formatted(id), e);
    }
  }

  private static Cipher cipher(int mode, SecretKey key, byte[] nonce)
      throws GeneralSecurityException {
    Cipher aes = Cipher.getInstance("AES/GCM/NoPadding");
    aes.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
    return aes;
  }

  /** A nonce that looks random without the key; equal bytes get an equal one. */
  private static byte[] nonce(SecretKey key, byte[] plain) throws GeneralSecurityException {
    Mac mac = Mac.getInstance(NONCES);
    // A key for each purpose.
    mac.init(new SecretKeySpec(key.getEncoded(), NONCES));
    byte[] forNonces = mac.doFinal("tenure payload nonce".getBytes(StandardCharsets.US_ASCII));
    mac.init(new SecretKeySpec(forNonces, NONCES));
    return Arrays.copyOf(mac.doFinal(plain), NONCE_BYTES);
  }

  /** Without its keys. */
  @Override
  public String toString() {
    return "AES under key " + current + " of " + keys.keySet();
  }
}
