package dev.tenure.persistence.entry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.Writers;
import dev.tenure.workflow.ParentClosePolicy;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.kernel.Kernel;
import dev.tenure.workflow.kernel.Limits;
import dev.tenure.workflow.kernel.Start;
import dev.tenure.workflow.kernel.StateSnapshot;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.kernel.Wish;
import dev.tenure.workflow.kernel.Wishes;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** As much as may be open at a time is ended, and handed out again, in one commit. */
class OpenBytesTest {
  private static final Kernel KERNEL = Kernel.standard();
  private static final WorkflowId ID = WorkflowId.of("large");

  private WorkflowState state = WorkflowState.none();

  private List<Event> decided(Command command, List<Wish> wishes) {
    return KERNEL.decide(state, command, new Wishes(wishes), Instant.EPOCH).events();
  }

  private List<Event> commit(Command command) {
    List<Event> events = decided(command, List.of());
    for (Event event : events) state = KERNEL.evolve(state, event);
    return events;
  }

  private static int bytes(List<Event> events) {
    return JournalEntry.encode(
            new Authorship(ID, Writers.named("w-1")),
            events,
            new Head(1, 1),
            new Fence(3, 1),
            ChainLink.NONE)
        .bytes();
  }

  /** Asks for more until it is refused, or there are as many as may be open. */
  private Optional<String> open(IntFunction<Wish> operation) {
    commit(
        new Command.StartWorkflow(
            new Start(
                ID,
                "run",
                new WorkflowType("large", 1),
                Payload.NONE,
                7,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                Optional.empty())));
    for (int count = 0; count < Limits.OPEN_OPERATIONS_MAX; count += 10) {
      List<Wish> wishes = new ArrayList<>();
      for (int more = 0; more < 10; more++) wishes.add(operation.apply(count + more));
      List<Event> events = decided(new Command.GrantMore(), wishes);
      for (Event event : events)
        if (event instanceof Event.IncidentRaised(var at, Incident.InvalidWish(String why)))
          return Optional.of(why);
      for (Event event : events) state = KERNEL.evolve(state, event);
    }
    return Optional.empty();
  }

  private static OperationId id(String name, int number) {
    return new OperationId(name + "#" + (1_000_000 + number));
  }

  /** Of the largest size: a name in a branch. */
  private static OperationId longId(int number) {
    return id("b".repeat(OperationId.BYTES_MAX - 8), number);
  }

  private static Wish child(OperationId id, String child, ParentClosePolicy onParentClose) {
    return new Wish.Schedule(
        id,
        new OperationSpec.Child(
            WorkflowId.of(child),
            "part",
            Optional.empty(),
            Payload.NONE,
            onParentClose,
            Optional.empty(),
            Map.of()));
  }

  private void isTerminatedInOneCommit() {
    int bytes = bytes(commit(new Command.Terminate("enough")));
    assertThat(state.status()).isEqualTo(Status.TERMINATED);
    assertThat(bytes).isLessThan(Limits.OPEN_BYTES_MAX + 1_024);
  }

  private void acknowledgeAll() {
    for (OperationId id : openIds()) commit(new Command.ChildAcknowledged(id));
  }

  private List<OperationId> openIds() {
    return state.openOperations().stream().map(one -> one.id()).toList();
  }

  private void isPastTheLimit(Optional<String> why) {
    assertThat(why).hasValueSatisfying(text -> assertThat(text).contains("OPEN_BYTES_MAX"));
    assertThat(state.openOperations()).hasSizeGreaterThan(500);
  }

  /** For the result, and for what waits for an answer. */
  @Test
  void aQuarterOfACommitIsLeft() {
    assertThat(Limits.OPEN_BYTES_MAX).isEqualTo(Commit.MAX_PAYLOAD_BYTES / 4 * 3);
  }

  @Test
  void childrenThatRun() {
    isPastTheLimit(open(n -> child(longId(n), "c".repeat(200) + n, ParentClosePolicy.TERMINATE)));
    acknowledgeAll();
    isTerminatedInOneCommit();
  }

  @Test
  void childrenThatAreNotStartedYet() {
    isPastTheLimit(open(n -> child(longId(n), "c" + n, ParentClosePolicy.CANCEL)));
    isTerminatedInOneCommit();
  }

  @Test
  void asManyChildrenOfUsualIdsAsMayBeOpen() {
    assertThat(open(n -> child(id("ship", n), "parcel-" + n, ParentClosePolicy.TERMINATE)))
        .isEmpty();
    assertThat(state.openOperations()).hasSize(Limits.OPEN_OPERATIONS_MAX);
    acknowledgeAll();
    isTerminatedInOneCommit();
  }

  @Test
  void stepsThatAnotherOwnerHandsOutAgain() {
    isPastTheLimit(open(n -> new Wish.Schedule(longId(n), OperationSpec.Step.DEFAULT)));
    List<Event> again = commit(new Command.Recovered(Set.of()));
    assertThat(again).hasSize(1).first().isInstanceOf(Event.Redelivered.class);
    assertThat(bytes(again)).isLessThan(Limits.OPEN_BYTES_MAX);
    isTerminatedInOneCommit();
  }

  /** The longest keys and queues are written once, when the call is asked for. */
  @Test
  void callsWithKeysAndQueues() {
    isPastTheLimit(open(n -> new Wish.Schedule(longId(n), ActivitySamples.longest(n % 2 == 0))));
    List<Event> again = commit(new Command.Recovered(Set.of()));
    assertThat(again).hasSize(1).first().isInstanceOf(Event.Redelivered.class);
    assertThat(bytes(again)).isLessThan(Limits.OPEN_BYTES_MAX);
    isTerminatedInOneCommit();
  }

  @Test
  void whatIsOverMakesRoom() {
    isPastTheLimit(open(n -> new Wish.Schedule(longId(n), OperationSpec.Step.DEFAULT)));
    List<OperationId> all = openIds();
    List<Wish> next = new ArrayList<>();
    for (int n = 0; n < 10; n++)
      next.add(new Wish.Schedule(longId(20_000 + n), OperationSpec.Step.DEFAULT));
    assertThat(decided(new Command.GrantMore(), next))
        .anyMatch(Event.IncidentRaised.class::isInstance);
    state = StateSnapshot.of(state).state();
    assertThat(decided(new Command.GrantMore(), next))
        .as("a state from a snapshot counts the same")
        .anyMatch(Event.IncidentRaised.class::isInstance);
    List<Command> over = new ArrayList<>();
    for (OperationId id : all.subList(0, 10))
      over.add(new Command.AttemptEnded(id, 1, Outcome.DONE));
    assertThat(decided(new Command.Several(over), next))
        .noneMatch(Event.IncidentRaised.class::isInstance);
    commit(new Command.Several(over));
    assertThat(decided(new Command.GrantMore(), next))
        .noneMatch(Event.IncidentRaised.class::isInstance);
  }

  @Test
  void signalsThatCameWhileItStoodStill() {
    isPastTheLimit(
        open(
            n ->
                new Wish.Schedule(
                    longId(n), new OperationSpec.SignalWait("s".repeat(256), Optional.empty()))));
    commit(new Command.Pause("stand still"));
    List<Command.Arrival> arrivals = new ArrayList<>();
    for (int n = 1; n <= state.openOperations().size(); n++)
      arrivals.add(new Command.Arrival("s".repeat(256), n, "id-" + n, Payload.NONE));
    commit(new Command.Signals(arrivals));
    assertThat(state.openOperations()).isEmpty();
    isTerminatedInOneCommit();
  }
}
