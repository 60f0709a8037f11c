package dev.tenure.persistence.signal;

import dev.tenure.workflow.Payload;
import dev.tenure.workflow.Trace;
import java.time.Instant;
import java.util.Optional;

/** A signal in a workflow's inbox. */
public record PendingSignal(
    long position,
    String name,
    String id,
    Instant acceptedAt,
    Payload payload,
    Optional<Trace> trace) {
  public PendingSignal(long position, String name, String id, Instant acceptedAt, Payload payload) {
    this(position, name, id, acceptedAt, payload, Optional.empty());
  }
}
