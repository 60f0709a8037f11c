package dev.tenure.sharding.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.commit.RecordedActivities.Done;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.kernel.Kernel;
import dev.tenure.workflow.kernel.Start;
import dev.tenure.workflow.kernel.Wish;
import dev.tenure.workflow.kernel.Wishes;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.operation.ActivityCall;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which results of a run are looked up when it is recovered. */
class RecordedActivitiesTest {
  private static final Instant NOW = Instant.parse("2026-03-01T09:00:00Z");

  private final RecordedActivities recorded = new RecordedActivities("checked"::equals);
  private WorkflowState state = WorkflowState.none();

  private void tell(Command command, Wish... wishes) {
    for (Event event :
        Kernel.standard().decide(state, command, new Wishes(List.of(wishes)), NOW).events()) {
      state = Kernel.standard().evolve(state, event);
      recorded.add(event);
    }
  }

  private void start(Wish... wishes) {
    tell(
        new Command.StartWorkflow(
            new Start(
                WorkflowId.of("w"),
                "run",
                new WorkflowType("calls", 1),
                Payload.NONE,
                1,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Map.of())),
        wishes);
  }

  private static OperationId id(int number) {
    return new OperationId("call#" + number);
  }

  private static Wish call(int number, String activity) {
    return new Wish.Schedule(
        id(number),
        new OperationSpec.Activity(
            activity, Payload.NONE, RetryPolicy.NONE, Timeouts.NONE, ActivityCall.PLAIN));
  }

  private void succeed(int number) {
    tell(new Command.AttemptEnded(id(number), 1, Outcome.DONE));
  }

  private void differs(int number) {
    tell(new Command.RaiseIncident(new Incident.ResourceDiffers(id(number), "gone")));
  }

  private List<OperationId> unconfirmed() {
    return recorded.unconfirmed().stream().map(Done::operation).toList();
  }

  private void twoAreDone() {
    start(call(1, "checked"), call(2, "other"), call(3, "checked"), call(4, "checked"));
    for (int number = 1; number <= 3; number++) succeed(number);
    assertThat(unconfirmed())
        .as("neither the one that is not checked, nor the one that is open")
        .containsExactly(id(1), id(3));
  }

  @Test
  void aConfirmationIsOfAllThatWasRaisedSinceTheLastOne() {
    twoAreDone();
    succeed(4);
    differs(1);
    differs(4);
    assertThat(unconfirmed()).hasSize(3);
    tell(new Command.ResolveIncident("looked"));
    assertThat(unconfirmed()).containsExactly(id(3));
  }

  @Test
  void whoResolvesAnotherIncidentConfirmsNothing() {
    twoAreDone();
    differs(1);
    tell(new Command.RaiseIncident(new Incident.Other("test", "look")));
    tell(new Command.ResolveIncident("looked"));
    assertThat(unconfirmed()).containsExactly(id(1), id(3));
  }

  @Test
  void anotherVersionIsNoConfirmation() {
    twoAreDone();
    differs(1);
    tell(new Command.MoveToVersion(2, "mended"));
    tell(new Command.RaiseIncident(new Incident.Other("test", "look")));
    tell(new Command.ResolveIncident("looked"));
    assertThat(unconfirmed()).containsExactly(id(1), id(3));
  }

  @Test
  void theNewestOfTooManyAreLookedUp() {
    int calls = RecordedActivities.CHECKED_MAX + 5;
    start(
        IntStream.rangeClosed(1, calls)
            .mapToObj(number -> call(number, "checked"))
            .toArray(Wish[]::new));
    for (int number = calls; number > 0; number--) succeed(number);
    assertThat(unconfirmed())
        .hasSize(RecordedActivities.CHECKED_MAX)
        .startsWith(id(calls - 5))
        .endsWith(id(1));
  }
}
