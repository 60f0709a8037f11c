package dev.tenure.sharding.mailbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.signal.PendingSignal;
import dev.tenure.sharding.host.OwnerLimits;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Kernel;
import dev.tenure.workflow.kernel.SignalContent;
import dev.tenure.workflow.kernel.Start;
import dev.tenure.workflow.kernel.Wish;
import dev.tenure.workflow.kernel.Wishes;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Looks that take several pages, while the workflow goes on. */
class InboxTest {
  private static final Duration LIMIT = Duration.ofHours(1);

  private final List<Long> asked = new ArrayList<>();
  private final IncomingResults results = new IncomingResults(OwnerLimits.DEFAULT, () -> {});
  private WorkflowState state = WorkflowState.none();
  private Instant now = Instant.parse("2026-03-01T09:00:00Z");
  private int waits;

  private final Inbox inbox =
      new Inbox(new SeenSignals(), results, () -> now, asked::add, () -> state);

  private static PendingSignal signal(String name, long position, int bytes) {
    return new PendingSignal(
        position,
        name,
        "id-" + position,
        Instant.EPOCH,
        SignalContent.of(Payload.of(new byte[bytes])));
  }

  private static List<PendingSignal> page(String name, long from, long to) {
    List<PendingSignal> page = new ArrayList<>();
    for (long position = from; position <= to; position++) page.add(signal(name, position, 1));
    return page;
  }

  private void commit(Command command, List<Wish> wishes) {
    for (Event event : Kernel.standard().decide(state, command, new Wishes(wishes), now).events())
      state = Kernel.standard().evolve(state, event);
  }

  private OperationId waitFor(String name, Optional<Duration> limit) {
    OperationId id = new OperationId("signal:" + name + "#" + ++waits);
    Wish wish = new Wish.Schedule(id, new OperationSpec.SignalWait(name, limit));
    if (state.exists()) commit(new Command.GrantMore(), List.of(wish));
    else
      commit(
          new Command.StartWorkflow(
              new Start(
                  WorkflowId.of("w"),
                  "run",
                  new WorkflowType("inbox", 1),
                  Payload.NONE,
                  7,
                  Optional.empty(),
                  Optional.empty(),
                  Optional.empty(),
                  Map.of())),
          List.of(wish));
    return id;
  }

  private void waitForAll(String name, int count) {
    for (int i = 0; i < count; i++) waitFor(name, Optional.empty());
  }

  /** Positions of the signals that the look found. */
  private List<Long> found(List<PendingSignal> page) {
    inbox.page(page);
    return results.take().stream()
        .filter(Command.Signals.class::isInstance)
        .flatMap(signals -> ((Command.Signals) signals).arrivals().stream())
        .map(Command.Arrival::position)
        .toList();
  }

  /** The wait begins between two pages: none behind what was left may be taken (I14). */
  @Test
  void whatStandsBehindASignalThatWasLeftIsLeftToo() {
    inbox.look();
    assertThat(found(page("go", 1, OwnerLimits.DEFAULT.signalsPerPage()))).isEmpty();
    waitFor("go", Optional.empty());
    inbox.look();
    assertThat(found(page("go", 101, 150))).isEmpty();
    assertThat(asked).as("the wait that began is looked for from the beginning").endsWith(0L);
    found(page("go", 1, OwnerLimits.DEFAULT.signalsPerPage()));
    assertThat(found(page("go", 101, 150))).hasSize(150).startsWith(1L);
  }

  @Test
  void signalsThatAreLargeTogetherAreTakenInSeveralCommits() {
    List<PendingSignal> page = new ArrayList<>();
    for (int i = 1; i <= 80; i++) {
      waitFor("name-" + i, Optional.empty());
      page.add(signal("name-" + i, i, 60 * 1024));
    }
    inbox.look();
    List<Long> first = found(page);
    assertThat(first).hasSizeLessThan(40).startsWith(1L);
    inbox.lookForTheRest();
    assertThat(asked).containsExactly(0L, 0L);
    assertThat(found(page.subList(first.size(), 80))).startsWith((long) first.size() + 1);
  }

