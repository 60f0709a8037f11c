package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.signal.InboxRead;
import dev.tenure.persistence.signal.PendingSignal;
import dev.tenure.sharding.host.OwnerLimits;
import dev.tenure.sharding.loop.Loop;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Signals that code is told of when it has ended already, and its end is not on record: the code
 * never receives them.
 */
class SignalsAfterTheEndTest {
  private static final WorkflowId ID = WorkflowId.of("w");

  private final TestLoopNode node = new TestLoopNode(OwnerLimits.DEFAULT.withWishesPerCommit(1));

  private List<String> unconsumed() {
    return node.storage.signals().unconsumed(List.of(new InboxRead(ID, 0, 10))).getFirst().stream()
        .map(PendingSignal::name)
        .toList();
  }

  private void changesWhilePaused(Function<WorkflowContext, Object> newer) {
    node.workflows().pause(ID, "other code comes");
    node.quiet();
    Coded.put("w", newer);
    node.dies();
    node.signal("w", "go", "on");
    assertThat(node.events("w")).hasAtLeastOneElementOfType(Event.SignalConsumed.class);
    node.workflows().resume(ID);
  }

  private static Handle<String> go(WorkflowContext ctx) {
    return ctx.signals("go", String.class).receiveAsync();
  }

  /** The wait on record takes the signal; the code that is there by then does not ask for it. */
  @Test
  void areRecordedAsUnconsumed() {
    node.begin("w", ctx -> go(ctx).get());
    changesWhilePaused(
        ctx -> {
          go(ctx);
          return "without it";
        });

    assertThat(node.result("w")).isEqualTo("\"without it\"");
    assertThat(unconsumed()).containsExactly("go");
  }

  @Test
  void areForTheNextRun() {
    node.begin("w", ctx -> go(ctx).get());
    String first = ((Event.Started) node.events("w").getFirst()).start().runId();
    changesWhilePaused(
        ctx -> {
          Handle<String> go = go(ctx);
          return ctx.info().runId().equals(first) ? ctx.continueAsNew(null) : "next: " + go.get();
        });

    assertThat(node.result("w")).isEqualTo("\"next: on\"");
    assertThat(unconsumed()).isEmpty();
  }

  /** Each goes back in a commit of its own, and another node goes on between them. */
  @ParameterizedTest
  @ValueSource(ints = {0, 2, 4, 6, 8, 10, 13, 16, 20, 25, 30})
  void areForTheNextRunInTheirOrder(int tasks) {
    node.begin("w", ctx -> both(go(ctx), go(ctx)));
    String first = ((Event.Started) node.events("w").getFirst()).start().runId();
    node.workflows().pause(ID, "other code comes");
    node.quiet();
    Coded.put(
        "w",
        ctx -> {
          Handle<String> one = go(ctx);
          Handle<String> two = go(ctx);
          return ctx.info().runId().equals(first) ? ctx.continueAsNew(null) : both(one, two);
        });
    node.dies();
    node.signal("w", "go", "a");
    node.signal("w", "go", "b");
    node.signal("w", "go", "c");
    node.workflows().resume(ID);
    for (int i = 0; i < tasks; i++) node.loop.doNext(Loop.Choice.OLDEST);
    node.dies();
    node.workflows().resume(ID);

    assertThat(node.result("w")).isEqualTo("\"ab\"");
    assertThat(unconsumed()).containsExactly("go");
  }

  private static String both(Handle<String> one, Handle<String> two) {
    return one.get() + two.get();
  }
}
