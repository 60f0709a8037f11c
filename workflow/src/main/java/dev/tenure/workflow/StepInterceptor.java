package dev.tenure.workflow;

import java.util.Optional;

/**
 * Runs around the code of steps and activities, each time that it really runs: a replay calls none.
 * It can set up what that code expects on its thread, such as a tracing, logging or security
 * context, and measure it. It runs the body once, on the thread it was called on, and lets its
 * exceptions pass: what it throws itself is what the step throws, and is tried again as the step's
 * policy says.
 *
 * <pre>{@code
 * public <T> T intercept(Call call, StepBody<T, Exception> body) throws Exception {
 *   try (MDC.MDCCloseable order = MDC.putCloseable("order", call.workflowId().value())) {
 *     return body.run();
 *   }
 * }
 * }</pre>
 *
 * <p>Several interceptors are nested, the first that was registered outermost. It is shared by all
 * workflows of a node and called by many threads.
 */
public interface StepInterceptor {
  <T> T intercept(Call call, StepBody<T, Exception> body) throws Exception;

  /** What is to run. */
  enum Kind {
    STEP,
    ACTIVITY
  }

  /**
   * One attempt at a step or an activity.
   *
   * @param operationId within its run: with the branch, the key and the occurrence
   * @param name the step's, without its key, or the activity's
   * @param attempt counts from 1
   * @param idempotencyKey the same over all attempts and crashes
   * @param trace that the workflow belongs to
   */
  record Call(
      Kind kind,
      WorkflowId workflowId,
      String runId,
      String operationId,
      String name,
      int attempt,
      String idempotencyKey,
      Optional<Trace> trace) {}
}
