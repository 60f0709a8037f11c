package dev.tenure.sharding.workflow;

import dev.tenure.persistence.incident.IncidentRow;

/** The result of resolving one incident. */
public record Resolution(IncidentRow incident, Outcome outcome) {
  /** What became of the request to resolve it. */
  public sealed interface Outcome {}

  /** The workflow goes on. */
  public record Resolved() implements Outcome {}

  /**
   * The incident had been resolved before, another person has decided about its activity, or the
   * workflow has ended.
   */
  public record AlreadyResolved() implements Outcome {}

  /**
   * The workflow stands still as before, or it is not known whether it does.
   *
   * @param why for people
   */
  public record Refused(String why) implements Outcome {}
}
