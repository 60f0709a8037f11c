package dev.tenure.persistence.membership;

/** What the store says to a member that gives a sign of life. */
public sealed interface Standing {
  /** Its cluster is the one that may run, and it belongs to it. */
  record Current() implements Standing {}

  /**
   * It does not belong any more: another cluster was founded, or the others removed it, or another
   * process announced itself at its address. It must stop.
   *
   * @param generation the cluster that may run now
   */
  record Superseded(long generation) implements Standing {}
}
