package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.Handle;
import dev.tenure.workflow.Saga;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * A workflow that is paused is asked to stop. By then other code is there, which has continued as
 * new before it learns that.
 */
class CancelledBeforeTheNextRunTest {
  private static final WorkflowId ID = WorkflowId.of("w");

  private final TestLoopNode node = new TestLoopNode();
  private final AtomicInteger undone = new AtomicInteger();

  private Handle<String> begins(WorkflowContext ctx, Saga saga) {
    saga.step("do", () -> 1, did -> undone.incrementAndGet());
    return ctx.signals("go", String.class).receiveAsync();
  }

  @Test
  void itsCodeUndoesWhatItDid() {
    node.begin("w", ctx -> ctx.saga(saga -> begins(ctx, saga).get()));
    node.workflows().pause(ID, "other code comes");
    node.quiet();
    Coded.put(
        "w",
        ctx ->
            ctx.saga(
                saga -> {
                  begins(ctx, saga);
                  return ctx.continueAsNew(null);
                }));
    node.dies();
    node.workflows().cancel(ID, "rain");
    node.workflows().resume(ID);

    assertThat(node.end("w").status()).isEqualTo(Status.CANCELLED);
    assertThat(undone).hasValue(1);
  }
}
