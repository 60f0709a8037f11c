package dev.tenure.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/**
 * Which attempt at an operation an order is about. What is empty is taken from what stands there
 * when the server gets the order; an attempt that is named is never mistaken for a later one.
 *
 * @param operation as {@link WorkflowDescription#open} has it
 * @param runId the run that was looked at
 * @param attempt as {@link WorkflowDescription.Open#attempt} has it: the one that is under way, or
 *     the next one
 */
public record AttemptRef(String operation, Optional<String> runId, Optional<Integer> attempt) {
  /** What stands at the operation when the order comes. */
  public static AttemptRef of(String operation) {
    return new AttemptRef(operation, Optional.empty(), Optional.empty());
  }

  public AttemptRef run(String id) {
    return new AttemptRef(operation, Optional.of(id), attempt);
  }

  public AttemptRef attempt(int number) {
    return new AttemptRef(operation, runId, Optional.of(number));
  }

  void writeTo(ObjectNode body) {
    runId.ifPresent(id -> body.put("runId", id));
    attempt.ifPresent(number -> body.put("attempt", number));
  }
}
