package dev.tenure.persistence.proof;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * What a checkpoint says, signed.
 *
 * @param createdAt by the clock of the machine that made it
 * @param heads how many there are
 * @param root of the tree over all of them
 * @param key the public key that the signature fits
 */
public record SignedRoot(String createdAt, long heads, byte[] root, byte[] key, byte[] signature) {
  static final String FORMAT = "tenure-checkpoint/1";

  private static final HexFormat HEX = HexFormat.of();

  static SignedRoot of(String createdAt, long heads, byte[] root, CheckpointKey key) {
    byte[] signature = key.sign(message(createdAt, heads, root));
    return new SignedRoot(createdAt, heads, root, key.open(), signature);
  }

  private static byte[] message(String createdAt, long heads, byte[] root) {
    return "%s\n%s\n%d\n%s\n"
        .formatted(FORMAT, createdAt, heads, HEX.formatHex(root))
        .getBytes(StandardCharsets.UTF_8);
  }

  static SignedRoot read(JsonNode node) {
    try {
      return new SignedRoot(
          node.path("createdAt").asText(),
          node.path("heads").asLong(),
          HEX.parseHex(node.path("root").asText()),
          HEX.parseHex(node.path("key").asText()),
          HEX.parseHex(node.path("signature").asText()));
    } catch (IllegalArgumentException e) {
      throw new ProofError("the signed root is damaged: " + e.getMessage());
    }
  }

  ObjectNode put(ObjectNode node) {
    return node.put("createdAt", createdAt)
        .put("heads", heads)
        .put("root", HEX.formatHex(root))
        .put("key", HEX.formatHex(key))
        .put("signature", HEX.formatHex(signature));
  }

  /** Throws unless the signature is by its key. */
  void requireSigned() {
    if (!CheckpointKey.isSigned(message(createdAt, heads, root), signature, key))
      throw new ProofError("the signature does not fit the checkpoint");
  }

  /** Throws unless that public key signed it. */
  public void requireBy(byte[] expected) {
    if (!Arrays.equals(key, expected))
      throw new ProofError("it was signed with the key %s".formatted(keyText()));
  }

  public String keyText() {
    return HEX.formatHex(key);
  }

  public String rootText() {
    return HEX.formatHex(root);
  }
}