  /** I14: the one before it is on its way to the workflow, and may not have arrived. */
  @Test
  void whatTheOwnerPutThereItselfIsNotTakenBeforeAnotherOfItsName() {
    waitFor("go", Optional.empty());
    inbox.look();
    assertThat(found(page("go", 1, 1))).containsExactly(1L);
    inbox.stored(signal("go", 2, 1));
    assertThat(results.take()).isEmpty();
    assertThat(asked).as("it looks").containsExactly(0L, 0L);
  }

  @Test
  void whatTheOwnerPutThereItselfNeedsNoLook() {
    waitFor("go", Optional.empty());
    inbox.look();
    assertThat(found(List.of())).isEmpty();
    inbox.stored(signal("go", 1, 1));
    assertThat(results.take())
        .containsExactly(new Command.Signals(List.of(signal("go", 1, 1).arrival())));
    assertThat(asked).containsExactly(0L);
  }

  // --- waits that are due

  private OperationId dueWait(String name) {
    OperationId id = waitFor(name, Optional.of(LIMIT));
    now = now.plus(LIMIT);
    return id;
  }

  @Test
  void aWaitTimesOutAfterTheLookThatBeganWhenItWasDue() {
    OperationId wait = waitFor("go", Optional.of(LIMIT));
    inbox.lookForDue();
    assertThat(asked).as("it is not due").isEmpty();
    inbox.look();
    now = now.plus(LIMIT);
    inbox.lookForDue();
    assertThat(inbox.page(List.of())).as("a look that began before").isFalse();
    assertThat(inbox.page(List.of())).isTrue();
    assertThat(results.take()).containsExactly(new Command.NoSignal(List.of(wait)));
    assertThat(inbox.isReading()).isFalse();
  }

  /** It is not the clock that says for whom a look counts: that may be set back. */
  @Test
  void aLookDoesNotCountForAWaitThatBeganAfterIt() {
    now = now.plus(LIMIT.multipliedBy(2));
    waitForAll("other", 1);
    inbox.look();
    now = now.minus(LIMIT.multipliedBy(2));
    OperationId wait = waitFor("go", Optional.of(LIMIT));
    assertThat(inbox.page(List.of())).isFalse();
    assertThat(results.take()).isEmpty();
    now = state.operation(wait).orElseThrow().dueAt().orElseThrow();
    inbox.lookForDue();
    inbox.page(List.of());
    assertThat(results.take()).containsExactly(new Command.NoSignal(List.of(wait)));
  }

  @Test
  void aLookCountsForThoseOfWhoseNameItLeftNone() {
    waitForAll("item", 1_100);
    OperationId flush = waitFor("flush", Optional.of(LIMIT));
    OperationId item = dueWait("item");
    inbox.lookForDue();
    inbox.lookForDue();
    for (int i = 0; i < 15; i++)
      assertThat(inbox.page(page("item", 100L * i + 1, 100L * i + 100))).isFalse();
    assertThat(inbox.page(List.of())).isTrue();
    assertThat(asked).as("one look in 16 pages").hasSize(16);
    List<Command> found = results.take();
    assertThat(found).hasSize(2);
    assertThat(((Command.Signals) found.getFirst()).arrivals()).hasSize(1_000);
    assertThat(found.getLast()).isEqualTo(new Command.NoSignal(List.of(flush)));
    assertThat(state.waitsDue(now)).extracting(one -> one.id()).contains(item);
  }

  /** What it found is decided before, also when that takes a commit of its own. */
  @Test
  void whatTimesOutStandsBehindWhatWasFound() {
    waitForAll("item", 40);
    OperationId wait = dueWait("item");
    List<PendingSignal> page = new ArrayList<>();
    for (int i = 1; i <= 32; i++) page.add(signal("item", i, 64 * 1024));
    inbox.lookForDue();
    inbox.page(page);
    List<Command> first = results.take();
    assertThat(first).hasSize(1).first().isInstanceOf(Command.Signals.class);
    assertThat(results.take()).containsExactly(new Command.NoSignal(List.of(wait)));
  }
}
