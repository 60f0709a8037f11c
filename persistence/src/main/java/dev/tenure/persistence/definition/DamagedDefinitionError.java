package dev.tenure.persistence.definition;

import java.util.Arrays;

/** A stored definition is not what was stored: its content has another hash. */
public final class DamagedDefinitionError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private DamagedDefinitionError(Definition found) {
    super("The %s was changed in the store: its hash is another. Restore it.".formatted(found));
  }

  /** The definition, when its content has the hash that was stored with it. */
  public static Definition checked(Definition found, byte[] storedHash) {
    if (!Arrays.equals(found.hash(), storedHash)) throw new DamagedDefinitionError(found);
    return found;
  }
}
