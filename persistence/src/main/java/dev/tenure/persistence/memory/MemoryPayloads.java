package dev.tenure.persistence.memory;

import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.payload.MissingPayloadError;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/** Payloads in memory, under the lock of their storage. */
final class MemoryPayloads implements Payloads {
  private static final int HASH_DIGITS = 64;

  private final Object lock;
  private final Map<String, byte[]> contents = new HashMap<>();

  MemoryPayloads(Object lock) {
    this.lock = lock;
  }

  /** Called with the lock held. */
  void keep(SideRow.PayloadKept payload) {
    contents.putIfAbsent(key(payload.workflow(), payload.hash()), payload.content());
  }

  /** Keeps what is too large for a row beside the journal; returns what the row is to hold. */
  Payload apart(WorkflowId id, Payload payload) {
    if (isLarge(payload) && payload.keptBy().filter(id.value()::equals).isEmpty())
      contents.putIfAbsent(key(id, hash(payload)), payload.bytes());
    return referredTo(id, payload);
  }

  /** The same for what the commit keeps that brings the row. */
  Payload referredTo(WorkflowId id, Payload payload) {
    if (!isLarge(payload)) return payload;
    byte[] hash = hash(payload);
    return Payload.elsewhere(
        payload.size(), payload.fingerprint(), id.value(), () -> load(id, hash));
  }

  private static boolean isLarge(Payload payload) {
    return payload.size() > APART_BYTES && !payload.isInRecord();
  }

  private static byte[] hash(Payload payload) {
    return HexFormat.of().parseHex(payload.fingerprint());
  }

  /** As they are, or empty when they are not there. */
  Optional<byte[]> find(WorkflowId id, byte[] hash) {
    synchronized (lock) {
      return Optional.ofNullable(contents.get(key(id, hash)));
    }
  }

  /** Called with the lock held. */
  void remove(WorkflowId id) {
    contents.keySet().removeIf(key -> key.substring(HASH_DIGITS).equals(id.value()));
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
