package dev.tenure.client;

/**
 * Encrypts values before they leave this process, and decrypts those that the nodes answer with: of
 * the same keys as that of the nodes. Equal bytes under one key must become equal bytes again, or a
 * request that is repeated under its key is taken for another one.
 */
public interface PayloadCipher {
  /** Under the key that is current. */
  Encrypted encrypt(byte[] plain);

  /** Under the key that is named; throws an unchecked exception when it cannot. */
  byte[] decrypt(Encrypted encrypted);

  /**
   * What is sent and stored.
   *
   * @param keyId of the key, for everybody to read
   */
  record Encrypted(String keyId, byte[] bytes) {}
}
