package dev.tenure.persistence.signal;

import dev.tenure.persistence.key.KeyText;
import dev.tenure.workflow.InvalidTextError;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.Text;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Limits;
import dev.tenure.workflow.kernel.SignalContent;
import dev.tenure.workflow.operation.OperationSpec.SignalWait;

/**
 * A signal that can be accepted: its content was checked when it was made.
 *
 * @param id opaque and compared byte by byte; the same one, for the same workflow and name, is the
 *     same signal
 */
public record Signal(
    WorkflowId workflowId, String name, String id, Identity identity, SignalContent content) {
  public static final int MAX_ID_BYTES = 128;
  public static final int MAX_NAME_BYTES = SignalWait.NAME_BYTES_MAX;
  public static final int MAX_PAYLOAD_BYTES = Limits.PAYLOAD_BYTES_MAX;

  /** Whether a retry would come with the same id. */
  public enum Identity {
    /** The sender's: retries are recognised. */
    GIVEN,
    /** Made up for this request: a retry by the sender is another signal. */
    GENERATED
  }

  /** Throws {@link InvalidSignalError}, which says what is wrong, and never what was sent. */
  public Signal {
    try {
      Text.require("signal name", name, MAX_NAME_BYTES);
      Text.require("signalId", id, MAX_ID_BYTES);
    } catch (InvalidTextError e) {
      throw new InvalidSignalError(e.getMessage());
    }
    if (content.payload().size() > MAX_PAYLOAD_BYTES) {
      throw new InvalidSignalError(
          "The payload of the signal has %d bytes, more than the limit MAX_PAYLOAD_BYTES = %d: send a reference to it."
              .formatted(content.payload().size(), MAX_PAYLOAD_BYTES));
    }
  }

  public Signal(WorkflowId workflowId, String name, String id, Identity identity, Payload payload) {
    this(workflowId, name, id, identity, SignalContent.of(payload));
  }

  public Payload payload() {
    return content.payload();
  }

  /** Under which key its payload is stored: different signals never share one. */
  public String storageKey() {
    return KeyText.joined("sig", workflowId.value(), name, id);
  }
}
