package dev.tenure.persistence.storage;

import java.util.List;
import java.util.Set;

/**
 * Whether the engine insists that an acknowledged write survives a crash of the store.
 *
 * @param accepted what the operator has accepted by name. Everything else still counts
 */
public record Durability(boolean required, Set<Finding.Kind> accepted) {
  public static final Durability REQUIRED = new Durability(true, Set.of());

  /** For tests and throw-away engines. */
  public static final Durability NOT_REQUIRED = new Durability(false, Set.of());

  public Durability {
    accepted = Set.copyOf(accepted);
  }

  /** It is required, but for these findings. */
  public static Durability accepting(Set<Finding.Kind> findings) {
    return new Durability(true, findings);
  }

  /**
   * Called where {@link CheckpointOwnership#require} is called: before anything is acknowledged.
   */
  public void require(Storage storage) {
    StorageCapabilities found = storage.capabilities();
    if (!required || found.durable()) return;
    List<Finding> open = notAccepted(found, Finding.Effect.NOT_DURABLE);
    // One that does not say why it is not durable cannot be accepted.
    boolean isExplained =
        found.findings().stream()
            .anyMatch(each -> each.kind().effect() == Finding.Effect.NOT_DURABLE);
    if (!open.isEmpty() || !isExplained) throw new StorageNotDurableError(storage, open);
  }

  /** What the operator is to be told at each start: advice, and what was accepted. */
  public List<String> remarks(Storage storage) {
    StorageCapabilities found = storage.capabilities();
    return found.findings().stream()
        .filter(each -> each.kind().effect() != Finding.Effect.REFUSED)
        .filter(
            each ->
                each.kind().effect() == Finding.Effect.NOT_DURABLE
                    || !accepted.contains(each.kind()))
        .map(Finding::toString)
        .toList();
  }

  private List<Finding> notAccepted(StorageCapabilities found, Finding.Effect effect) {
    return found.findings().stream()
        .filter(each -> each.kind().effect() == effect && !accepted.contains(each.kind()))
        .toList();
  }
}
