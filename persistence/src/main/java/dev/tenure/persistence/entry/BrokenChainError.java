package dev.tenure.persistence.entry;

/** A commit does not follow the one before it: the stored history was changed. */
public final class BrokenChainError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BrokenChainError(Head before, ChainLink expected, Head found, ChainLink carried) {
    super(
        "the commit at version %d carries the link %s, and after version %d it must carry %s. The stored history was changed: do not resume the workflow, restore it."
            .formatted(found.version(), carried, before.version(), expected));
  }
}
