package dev.tenure.persistence.entry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.Writers;
import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.ParentClosePolicy;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.StartPolicy;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Admission;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Decision;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Kernel;
import dev.tenure.workflow.kernel.Limits;
import dev.tenure.workflow.kernel.Reply;
import dev.tenure.workflow.kernel.Start;
import dev.tenure.workflow.kernel.Wish;
import dev.tenure.workflow.kernel.Wishes;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.operation.MessageContent;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** As much as a run may leave to the next one is no more than half a commit. */
class CarriedBytesTest {
  private static final Kernel KERNEL = Kernel.standard();
  private static final WorkflowId ID = WorkflowId.of("large");
  private static final Wish NEXT = new Wish.ContinueAsNew(Payload.NONE, Optional.empty());
  private static final int STEP = 20;

  private WorkflowState state = WorkflowState.none();

  private static Start start(String run) {
    return new Start(
        ID,
        run,
        new WorkflowType("large", 1),
        Payload.NONE,
        7,
        Optional.of(run),
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        Optional.empty());
  }

  private Decision decided(Command command, List<Wish> wishes) {
    return KERNEL.decide(state, command, new Wishes(wishes), Instant.EPOCH);
  }

  private void commit(Command command, List<Wish> wishes) {
    for (Event event : decided(command, wishes).events()) state = KERNEL.evolve(state, event);
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

  private static boolean continues(Decision decision) {
    return decision.events().stream().anyMatch(Event.ContinuedAsNew.class::isInstance);
  }

  /** Asks for more until the next run has to wait, or is refused; returns the last one's events. */
  private List<Event> most(IntFunction<OperationSpec> spec, IntFunction<Optional<Command>> then) {
    commit(new Command.StartWorkflow(start("run")), List.of());
    List<Event> last = List.of();
    for (int count = 0; ; count += STEP) {
      List<Wish> wishes = new ArrayList<>();
      for (int more = 0; more < STEP; more++)
        wishes.add(new Wish.Schedule(id(count + more), spec.apply(count + more)));
      commit(new Command.GrantMore(), wishes);
      for (int more = 0; more < STEP; more++)
        then.apply(count + more).ifPresent(command -> commit(command, List.of()));
      assertThat(state.incident()).isEmpty();
      Decision next = decided(new Command.GrantMore(), List.of(NEXT));
      if (!continues(next)) return last;
      last = next.events();
    }
  }

  private static Payload text(String text) {
    return Payload.of(text.getBytes(StandardCharsets.UTF_8));
  }

  private static OperationId id(int number) {
    return new OperationId("operation#" + (1_000_000 + number));
  }

  private void fits(List<Event> events, long least) {
    assertThat(bytes(events)).isBetween((int) least, Limits.CARRIED_BYTES_MAX + 1_024);
    Reply refused =
        KERNEL.admit(
                    state,
                    new Command.StartWorkflow(start("again"), StartPolicy.TERMINATE_IF_RUNNING),
                    Instant.EPOCH)
                instanceof Admission.Refused(Reply reply)
            ? reply
            : Reply.DONE;
    assertThat(refused).isInstanceOf(Reply.LimitReached.class);
  }

  private static OperationSpec.Child child(
      String id, Payload input, ParentClosePolicy policy, Map<String, Attribute> attributes) {
    return new OperationSpec.Child(
        WorkflowId.of(id),
        "part",
        Optional.of(1),
        input,
        policy,
        Optional.empty(),
        attributes,
        StartPolicy.ALLOW_IF_CLOSED);
  }

  private static OperationSpec signal(String payload, Optional<OperationId> child) {
    return new OperationSpec.Message(
        WorkflowId.of("w".repeat(WorkflowId.BYTES_MAX)),
        new MessageContent.Signal("s".repeat(256), text(payload), child));
  }

  @Test
  void halfACommitIsLeft() {
    assertThat(Limits.CARRIED_BYTES_MAX).isEqualTo(Commit.MAX_PAYLOAD_BYTES / 2);
  }

  @Test
  void signals() {
    fits(most(n -> signal("x".repeat(60_000), Optional.of(id(n))), n -> Optional.empty()), 1 << 20);
  }

  @Test
  void signalsWithoutAPayload() {
    fits(most(n -> signal("", Optional.empty()), n -> Optional.empty()), 1 << 20);
  }

  @Test
  void childrenThatAreNotStartedYet() {
    Map<String, Attribute> attributes =
        Map.of("many", Attribute.of(List.of("a", "b", "c", "d")), "one", Attribute.of(7));
    for (ParentClosePolicy policy : ParentClosePolicy.values()) {
      state = WorkflowState.none();
      fits(
          most(n -> child("c" + n, text("1"), policy, attributes), n -> Optional.empty()), 1 << 19);
    }
  }

  @Test
  void childrenThatRun() {
    for (ParentClosePolicy policy :
        List.of(ParentClosePolicy.CANCEL, ParentClosePolicy.TERMINATE)) {
      state = WorkflowState.none();
      fits(
          most(
              n -> child("c" + n, Payload.NONE, policy, Map.of()),
              n -> Optional.of(new Command.ChildAcknowledged(id(n)))),
          1 << 19);
    }
  }
}
