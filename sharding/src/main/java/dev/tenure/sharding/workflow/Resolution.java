package dev.tenure.sharding.workflow;

import dev.tenure.persistence.incident.IncidentRow;

/** What became of the wish to resolve one incident. */
public record Resolution(IncidentRow incident, Outcome outcome) {
  /** How it came out. */
  public sealed interface Outcome {}

  /** It goes on. */
  public record Resolved() implements Outcome {}

  /** Somebody had resolved it, or its workflow has ended. */
  public record AlreadyResolved() implements Outcome {}

  /**
   * It stands still as before, or whether it does is not known.
   *
   * @param why for people
   */
  public record Refused(String why) implements Outcome {}
}
