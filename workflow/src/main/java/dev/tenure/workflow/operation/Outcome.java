package dev.tenure.workflow.operation;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;

/** How an operation, or a whole workflow, came out. */
public sealed interface Outcome {
  Outcome DONE = new Succeeded(Payload.NONE);

  record Succeeded(Payload value) implements Outcome {}

  record Failed(Failure failure) implements Outcome {}

  /** It was asked to stop and did. */
  record Cancelled(String reason) implements Outcome {}

  /** It was ended from outside, without a word to its code. */
  record Terminated(String reason) implements Outcome {}

  /** What it waited for did not come in time. */
  record TimedOut(String what) implements Outcome {}
}
