package dev.tenure.workflow.audit;

import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Place;
import java.time.Instant;

/** An operation that is open, as far as the audit counts. */
final class Open {
  OperationSpec spec;
  Instant scheduledAt;
  long ledger;
  int messages;
  int attempt = 1;
  Instant notBefore;
  boolean letGo;

  /** Whether its program waits for it no longer, or never did: then no semaphore counts it. */
  boolean isDelivery;

  /** Of a graph: its newest message has no step 2 yet. */
  boolean isAnswered;

  Place place;

  /** The ordinal of its newest message: one of Leg1 has none. */
  int ordinal;
}
