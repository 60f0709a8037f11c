package dev.tenure.persistence.commit;

import java.util.List;

/**
 * One commit of one workflow, all of it: the journal row, and the side rows of the same
 * transaction.
 *
 * @param writtenAtMs the owner's clock when it decided; informative, nothing is ordered by it
 */
public record Commit(
    CommitId id,
    Fence fence,
    int serializerId,
    String manifest,
    byte[] payload,
    long writtenAtMs,
    List<SideRow> sideRows) {
  /** Larger values belong beside the journal, not into it: recovery reads every row. */
  public static final int MAX_PAYLOAD_BYTES = 4 * 1024 * 1024;

  public static final int MAX_MANIFEST_BYTES = 255;

  public Commit {
    if (payload.length > MAX_PAYLOAD_BYTES) {
      throw new InvalidCommitError(
          "the commit of %s carries %d bytes, more than the limit of %d: store large values outside of it"
              .formatted(id.persistenceId(), payload.length, MAX_PAYLOAD_BYTES));
    }
    fence.holder();
    if (!manifest.isEmpty()) StoredText.require("manifest", manifest, MAX_MANIFEST_BYTES);
    sideRows = List.copyOf(sideRows);
  }

  /** What it brings to the store, without what all rows have. */
  public long bytes() {
    long bytes = payload.length;
    for (SideRow row : sideRows) bytes += row.bytes();
    return bytes;
  }
}
