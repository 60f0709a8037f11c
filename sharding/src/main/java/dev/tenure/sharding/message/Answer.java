package dev.tenure.sharding.message;

import dev.tenure.sharding.program.Inquiry;
import dev.tenure.workflow.kernel.Reply;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.operation.Outcome;

/** The answers of a workflow's owner. */
public sealed interface Answer {
  /** The kernel's reply. */
  record Said(Reply reply) implements Answer {}

  record Queried(Inquiry.Reply reply) implements Answer {}

  record Described(Description description) implements Answer {}

  record Ended(Status status, Outcome outcome) implements Answer {}

  /** Another start has taken the place of an earlier one, and this is the run that it began. */
  record AnotherRun(String runId) implements Answer {}

  record Updated(Outcome outcome) implements Answer {}

  /** There is no workflow of that id. */
  record Unknown() implements Answer {}

  /** The state of the workflow does not allow the request now. */
  record NotNow(String why) implements Answer {}

  /** Too many requests wait already: nothing was done. */
  record Busy(int limit) implements Answer {}

  /**
   * The owner cannot say what became of the request, or has stopped. The caller can ask again: the
   * next owner finds in the history what was done.
   */
  record Again(String why) implements Answer {}
}
