package dev.tenure.examples.counter;

import dev.tenure.workflow.Handle;
import dev.tenure.workflow.QueryDefinition;
import dev.tenure.workflow.SignalDefinition;
import dev.tenure.workflow.UpdateDefinition;
import dev.tenure.workflow.UpdateRejectedException;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;

/** A thing with a state that lives for as long as it is wanted: updates change it, one by one. */
@Workflow(name = "counter")
public final class Counter {
  public static final UpdateDefinition<Long, Long> ADD =
      UpdateDefinition.of("add", Long.class, Long.class);
  public static final QueryDefinition<Void, Long> VALUE = QueryDefinition.of("value", Long.class);
  public static final SignalDefinition<String> CLOSE = SignalDefinition.of("close", String.class);

  private long value;

  public long run(WorkflowContext ctx, long before) {
    value = before;
    ctx.onQuery(VALUE, () -> value);
    ctx.onUpdate(ADD, this::check, more -> value += more);
    Handle<String> closed = ctx.signals(CLOSE).receiveAsync();
    ctx.await(() -> closed.isDone() || ctx.info().continueAsNewSuggested());
    // A handler that still waits would begin again in the next run.
    ctx.awaitHandlers();
    if (closed.isDone()) return value;
    return ctx.continueAsNew(Counter::run, value);
  }

  private void check(long more) {
    if (value + more < 0) throw new UpdateRejectedException("Only " + value + " are there.");
  }
}
