package dev.tenure.persistence.payload;

import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.key.KeyText;
import dev.tenure.workflow.WorkflowId;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/** Payloads in memory, under the lock of their storage. */
public final class MemoryPayloads implements Payloads {
  private final Object lock;
  private final Map<String, byte[]> contents = new HashMap<>();

  public MemoryPayloads(Object lock) {
    this.lock = lock;
  }

  /** Applies a side row of a commit; false when it is of another kind. The lock is held. */
  public boolean apply(SideRow row) {
    if (!PayloadWrites.isKeep(row)) return false;
    String id = KeyText.ofColumn((String) row.values().getFirst());
    contents.put(
        key(new WorkflowId(id), (byte[]) row.values().get(1)), (byte[]) row.values().get(3));
    return true;
  }

  /** As they are, or empty when they are not there. */
  public Optional<byte[]> find(WorkflowId id, byte[] hash) {
    synchronized (lock) {
      return Optional.ofNullable(contents.get(key(id, hash)));
    }
  }

  private static String key(WorkflowId id, byte[] hash) {
    return HexFormat.of().formatHex(hash) + id;
  }

  @Override
  public byte[] load(WorkflowId id, byte[] hash) {
    synchronized (lock) {
      return MissingPayloadError.checked(id, hash, contents.get(key(id, hash)));
    }
  }
}
