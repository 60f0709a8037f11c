package dev.tenure.persistence.storage;

import java.util.List;

/**
 * What a storage really offers, as it stands now; probed where it can be probed.
 *
 * @param conditionalBatch a batch commits only if its preconditions hold, decided by the store
 * @param atomicBatch a batch is stored as a whole or not at all
 * @param readAfterWrite an acknowledged write is seen by every later read
 * @param scanConsistency a scan sees one moment, not a mixture
 * @param durable an acknowledged write survives the crash of the store
 * @param shared several processes see the same store
 * @param findings why a capability is missing, and what could be better
 */
public record StorageCapabilities(
    boolean conditionalBatch,
    boolean atomicBatch,
    boolean readAfterWrite,
    boolean scanConsistency,
    boolean durable,
    boolean shared,
    List<Finding> findings) {
  public StorageCapabilities {
    findings = List.copyOf(findings);
  }

  /** Why capabilities are missing, for people. */
  public List<String> reasons() {
    return findings.stream()
        .filter(each -> each.kind().effect() != Finding.Effect.ADVICE)
        .map(Finding::toString)
        .toList();
  }
}
