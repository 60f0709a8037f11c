package dev.tenure.simulation;

import dev.tenure.workflow.audit.Violation;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Fork;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** I6 in one workflow: what is recorded of a step is what its code returned. */
final class Outcomes {
  private final World world;
  private final Map<OperationId, Integer> attempts = new HashMap<>();
  private String run = "";

  Outcomes(World world) {
    this.world = world;
  }

  void read(String workflow, List<Event> events) {
    // What a fork begins with is what the steps of another workflow returned.
    boolean copied = events.stream().anyMatch(Event.Forked.class::isInstance);
    for (Event event : events) {
      if (event instanceof Event.Started || Fork.followsRun(event)) {
        attempts.clear();
        run = Fork.start(event).runId();
      }
      if (copied) continue;
      if (event instanceof Event.AttemptFailed failed)
        attempts.put(failed.operation(), failed.attempt() + 1);
      if (event
          instanceof Event.Completed(var at, OperationId id, Outcome.Succeeded value, var digits))
        world
            .result(run, id, attempts.getOrDefault(id, 1))
            .filter(String.class::isInstance)
            .ifPresent(returned -> requireSame(workflow, id, returned, value));
    }
  }

  private static void requireSame(
      String workflow, OperationId id, Object returned, Outcome.Succeeded recorded) {
    // What has no type of its own is written together with its type.
    String text = new String(recorded.value().bytes(), StandardCharsets.UTF_8);
    Violation.require(
        text.contains("\"" + returned + "\""),
        "I6",
        "%s: %s returned %s, on record is %s".formatted(workflow, id, returned, text));
  }
}
