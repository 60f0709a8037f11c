package dev.tenure.persistence.proof;

import dev.tenure.persistence.entry.ChainLink;
import java.util.Optional;

/**
 * What was found of one history.
 *
 * @param workflow its id, or the journal's key where that names none
 * @param commits how many rows it has
 * @param payloads how many payloads that stand apart were compared with their hash
 * @param isSealed whether it was ended because it could not be read
 * @param link of its newest commit; empty when it has none, or when one does not fit
 * @param finding empty when all of it fits
 */
public record Verified(
    String workflow,
    long commits,
    long payloads,
    boolean isSealed,
    Optional<ChainLink> link,
    Optional<Finding> finding) {
  Verified with(Finding one) {
    return new Verified(workflow, commits, payloads, isSealed, Optional.empty(), Optional.of(one));
  }
}
