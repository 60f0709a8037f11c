package dev.tenure.persistence.proof;

/**
 * The first row of a history that does not fit.
 *
 * @param workflow its id, or the journal's key where that names none
 * @param version of the row
 */
public record Finding(String workflow, long version, String what) {
  @Override
  public String toString() {
    return "%s: version %d %s".formatted(workflow, version, what);
  }
}
