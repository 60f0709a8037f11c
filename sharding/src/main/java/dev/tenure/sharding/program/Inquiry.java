package dev.tenure.sharding.program;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;

/** A query to a workflow, which changes nothing. */
public record Inquiry(String name, Payload input) {
  /** The answer of the code. */
  public sealed interface Reply {
    record Value(Payload value) implements Reply {}

    record Failed(Failure failure) implements Reply {}

    /** The code has registered no such query so far. */
    record NoSuchQuery(String name) implements Reply {}

    /** An earlier run of the query did not come to an end, and its thread still runs. */
    static Reply stillRuns(String query) {
      return new Failed(
          Failure.permanent(
              Failure.TIMEOUT,
              "Query %s was given up before, and still runs on a thread of this node."
                  .formatted(query)));
    }
  }
}
