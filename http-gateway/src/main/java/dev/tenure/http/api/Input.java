package dev.tenure.http.api;

import dev.tenure.http.schema.Schema;

/**
 * One thing that an operation is told. Its name is the same everywhere; only where it travels in
 * HTTP differs: in JSON-RPC all of them are params.
 */
public record Input(String name, Place place, Schema schema, boolean required, String about) {
  /** Where it travels in HTTP. */
  public enum Place {
    PATH,
    QUERY,
    BODY,
    /** As {@code Idempotency-Key}. */
    KEY_HEADER,
    /** As {@code Prefer: wait=N}. */
    WAIT_PREFERENCE,
    /** As {@code Prefer: handling=strict}. */
    STRICT_PREFERENCE,
    /** As {@code traceparent}. */
    TRACE_HEADER,
    /** As {@code Last-Event-ID}. */
    EVENT_HEADER
  }
}
