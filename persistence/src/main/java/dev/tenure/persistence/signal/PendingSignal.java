package dev.tenure.persistence.signal;

import dev.tenure.workflow.Payload;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.SignalContent;
import java.time.Instant;

/** A signal in a workflow's inbox. */
public record PendingSignal(
    long position, String name, String id, Instant acceptedAt, SignalContent content) {
  public Payload payload() {
    return content.payload();
  }

  /** As its workflow takes it. */
  public Command.Arrival arrival() {
    return new Command.Arrival(name, position, id, content);
  }
}
