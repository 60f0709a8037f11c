package dev.tenure.persistence.signal;

import dev.tenure.persistence.signal.Signal.Identity;
import dev.tenure.workflow.InvalidTextError;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.SignalContent;
import java.util.Optional;
import java.util.function.Supplier;

/** A signal as it was sent; it is not checked yet. */
public record SignalRequest(
    String workflowId, String name, Optional<String> signalId, SignalContent content) {
  public SignalRequest(String workflowId, String name, Optional<String> signalId, Payload payload) {
    this(workflowId, name, signalId, SignalContent.of(payload));
  }

  /**
   * The signal that it asks for.
   *
   * @param freshIds makes the id of a request that brings none
   * @throws InvalidSignalError when there is something wrong with it
   */
  public Signal toSignal(Supplier<String> freshIds) {
    try {
      return new Signal(
          new WorkflowId(workflowId),
          name,
          signalId.orElseGet(freshIds),
          signalId.isPresent() ? Identity.GIVEN : Identity.GENERATED,
          content);
    } catch (InvalidTextError e) {
      throw new InvalidSignalError(e.getMessage());
    }
  }
}
