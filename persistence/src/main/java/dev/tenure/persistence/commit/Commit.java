package dev.tenure.persistence.commit;

import java.util.List;
import java.util.Optional;

/**
 * One commit of one workflow, all of it: the journal row, and the side rows of the same
 * transaction.
 *
 * @param manifest what the payload is: {@code PayloadForm.column()}
 * @param link of the journal entry in its workflow's chain of hashes; empty when the journal row is
 *     no such entry. It is stored beside the version in the workflow's row whenever the commit
 *     writes that
 */
public record Commit(
    CommitId id,
    Fence fence,
    String manifest,
    byte[] payload,
    List<SideRow> sideRows,
    Optional<byte[]> link) {
  /** Larger values belong beside the journal, not into it: recovery reads every row. */
  public static final int MAX_PAYLOAD_BYTES = 4 * 1024 * 1024;

  public static final int MAX_MANIFEST_BYTES = 255;

  public Commit(CommitId id, Fence fence, String manifest, byte[] payload, List<SideRow> sideRows) {
    this(id, fence, manifest, payload, sideRows, Optional.empty());
  }

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
