package dev.tenure.persistence.entry;

/**
 * Where a workflow's checkpoint stands after a commit.
 *
 * @param step how many operations have come out so far
 * @param version the number of the commit, which is its sequence number in the journal (I2)
 */
public record Head(long step, long version) {
  public Head {
    if (step < 0 || version < 1) {
      throw new IllegalArgumentException(
          "a head at step %d and version %d: steps count from 0, versions from 1"
              .formatted(step, version));
    }
  }
}
