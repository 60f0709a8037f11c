package dev.tenure.persistence.proof;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tenure.persistence.entry.ChainLink;
import dev.tenure.persistence.key.KeyText;
import dev.tenure.workflow.WorkflowId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** One leaf of a checkpoint: a workflow had a commit of that version, with that link. */
public record CheckpointHead(WorkflowId id, long version, ChainLink link) {
  static CheckpointHead read(JsonNode node) {
    try {
      return new CheckpointHead(
          new WorkflowId(node.path("id").asText()),
          node.path("version").asLong(),
          ChainLink.parse(node.path("link").asText()));
    } catch (IllegalArgumentException e) {
      throw new ProofError("a head is damaged: " + e.getMessage());
    }
  }

  ObjectNode put(ObjectNode node) {
    return node.put("id", id.value()).put("version", version).put("link", link.toString());
  }

  /** Its hash in the tree. */
  byte[] leaf() {
    byte[] text = id.value().getBytes(StandardCharsets.UTF_8);
    ByteBuffer content = ByteBuffer.allocate(Integer.BYTES + text.length + Long.BYTES + 32);
    content.putInt(text.length).put(text).putLong(version).put(link.toBytes());
    return MerkleTree.leaf(content.array());
  }

  /** The id as a row of a workflow has it. */
  String column() {
    return KeyText.column(id.value());
  }

  public Anchor anchor() {
    return new Anchor("the checkpoint", version, link, false);
  }
}
