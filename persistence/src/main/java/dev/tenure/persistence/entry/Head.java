package dev.tenure.persistence.entry;

/**
 * Where a workflow's checkpoint stands after a commit.
 *
 * @param completed how many operations have come out so far
 * @param version the number of the commit, which is its sequence number in the journal (I2)
 */
public record Head(long completed, long version) {
  public Head {
    if (completed < 0 || version < 1) {
      throw new IllegalArgumentException(
          "a head after %d operations at version %d: operations count from 0, versions from 1"
              .formatted(completed, version));
    }
  }
}
