package dev.tenure.sharding.mailbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.host.OwnerLimits;
import dev.tenure.sharding.message.IncomingSignal;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Kernel;
import dev.tenure.workflow.kernel.Start;
import dev.tenure.workflow.kernel.Wish;
import dev.tenure.workflow.kernel.Wishes;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When an owner takes a signal itself. */
class SignalTakingTest {
  private static final Instant NOW = Instant.parse("2026-03-01T09:00:00Z");
  private static final Wish WAIT =
      new Wish.Schedule(
          new OperationId("signal:go#1"), new OperationSpec.SignalWait("go", Optional.empty()));
  private static final Wish ACTIVITY =
      new Wish.Schedule(
          new OperationId("long#1"),
          new OperationSpec.Activity("long", Payload.NONE, RetryPolicy.DEFAULT, Timeouts.NONE));

  private final SignalsOfTest signals = new SignalsOfTest();
  private final SeenSignals seen = new SeenSignals();
  private final PendingMessages pending = new PendingMessages(OwnerLimits.DEFAULT, message -> {});
  private final SignalTaking taking = new SignalTaking(seen, pending, message -> {});

  private static WorkflowState started(Wish... wishes) {
    Command start =
        new Command.StartWorkflow(
            new Start(
                SignalsOfTest.ID,
                "run",
                new WorkflowType("takes", 1),
                Payload.NONE,
                7,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Map.of()));
    WorkflowState state = WorkflowState.none();
    for (Event event :
        Kernel.standard().decide(state, start, new Wishes(List.of(wishes)), NOW).events())
      state = Kernel.standard().evolve(state, event);
    return state;
  }

  private boolean takes(WorkflowState state, String name, String id) {
    boolean takes = taking.take(signals.signal(name, id), state, false).isPresent();
    assertThat(signals.handedIn.contains(id)).as("%s goes one way", id).isEqualTo(!takes);
    return takes;
  }

  private void looks(Map<String, Long> found) {
    seen.readBegins();
    found.forEach(seen::saw);
    seen.readEnds();
  }

  @Test
  void oneThatItsWorkflowWaitsFor() {
    looks(Map.of());
    assertThat(takes(started(WAIT), "go", "s1")).isTrue();
  }

  @Test
  void noneBeforeItLooked() {
    assertThat(takes(started(WAIT), "go", "s1")).isFalse();
  }

  /** I14 */
  @Test
  void noneWhileAnotherOfItsNameMayStandBeforeIt() {
    looks(Map.of("go", 1L));
    assertThat(takes(started(WAIT), "go", "s2")).isFalse();
  }

  @Test
  void oneBesideThoseOfOtherNames() {
    looks(Map.of("other", 1L));
    assertThat(takes(started(WAIT), "go", "s2")).isTrue();
  }

  /** The node would overtake itself, and the commit be refused. */
  @Test
  void noneWhileAnotherIsOnItsWayToTheInbox() {
    looks(Map.of());
    WorkflowState state = started(WAIT);
    assertThat(takes(state, "other", "s1")).isFalse();
    assertThat(takes(state, "go", "s2")).isFalse();
  }

  /** A commit that is refused would have it run again. */
  @Test
  void noneWhileAnActivityRuns() {
    looks(Map.of());
    assertThat(takes(started(WAIT, ACTIVITY), "go", "s1")).isFalse();
  }

  @Test
  void noneThatTheNodeHandedInMeanwhile() {
    looks(Map.of());
    IncomingSignal late = signals.signal("go", "s1");
    late.takeFromOwner();
    assertThat(taking.take(late, started(WAIT), false)).isEmpty();
    assertThat(signals.handedIn).containsExactly("s1");
    assertThat(takes(started(WAIT), "go", "s2")).as("nothing is left under way").isTrue();
  }
}
