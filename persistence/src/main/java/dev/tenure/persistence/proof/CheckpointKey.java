package dev.tenure.persistence.proof;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.EdECPrivateKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

/** A pair of Ed25519 keys, of which the private one signs checkpoints. Neither is ever printed. */
public final class CheckpointKey {
  private static final String ALGORITHM = "Ed25519";
  private static final int PUBLIC_BYTES = 32;

  /** What stands before the 32 bytes of a public key in its DER form (RFC 8410). */
  private static final byte[] PUBLIC_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

  private final PrivateKey secret;
  private final byte[] open;

  private CheckpointKey(PrivateKey secret, byte[] open) {
    this.secret = secret;
    this.open = open;
  }

  /** The key of a PEM file, as {@code openssl genpkey -algorithm ed25519} makes one. */
  public static CheckpointKey read(Path file) {
    try {
      byte[] der = pem(file, "PRIVATE KEY");
      PrivateKey secret =
          KeyFactory.getInstance(ALGORITHM).generatePrivate(new PKCS8EncodedKeySpec(der));
      CheckpointKey key = new CheckpointKey(secret, publicOf((EdECPrivateKey) secret));
      byte[] probe = {1};
      if (!isSigned(probe, key.sign(probe), key.open))
        throw new ProofError("the key in %s does not fit its public key".formatted(file));
      return key;
    } catch (GeneralSecurityException | ClassCastException e) {
      // The cause could repeat what is in the file.
      throw new ProofError("%s holds no private key of Ed25519".formatted(file));
    }
  }

  /** Java has no other way from a private key to its public key: it is made once more. */
  private static byte[] publicOf(EdECPrivateKey secret) throws GeneralSecurityException {
    byte[] seed = secret.getBytes().orElseThrow(() -> new ProofError("the private key is empty"));
    KeyPairGenerator generator = KeyPairGenerator.getInstance(ALGORITHM);
    generator.initialize(
        NamedParameterSpec.ED25519,
        new SecureRandom() {
          private static final long serialVersionUID = 1L;

          @Override
          public void nextBytes(byte[] bytes) {
            System.arraycopy(seed, 0, bytes, 0, bytes.length);
          }
        });
    return raw(generator.generateKeyPair().getPublic().getEncoded());
  }

  private static byte[] raw(byte[] der) {
    return Arrays.copyOfRange(der, der.length - PUBLIC_BYTES, der.length);
  }

  /** The public key of a PEM file, as {@code openssl pkey -pubout} writes one. */
  public static byte[] readPublic(Path file) {
    byte[] der = pem(file, "PUBLIC KEY");
    byte[] prefix = Arrays.copyOf(der, Math.min(der.length, PUBLIC_PREFIX.length));
    if (der.length != PUBLIC_PREFIX.length + PUBLIC_BYTES || !Arrays.equals(prefix, PUBLIC_PREFIX))
      throw new ProofError("%s holds no public key of Ed25519".formatted(file));
    return raw(der);
  }

  private static byte[] pem(Path file, String what) {
    try {
      String text = Files.readString(file);
      String begin = "-----BEGIN " + what + "-----";
      int from = text.indexOf(begin);
      int to = text.indexOf("-----END " + what + "-----");
      if (from < 0 || to < from) throw new ProofError("%s has no \"%s\"".formatted(file, begin));
      return Base64.getMimeDecoder().decode(text.substring(from + begin.length(), to).strip());
    } catch (IOException | IllegalArgumentException e) {
      throw new ProofError("the key file %s cannot be read".formatted(file));
    }
  }

  /** The 32 bytes of the public key. */
  byte[] open() {
    return open.clone();
  }

  byte[] sign(byte[] message) {
    try {
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initSign(secret);
      signature.update(message);
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java signs with Ed25519", e);
    }
  }

  /**
   * @param open the 32 bytes of a public key
   */
  static boolean isSigned(byte[] message, byte[] signature, byte[] open) {
    try {
      byte[] der = Arrays.copyOf(PUBLIC_PREFIX, PUBLIC_PREFIX.length + open.length);
      System.arraycopy(open, 0, der, PUBLIC_PREFIX.length, open.length);
      PublicKey key = KeyFactory.getInstance(ALGORITHM).generatePublic(new X509EncodedKeySpec(der));
      Signature verifier = Signature.getInstance(ALGORITHM);
      verifier.initVerify(key);
      verifier.update(message);
      return verifier.verify(signature);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
