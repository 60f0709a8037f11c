package dev.tenure.persistence.definition;

import dev.tenure.workflow.LimitExceededException;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.ProgramKind;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * One version of a program as a document. It never changes: runs that began with it go on with it
 * on any node.
 *
 * @param type its name, and its version
 * @param content what the kind's interpreter reads
 */
public record Definition(ProgramKind kind, WorkflowType type, byte[] content) {
  public static final int CONTENT_BYTES_MAX = 1024 * 1024;

  public Definition {
    if (!type.isDecided())
      throw new IllegalArgumentException("Definition " + type.name() + " needs a version.");
    if (content.length > CONTENT_BYTES_MAX)
      throw new LimitExceededException(
          "CONTENT_BYTES_MAX", content.length, CONTENT_BYTES_MAX, "Split the definition.");
    content = content.clone();
  }

  @Override
  public byte[] content() {
    return content.clone();
  }

  /** SHA-256 of the content. */
  public byte[] hash() {
    try {
      return MessageDigest.getInstance("SHA-256").digest(content);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }

  /** Compared by what it says, and not by its array. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Definition that
        && kind.equals(that.kind)
        && type.equals(that.type)
        && java.util.Arrays.equals(content, that.content);
  }

  @Override
  public int hashCode() {
    return java.util.Objects.hash(kind, type, java.util.Arrays.hashCode(content));
  }

  @Override
  public String toString() {
    return "definition of %s, of kind \"%s\", %d bytes, SHA-256 %s"
        .formatted(type, kind, content.length, HexFormat.of().formatHex(hash()));
  }
}
