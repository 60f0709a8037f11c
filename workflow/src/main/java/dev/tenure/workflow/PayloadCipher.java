package dev.tenure.workflow;

/**
 * Encrypts the values of an application before they are stored, and decrypts them for its code:
 * inputs, results, signals, updates and the answers to queries. {@link AesPayloadCipher} is one.
 *
 * <p>Equal bytes under one key must become equal bytes again: by that an update that is sent twice
 * is told from another one under its id. All nodes of a cluster have the same keys. It is called by
 * many threads.
 */
public interface PayloadCipher {
  /** Under the key that is current. */
  Encrypted encrypt(byte[] plain);

  /**
   * Under the key that is named, which may be an old one. Throws an unchecked exception when it has
   * no such key, or when the bytes are not what was encrypted.
   */
  byte[] decrypt(Encrypted encrypted);

  /**
   * What is stored.
   *
   * @param keyId of the key; stored unencrypted beside the bytes
   * @param bytes shared, not copied: neither the cipher nor the engine changes them
   */
  record Encrypted(String keyId, byte[] bytes) {
    public static final int KEY_ID_BYTES_MAX = 255;

    public Encrypted {
      Text.require("key id", keyId, KEY_ID_BYTES_MAX);
    }
  }
}
