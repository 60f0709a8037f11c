package dev.tenure.sharding.branch;

import dev.tenure.workflow.Trace;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Start;
import java.util.Optional;
import org.slf4j.MDC;

/**
 * While it is open, lines that are logged on this thread carry {@code workflow_id} and {@code
 * run_id}, and where there is a trace {@code trace_id} and {@code span_id}.
 */
public final class TraceMdc implements AutoCloseable {
  private static final TraceMdc UNTRACED = new TraceMdc(false);
  private static final TraceMdc TRACED = new TraceMdc(true);

  public static final String WORKFLOW_ID = "workflow_id";
  public static final String RUN_ID = "run_id";
  public static final String TRACE_ID = "trace_id";
  public static final String SPAN_ID = "span_id";

  private final boolean traced;

  private TraceMdc(boolean traced) {
    this.traced = traced;
  }

  public static TraceMdc under(Start run) {
    return under(run.id(), run.runId(), run.trace());
  }

  public static TraceMdc under(WorkflowId workflow, String runId, Optional<Trace> trace) {
    MDC.put(WORKFLOW_ID, workflow.value());
    MDC.put(RUN_ID, runId);
    if (trace.isEmpty()) return UNTRACED;
    MDC.put(TRACE_ID, trace.get().traceId());
    MDC.put(SPAN_ID, trace.get().spanId());
    return TRACED;
  }

  @Override
  public void close() {
    MDC.remove(WORKFLOW_ID);
    MDC.remove(RUN_ID);
    if (!traced) return;
    MDC.remove(TRACE_ID);
    MDC.remove(SPAN_ID);
  }
}
