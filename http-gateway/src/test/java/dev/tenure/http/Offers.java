package dev.tenure.http;

import dev.tenure.persistence.task.TaskId;
import dev.tenure.persistence.task.TaskOffer;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.Trace;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.operation.ActivityCall.Queueing;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Tasks as commits offer them. */
final class Offers {
  private static final Duration VISIBILITY = Duration.ofSeconds(30);

  private Offers() {}

  static TaskOffer on(String queue, String workflow) {
    return on(queue, workflow, VISIBILITY);
  }

  static TaskOffer on(String queue, String workflow, Duration visibility) {
    return on(queue, workflow, visibility, true);
  }

  static TaskOffer on(String queue, String workflow, Duration visibility, boolean repeatable) {
    return new TaskOffer(
        id(workflow),
        1,
        1,
        "send",
        Optional.empty(),
        repeatable,
        new Queueing(queue, 0, "", visibility, "", Optional.empty(), Optional.empty()),
        json("{\"to\":\"%s\"}".formatted(workflow)),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** With everything that a task can have. */
  static TaskOffer full(String queue, String workflow, Instant deadline) {
    return new TaskOffer(
        id(workflow),
        1,
        2,
        "send",
        Optional.of("order-17"),
        false,
        new Queueing(queue, 5, "customer", VISIBILITY, "smtp", Optional.of(9), Optional.empty()),
        json("{\"n\":1.50,\"z\":[]}"),
        Optional.of(Duration.ofSeconds(12)),
        Optional.of(Duration.ofMinutes(5)),
        Optional.of(deadline),
        Trace.of("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"));
  }

  static TaskId id(String workflow) {
    return new TaskId(WorkflowId.of(workflow), "run-1/send#1");
  }

  static Payload json(String text) {
    return Payload.of(text.getBytes(StandardCharsets.UTF_8));
  }
}
