package dev.tenure.sharding.program;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;

/** A question to a workflow that changes nothing. */
public record Inquiry(String name, Payload input) {
  /** What the code says to it. */
  public sealed interface Reply {
    record Value(Payload value) implements Reply {}

    record Failed(Failure failure) implements Reply {}

    /** The code registered no such query, up to now. */
    record NoSuchQuery(String name) implements Reply {}

    /** It did not come back when it was asked before, and its thread has not ended since. */
    static Reply stillRuns(String query) {
      return new Failed(
          Failure.permanent(
              Failure.TIMEOUT,
              "Query %s was given up before, and still runs on a thread of this node."
                  .formatted(query)));
    }
  }
}
