package dev.tenure.persistence.proof;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * Shows that one head is in a checkpoint, without the other heads.
 *
 * @param index of the head among all of them
 * @param path the hashes that lead from it to the root, the lowest first
 */
public record InclusionProof(
    SignedRoot checkpoint, CheckpointHead head, long index, List<byte[]> path) {
  static final String FORMAT = "tenure-proof/1";

  private static final ObjectMapper JSON = new ObjectMapper();

  /** The proof in a file. */
  public static InclusionProof read(Path file) {
    try {
      JsonNode node = JSON.readTree(Files.readString(file));
      if (!node.path("format").asText().equals(FORMAT))
        throw new ProofError("%s does not say \"format\":\"%s\"".formatted(file, FORMAT));
      List<byte[]> path = new ArrayList<>();
      node.path("path").forEach(hash -> path.add(HexFormat.of().parseHex(hash.asText())));
      return new InclusionProof(
          SignedRoot.read(node.path("checkpoint")),
          CheckpointHead.read(node.path("head")),
          node.path("index").asLong(),
          path);
    } catch (IOException | IllegalArgumentException e) {
      throw new ProofError("%s is no proof: %s".formatted(file, e.getMessage()));
    }
  }

  /** As a document. */
  public ObjectNode json() {
    ObjectNode node = JSON.createObjectNode().put("format", FORMAT);
    checkpoint.put(node.putObject("checkpoint"));
    head.put(node.putObject("head"));
    node.put("index", index);
    ArrayNode hashes = node.putArray("path");
    path.forEach(hash -> hashes.add(HexFormat.of().formatHex(hash)));
    return node;
  }

  /** Throws unless the head is in the checkpoint, and the checkpoint is signed. */
  public void verify() {
    if (index < 0 || index >= checkpoint.heads())
      throw new ProofError("the checkpoint has no head %d".formatted(index));
    byte[] root = MerkleTree.root(index, checkpoint.heads(), head.leaf(), path);
    if (!Arrays.equals(root, checkpoint.root()))
      throw new ProofError("the head of %s is not in the checkpoint".formatted(head.id()));
    checkpoint.requireSigned();
  }
}
