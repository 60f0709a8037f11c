package dev.tenure.persistence.memory;

import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.payload.MissingPayloadError;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.workflow.WorkflowId;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/** Payloads in memory, under the lock of their storage. */
final class MemoryPayloads implements Payloads {
  private final Object lock;
  private final Map<String, byte[]> contents = new HashMap<>();

  MemoryPayloads(Object lock) {
    this.lock = lock;
  }

  /** Called with the lock held. */
  void keep(SideRow.PayloadKept payload) {
    contents.putIfAbsent(key(payload.workflow(), payload.hash()), payload.content());
  }

  /** As they are, or empty when they are not there. */
  Optional<byte[]> find(WorkflowId id, byte[] hash) {
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
