package dev.tenure.persistence.signal;

import dev.tenure.workflow.Payload;
import java.time.Instant;

/** A signal in a workflow's inbox. */
public record PendingSignal(
    long position, String name, String id, Instant acceptedAt, Payload payload) {}
