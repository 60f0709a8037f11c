package dev.tenure.workflow.operation;

import dev.tenure.workflow.Payload;
import dev.tenure.workflow.Text;
import java.util.Optional;

/** What one workflow tells another. */
public sealed interface MessageContent {
  /** What it carries; {@link Payload#NONE} when that is nothing. */
  Payload payload();

  /**
   * Delivered through the other's inbox, with the message's GUID as signal id.
   *
   * @param child the operation that starts the child that is meant; empty when the signal is for
   *     any workflow that has the id
   */
  record Signal(String signal, Payload payload, Optional<OperationId> child)
      implements MessageContent {
    public Signal {
      Text.require("signal name", signal, OperationSpec.SignalWait.NAME_BYTES_MAX);
    }

    public Signal(String signal, Payload payload) {
      this(signal, payload, Optional.empty());
    }

    public Signal withChild(Optional<OperationId> other) {
      return new Signal(signal, payload, other);
    }
  }

  /**
   * @param child the message that started the child that is meant; empty when the request is for
   *     any workflow that has the id
   */
  record Cancel(String reason, Optional<MessageGuid> child) implements MessageContent {
    @Override
    public Payload payload() {
      return Payload.NONE;
    }

    public Cancel {
      Text.requireWellFormed("reason", reason);
    }

    public Cancel(String reason) {
      this(reason, Optional.empty());
    }
  }

  /** By the engine only: a parent that ended takes its children along. */
  record Terminate(String reason, Optional<MessageGuid> child) implements MessageContent {
    @Override
    public Payload payload() {
      return Payload.NONE;
    }

    public Terminate(String reason) {
      this(reason, Optional.empty());
    }
  }

  /**
   * By the engine only: how the child of that operation came out.
   *
   * @param started by which message it was started; reports of earlier versions do not say
   */
  record ChildEnded(OperationId operation, Outcome outcome, Optional<MessageGuid> started)
      implements MessageContent {
    @Override
    public Payload payload() {
      return outcome instanceof Outcome.Succeeded(Payload value) ? value : Payload.NONE;
    }

    public ChildEnded(OperationId operation, Outcome outcome) {
      this(operation, outcome, Optional.empty());
    }
  }
}
