package dev.tenure.persistence.payload;

import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.commit.SideWrite;
import dev.tenure.persistence.key.KeyText;
import dev.tenure.workflow.WorkflowId;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/** Payloads that ride in the commit that refers to them. */
public final class PayloadWrites {
  /** The same payload again is the same row: what is there is never touched. */
  static final SideWrite KEEP =
      new SideWrite(
          "payload-keep",
          """
          INSERT INTO payload (workflow_id, hash, shard, content)
          SELECT * FROM unnest(?::text[], ?::bytea[], ?::int4[], ?::bytea[])
          ON CONFLICT (workflow_id, hash) DO NOTHING
          """,
          List.of("text", "bytea", "int4", "bytea"));

  private PayloadWrites() {}

  public static SideRow keep(WorkflowId id, int shard, byte[] hash, byte[] content) {
    return SideRow.of(KEEP, KeyText.column(id.value()), hash, shard, content);
  }

  public static boolean isKeep(SideRow row) {
    return row.kind().equals(KEEP);
  }

  public static byte[] hash(byte[] content) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(content);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
