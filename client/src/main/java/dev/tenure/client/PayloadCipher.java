package dev.tenure.client;

/**
 * Encrypts values before they leave this process, and decrypts values in the answers. It has the
 * same keys as the cipher of the nodes. Equal bytes under one key must become equal bytes again, or
 * the server takes a repeated request for another one.
 */
public interface PayloadCipher {
  /** Under the key that is current. */
  Encrypted encrypt(byte[] plain);

  /** Under the key that is named; throws an unchecked exception when it cannot. */
  byte[] decrypt(Encrypted encrypted);

  /**
   * What is sent and stored.
   *
   * @param keyId of the key; sent and stored unencrypted
   */
  record Encrypted(String keyId, byte[] bytes) {}
}
