package dev.tenure.sharding.branch;

import dev.tenure.persistence.key.KeyText;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.operation.OperationId;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;

/**
 * What other systems recognise an operation by: {@code tenure:{workflowId}:{runId}:{operationId}}.
 * The attempt is not part of it, so it is the same over all attempts, owners and crashes. The run
 * is, because operation ids begin anew in each run, and an id may be used again.
 */
public final class IdempotencyKeys {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private IdempotencyKeys() {}

  public static String of(WorkflowId workflow, String runId, OperationId operation) {
    return ascii(KeyText.joined("tenure", workflow.value(), runId, operation.value()));
  }

  /** What tells the attempts at an operation apart: {@code tenure:{job}:{step}:{attempt}}. */
  public static String ofAttempt(WorkflowId workflow, OperationId operation, int attempt) {
    return ascii(
        KeyText.joined("tenure", workflow.value(), operation.value(), Integer.toString(attempt)));
  }

  /**
   * The key of the step that runs on this thread, or else of the operation that the code asks for
   * next.
   */
  public static String of(BranchScheduler scheduler, String name, Optional<String> key) {
    Optional<PendingStep<?>> running =
        Attempt.onThisThread().filter(step -> step.scheduler == scheduler);
    OperationId operation =
        running.isPresent()
            ? own(running.get(), name, key)
            : scheduler.actor().ids.upcoming(OperationIdSequence.keyed(name, key));
    // Set before any code runs, and never again: a step may read it on any thread.
    return of(scheduler.start().id(), scheduler.start().runId(), operation);
  }

  private static OperationId own(PendingStep<?> step, String name, Optional<String> key) {
    if (!step.name.equals(name) || key.isPresent() && !step.key.equals(key))
      throw new IllegalArgumentException(
          "Step %s runs, and asks for the key of \"%s\". Inside a step ask for its own key; ask for another one's before the step."
              .formatted(step.id, OperationIdSequence.keyed(name, key)));
    return step.id;
  }

  /** Keys travel in HTTP headers, which take printable ASCII only. */
  private static String ascii(String key) {
    if (key.chars().allMatch(c -> c > ' ' && c < 0x7F)) return key;
    StringBuilder escaped = new StringBuilder(key.length() + 32);
    for (byte unit : key.getBytes(StandardCharsets.UTF_8))
      if (unit > ' ' && unit < 0x7F) escaped.append((char) unit);
      else HEX.toHexDigits(escaped.append('%'), unit);
    return escaped.toString();
  }
}
