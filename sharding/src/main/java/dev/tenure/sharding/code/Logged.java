package dev.tenure.sharding.code;

import dev.tenure.workflow.Trace;
import java.util.Optional;
import org.slf4j.MDC;

/**
 * While it is open, lines that are logged on this thread carry {@code trace_id} and {@code
 * span_id}. Costs nothing where there is no trace.
 */
public final class Logged implements AutoCloseable {
  private static final Logged NOTHING = new Logged(false);
  private static final Logged TRACED = new Logged(true);

  public static final String TRACE_ID = "trace_id";
  public static final String SPAN_ID = "span_id";

  private final boolean traced;

  private Logged(boolean traced) {
    this.traced = traced;
  }

  public static Logged under(Optional<Trace> trace) {
    if (trace.isEmpty()) return NOTHING;
    MDC.put(TRACE_ID, trace.get().traceId());
    MDC.put(SPAN_ID, trace.get().spanId());
    return TRACED;
  }

  @Override
  public void close() {
    if (!traced) return;
    MDC.remove(TRACE_ID);
    MDC.remove(SPAN_ID);
  }
}
