package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.entry.JournalEntryCodec;
import dev.tenure.persistence.storage.ForwardingStorage;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.UndeliverableException;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.operation.OperationSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** A node dies right after a commit, and nobody asks for the workflow: its row alone wakes it. */
class SleepersTest {
  private static final String ID = "w";
  private static final Predicate<Event> BEGINS_TO_WAIT =
      event ->
          event instanceof Event.Scheduled scheduled
              && scheduled.spec() instanceof OperationSpec.SignalWait;

  private Predicate<Event> deadly = event -> false;
  private int commitsToLive;
  private final TestLoopNode node = new TestLoopNode(Deadly::new);

  private final class Deadly extends ForwardingStorage {
    private Deadly(Storage storage) {
      super(storage);
    }

    @Override
    public List<CommitResult> commit(List<Commit> batch) {
      List<CommitResult> results = super.commit(batch);
      boolean meant =
          batch.stream()
              .flatMap(commit -> JournalEntryCodec.decode(commit.payload()).events().stream())
              .anyMatch(deadly);
      if (meant && --commitsToLive == 0) node.node().crash();
      return results;
    }
  }

  private void pass(Duration span) {
    node.loop.passTo(node.loop.instant().plus(span));
    node.node().look();
    node.node().scan();
    node.quiet();
  }

  private WorkflowRow row() {
    return node.storage.workflows().find(WorkflowId.of(ID)).orElseThrow();
  }

  private void signal(String name) {
    node.signal(ID, name, "now");
  }

  private void diesAt(int which, Predicate<Event> event) {
    deadly = event;
    commitsToLive = which;
  }

  private void assertThatItGoesOnElsewhere() {
    assertThat(node.node().isCrashed()).isTrue();
    deadly = event -> false;
    node.takesOver();
    node.quiet();
    for (int i = 0; i < 60 && row().closedAt().isEmpty(); i++) pass(Duration.ofSeconds(1));
    assertThat(row().status().isFinal()).as("it went on by itself").isTrue();
  }

  @Test
  void aWaitThatBeginsAfterItsSignalWasAcceptedIsNotSleptOver() {
    node.begin(
        ID,
        ctx -> {
          ctx.sleep(Duration.ofSeconds(1));
          return ctx.awaitSignal("go", String.class);
        });
    signal("go");
    diesAt(1, BEGINS_TO_WAIT);
    pass(Duration.ofSeconds(2));
    assertThatItGoesOnElsewhere();
  }

  /** The newest position that was consumed lies behind the one that is left. */
  @Test
  void norIsASignalOfAnotherNameThatWasLeftBefore() {
    node.begin(
        ID,
        ctx -> {
          ctx.awaitSignal("second", String.class);
          ctx.sleep(Duration.ofSeconds(1));
          return ctx.awaitSignal("first", String.class);
        });
    signal("first");
    signal("second");
    diesAt(1, BEGINS_TO_WAIT);
    pass(Duration.ofSeconds(2));
    assertThatItGoesOnElsewhere();
  }

  /** An owner that took over has not looked yet when the wait begins. */
  @Test
  void norOneThatAnEarlierOwnerLeft() {
    node.begin(
        ID,
        ctx -> {
          ctx.awaitSignal("second", String.class);
          ctx.sleep(Duration.ofHours(1));
          return ctx.awaitSignal("first", String.class);
        });
    signal("first");
    signal("second");
    for (int i = 0; i < 20; i++) pass(Duration.ofSeconds(2));
    assertThat(node.node().resident()).as("it is out of memory").isZero();
    diesAt(1, BEGINS_TO_WAIT);
    pass(Duration.ofHours(1));
    assertThatItGoesOnElsewhere();
  }

  @Test
  void aWorkflowThatContinuesAsNewInItsFirstCommitIsDue() {
    deadly = Event.ContinuedAsNew.class::isInstance;
    commitsToLive = 1;
    int[] runs = new int[1];
    node.begin(ID, ctx -> runs[0]++ == 0 ? ctx.continueAsNew(1) : "done");
    assertThatItGoesOnElsewhere();
  }

  @Test
  void aSignalThatWasGivenBackIsNotSleptOver() {
    node.begin(
        ID,
        ctx -> {
          var roll = ctx.signals("roll", String.class).receiveAsync();
          var work = ctx.signals("work", String.class).receiveAsync();
          ctx.sleep(Duration.ofSeconds(1));
          roll.get();
          work.cancel("not now");
          return ctx.awaitSignal("work", String.class);
        });
    signal("work");
    signal("roll");
    diesAt(1, Event.SignalReturned.class::isInstance);
    pass(Duration.ofSeconds(2));
    assertThatItGoesOnElsewhere();
  }

  /** The first commit holds nothing but timers of a month: what follows them is on no record. */
  @Test
  void whatOneCommitDidNotHoldIsNotSleptOver() {
    deadly = Event.Scheduled.class::isInstance;
    commitsToLive = 1;
    node.begin(
        ID,
        ctx -> {
          for (int i = 0; i < 200; i++) ctx.timer("later", Duration.ofDays(30));
          List<Handle<String>> sent = new ArrayList<>();
          for (int i = 0; i < 100; i++) sent.add(ctx.async("send", () -> send(ctx)));
          return ctx.all(sent).size();
        });
    assertThat(Journal.steps(node.storage, ID).getLast().events())
        .filteredOn(Event.Scheduled.class::isInstance)
        .as("the first commit holds a part")
        .hasSizeBetween(1, 200);
    assertThatItGoesOnElsewhere();
  }

  private static String send(WorkflowContext ctx) {
    try {
      ctx.signalWorkflow(WorkflowId.of("nobody"), "hello", "x".repeat(60_000));
      return "sent";
    } catch (UndeliverableException nobody) {
      return "nobody is there";
    }
  }

  /** Once nothing in the inbox concerns it, its row does not keep it awake. */
  @Test
  void whatWaitsForNothingThatIsThereSleeps() {
    node.begin(
        ID,
        ctx -> {
          ctx.awaitSignal("second", String.class);
          return ctx.awaitSignal("third", String.class);
        });
    signal("first");
    signal("second");
    for (int i = 0; i < 30; i++) pass(Duration.ofSeconds(2));
    assertThat(row().wakeAt()).isEmpty();
    assertThat(node.node().resident()).isZero();
  }
}
