package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.kernel.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An activity that a full queue refuses is offered again, for as long as somebody wants it. */
class RefusedActivityTest {
  private static final ActivityDefinition<String, String> NARROW =
      ActivityDefinition.of("narrow", String.class, String.class);
  private static final Duration A_WHILE = Duration.ofMinutes(1);

  private final List<String> ran = new ArrayList<>();
  private final TestLoopNode node =
      new TestLoopNode(
          ActivityRegistration.of(
                  NARROW,
                  (call, who) -> {
                    ran.add(who);
                    return who;
                  })
              .atOnce(1)
              .waiting(0));

  @Test
  void itIsOfferedAgainWhileItIsWanted() {
    node.begin(
        "wanted",
        ctx -> {
          Handle<String> first = ctx.activityAsync(NARROW, "first");
          Handle<String> second = ctx.activityAsync(NARROW, "second");
          return first.get() + second.get();
        });
    assertThat(ran).as("there is no room for the other one").containsExactly("first");
    node.pass(A_WHILE);
    assertThat(ran).containsExactly("first", "second");
    assertThat(node.result("wanted")).isEqualTo("\"firstsecond\"");
  }

  @Test
  void itIsNotOfferedAgainWhenItWasCancelled() {
    node.begin(
        "cancelled",
        ctx -> {
          Handle<String> first = ctx.activityAsync(NARROW, "first");
          Handle<String> second = ctx.activityAsync(NARROW, "second");
          first.get();
          second.cancel("the first is enough");
          return ctx.awaitSignal("end", String.class);
        });
    assertThat(ran).as("there is no room for the other one").containsExactly("first");
    assertThat(node.events("cancelled")).anyMatch(Event.Abandoned.class::isInstance);
    node.pass(A_WHILE);
    assertThat(ran).containsExactly("first");
    node.signal("cancelled", "end", "now");
    assertThat(node.result("cancelled")).isEqualTo("\"now\"");
  }

  @Test
  void itIsNotOfferedAgainWhenItsWorkflowHasEnded() {
    node.begin(
        "ended",
        ctx -> {
          Handle<String> first = ctx.activityAsync(NARROW, "first");
          ctx.activityAsync(NARROW, "second");
          return first.get();
        });
    assertThat(node.result("ended")).isEqualTo("\"first\"");
    node.pass(A_WHILE);
    assertThat(ran).containsExactly("first");
  }
}
