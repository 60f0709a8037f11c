package dev.tenure.sharding.message;

import dev.tenure.sharding.program.Inquiry;
import dev.tenure.workflow.kernel.Reply;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.operation.Outcome;

/** What the workflow's actor says. */
public sealed interface Answer {
  /** The kernel's word. */
  record Said(Reply reply) implements Answer {}

  record Queried(Inquiry.Reply reply) implements Answer {}

  record Described(Description description) implements Answer {}

  record Ended(Status status, Outcome outcome) implements Answer {}

  /** Another start has taken the place of an earlier one, and this is the run that it began. */
  record AnotherRun(String runId) implements Answer {}

  record Updated(Outcome outcome) implements Answer {}

  /** There is no workflow of that id. */
  record Unknown() implements Answer {}

  /** It cannot be asked now, because of what it stands at. */
  record NotNow(String why) implements Answer {}

  /** Too many wait already: nothing was done. */
  record Busy(int limit) implements Answer {}

  /** The owner cannot say what became of it, or is gone: ask again, and the record will tell. */
  record Again(String why) implements Answer {}
}
