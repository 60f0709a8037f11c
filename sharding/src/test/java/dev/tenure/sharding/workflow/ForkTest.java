package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.journal.JournalRead;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.storage.ForwardingStorage;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.ChildCall;
import dev.tenure.workflow.ChildHandle;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.audit.HistoryAudit;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Kernel;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.lifecycle.WorkflowPhase;
import dev.tenure.workflow.operation.OperationId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** New workflows that go on where others were. */
class ForkTest {
  private static TestNode node;

  @BeforeAll
  static void start() {
    node =
        TestNode.start(
            new TestNode.Plan()
                .with(Coded.class, Coded::new)
                .with(Carrying.class, Carrying::new)
                .storage(CountingReads::new));
  }

  /** Its second run handles the updates of the first. */
  @Workflow(name = "carrying")
  public static class Carrying {
    public Object run(WorkflowContext ctx, int run) {
      List<String> words = new ArrayList<>();
      ctx.onUpdate("add", String.class, word -> add(ctx, run, words, word));
      if (run == 0) {
        ctx.awaitSignal("roll", String.class);
        return ctx.continueAsNew(1);
      }
      ctx.await(() -> !words.isEmpty());
      ctx.step("last", () -> 1);
      ctx.awaitHandlers();
      return words;
    }

    private static String add(WorkflowContext ctx, int run, List<String> words, String word) {
      if (run == 0) ctx.sleep(Duration.ofHours(1));
      words.add(ctx.step("handle", () -> word + "!"));
      if (word.equals("slow")) words.add(ctx.awaitSignal("finish", String.class));
      return word;
    }
  }

  /** A workflow whose second run began with the update, and has asked for its last step. */
  private static void carry(String id, String word) {
    node.begin(id, "carrying", 0);
    node.workflows().update(WorkflowId.of(id), "u", "add", TestNode.json(word));
    awaitEvent(id, Event.UpdateAdmitted.class::isInstance);
    Coded.signal(node, id, "roll", "roll");
    awaitEvent(
        id,
        event ->
            event instanceof Event.Completed done
                && done.operation().equals(new OperationId("last#1")));
  }

  private static void audit(String id) {
    HistoryAudit audit = new HistoryAudit(id);
    for (JournalEntry entry : Journal.steps(node.storage, id)) audit.commit(entry.events());
  }

  private static void awaitEvent(String id, Predicate<Event> awaited) {
    Await.until(
        "the event is on record", TestNode.SOON, () -> node.events(id).stream().anyMatch(awaited));
  }

  @Test
  void anUpdateThatTheRunBeganWithAndAnsweredBeforeTheOperationIsAnsweredInTheFork() {
    carry("carried", "quick");
    assertThat(node.result("carried")).isEqualTo("[\"quick!\"]");
    fork(ForkRequest.of("carried", "last#1", "carried-2"));
    assertThat(node.result("carried-2")).isEqualTo("[\"quick!\"]");
    assertThat(folded("carried-2").semaphore().open()).isZero();
    audit("carried-2");
    assertThat(node.events("carried-2"))
        .filteredOn(Event.UpdateAnswered.class::isInstance)
        .hasSize(1);
  }

  @Test
  void anUpdateThatTheRunBeganWithAndDidNotAnswerYetIsHandledInTheFork() {
    carry("handling", "slow");
    fork(ForkRequest.of("handling", "last#1", "handling-2"));
    for (String id : List.of("handling", "handling-2")) {
      Coded.signal(node, id, "finish", id);
      assertThat(node.result(id)).isEqualTo("[\"slow!\",\"" + id + "\"]");
      assertThat(folded(id).semaphore().open()).isZero();
      audit(id);
    }
  }

  /** How many commits were read of the one workflow. */
  private static final class CountingReads extends ForwardingStorage {
    private static final String COUNTED = Host.persistenceId(WorkflowId.of("runs"));
    private static final AtomicInteger READ = new AtomicInteger();

    private CountingReads(Storage inner) {
      super(inner);
    }

    @Override
    public List<List<JournalRow>> read(List<JournalRead> reads) {
      List<List<JournalRow>> rows = super.read(reads);
      for (int i = 0; i < reads.size(); i++)
        if (reads.get(i).persistenceId().equals(COUNTED)) READ.addAndGet(rows.get(i).size());
      return rows;
    }
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static StartResult fork(ForkRequest request) {
    return TestNode.await(node.workflows().fork(request));
  }

  /** Folds a history as any owner would, which checks its integers on the way. */
  private static WorkflowState folded(String id) {
    WorkflowState state = WorkflowState.none();
    for (Event event : node.events(id)) state = Kernel.standard().evolve(state, event);
    return state;
  }

  @Test
  void aFailedWorkflowIsRunAgainFromTheStepThatFailed() {
    AtomicInteger charged = new AtomicInteger();
    AtomicBoolean down = new AtomicBoolean(true);
    Set<String> chances = ConcurrentHashMap.newKeySet();
    Function<WorkflowContext, Object> code =
        ctx -> {
          int number = ctx.step("charge", charged::incrementAndGet);
          String chance = ctx.uuid().toString();
          chances.add(chance);
          ctx.step(
              "ship",
              () -> {
                if (down.get()) throw new IllegalArgumentException("no carrier");
                return "shipped";
              });
          return number + " " + chance;
        };
    Coded.put("failed", code);
    Coded.put("failed-2", code);
    node.begin("failed", "coded", null);
    // Three attempts.
    assertThat(node.end("failed").status()).isEqualTo(Status.FAILED);
    List<Event> before = node.events("failed");
    down.set(false);

    ForkRequest request = ForkRequest.of("failed", "ship#1", "failed-2").request("fork-1");
    assertThat(fork(request)).isInstanceOf(StartResult.Started.class);
    // The same request again is the same fork.
    assertThat(fork(request)).isInstanceOf(StartResult.Started.class);
    assertThat(node.result("failed-2")).startsWith("\"1 ");
    assertThat(charged).as("what came out before is not done again").hasValue(1);
    assertThat(chances).as("chance comes out as it did").hasSize(1);
    assertThat(node.events("failed")).as("nothing follows a closed workflow").isEqualTo(before);

    Event.Forked forked =
        (Event.Forked)
            node.events("failed-2").stream()
                .filter(Event.Forked.class::isInstance)
                .findFirst()
                .orElseThrow();
    assertThat(forked.source().id()).isEqualTo(WorkflowId.of("failed"));
    assertThat(forked.source().operation()).isEqualTo(new OperationId("ship#1"));
    assertThat(forked.source().runId()).isEqualTo(node.describe("failed").runId());
    assertThat(forked.source().version()).isEqualTo(before.isEmpty() ? 0 : node.commits("failed"));
    WorkflowState state = folded("failed-2");
    assertThat(state.phase()).isEqualTo(WorkflowPhase.CLOSED);
    assertThat(state.semaphore().open()).isZero();
  }

  @Test
  void aForkReadsTheNewestRunAndNoneBeforeIt() {
    AtomicInteger runs = new AtomicInteger();
    Coded.run(
        node,
        "runs",
        ctx -> {
          int run = runs.getAndIncrement();
          for (int i = 0; i < 5; i++) ctx.step("work", () -> 1);
          return run < 20 ? ctx.continueAsNew(run) : ctx.step("last", () -> "once");
        });
    CountingReads.READ.set(0);
    Coded.put(
        "runs-2",
        ctx -> {
          for (int i = 0; i < 5; i++) ctx.step("work", () -> 1);
          return ctx.step("last", () -> "again");
        });
    fork(ForkRequest.of("runs", "last#1", "runs-2"));
    assertThat(node.result("runs-2")).isEqualTo("\"again\"");
    assertThat(CountingReads.READ.get()).isPositive().isLessThan(20);
  }

  @Test
  void whatWasOpenIsAskedForAnewAndSignalsCountFromTheStart() {
    AtomicInteger sides = new AtomicInteger();
    Function<WorkflowContext, Object> code =
        ctx -> {
          String first = ctx.awaitSignal("word", String.class);
          Handle<Integer> side =
              ctx.async(
                  "side",
                  () -> {
                    ctx.sleep(Duration.ofMillis(300));
                    return ctx.step("side", sides::incrementAndGet);
                  });
          String middle = ctx.step("middle", () -> first + "!");
          String second = ctx.awaitSignal("word", String.class);
          return middle + second + side.get();
        };
    Coded.put("open", code);
    Coded.put("open-2", code);
    node.begin("open", "coded", null);
    Coded.signal(node, "open", "word", "one");
    Coded.signal(node, "open", "word", "two");
    assertThat(node.result("open")).isEqualTo("\"one!two1\"");

    fork(ForkRequest.of("open", "middle#1", "open-2"));
    Await.until(
        "it waits for its own signal",
        TestNode.SOON,
        () -> sides.get() == 2 && node.describe("open-2").status() == Status.WAITING);
    assertThat(folded("open-2").semaphore().open()).isEqualTo(2);
    Coded.signal(node, "open-2", "word", "three");
    assertThat(node.result("open-2")).isEqualTo("\"one!three2\"");
    assertThat(folded("open-2").semaphore().open()).isZero();
  }

  @Test
  void whatIsRecordedAfterTheOperationIsAnotherValueInTheFork() {
    Function<WorkflowContext, Object> code =
        ctx -> {
          String before = ctx.record("id", String.class, () -> UUID.randomUUID().toString());
          ctx.step("work", () -> 1);
          return before + " " + ctx.record("id", String.class, () -> UUID.randomUUID().toString());
        };
    String[] source = Coded.run(node, "records", code).split(" ");
    Coded.put("records-2", code);
    fork(ForkRequest.of("records", "work#1", "records-2"));
    String[] fork = node.result("records-2").split(" ");
    assertThat(fork[0]).isEqualTo(source[0]);
    assertThat(fork[1]).isNotEqualTo(source[1]);
  }

  private static void codeWithAChild(String id) {
    Coded.put(
        id,
        ctx -> {
          ChildHandle<String> child =
              ctx.childAsync(ChildCall.to("coded", String.class).id(id + "/child"));
          child.awaitStarted();
          ctx.step("one", () -> 1);
          ctx.step("two", () -> 2);
          child.signal("go", id);
          return child.get();
        });
    Coded.put(id + "/child", ctx -> ctx.awaitSignal("go", String.class) + "!");
  }

  @ParameterizedTest
  @ValueSource(strings = {"two#1", "send:signal:go#1"})
  void codeThatSawItsChildStartGoesOnWithAChildOfTheFork(String from) {
    String source = "family " + from;
    String fork = "fork of " + source;
    codeWithAChild(source);
    codeWithAChild(fork);
    node.begin(source, "coded", null);
    assertThat(node.result(source)).isEqualTo("\"" + source + "!\"");

    fork(ForkRequest.of(source, from, fork));
    assertThat(node.result(fork)).isEqualTo("\"" + fork + "!\"");
    assertThat(node.events(fork)).noneMatch(Event.IncidentRaised.class::isInstance);
    assertThat(node.events(fork)).filteredOn(Event.SourceChildStarted.class::isInstance).hasSize(1);
    assertThat(folded(fork).semaphore().open()).isZero();
    audit(fork);
  }

  @ParameterizedTest
  @ValueSource(strings = {"one#1", "two#1"})
  void aSignalThatTheSourceGaveBackIsNoneOfTheFork(String from) {
    Function<WorkflowContext, Object> code =
        ctx -> {
          Handle<String> go = ctx.signals("go", String.class).receiveAsync();
          ctx.awaitSignal("roll", String.class);
          ctx.step("one", () -> 1);
          go.cancel("not now");
          ctx.step("two", () -> 2);
          return ctx.awaitSignal("go", String.class);
        };
    String source = "given back " + from;
    String fork = "fork of " + source;
    Coded.put(source, code);
    Coded.put(fork, code);
    node.begin(source, "coded", null);
    Coded.signal(node, source, "go", "theirs");
    Coded.signal(node, source, "roll", "on");
    assertThat(node.result(source)).isEqualTo("\"theirs\"");

    fork(ForkRequest.of(source, from, fork));
    Coded.signal(node, fork, "go", "own");
    assertThat(node.result(fork)).isEqualTo("\"own\"");
    audit(fork);
  }

  @Test
  void aRunningWorkflowCanBeForkedAndStaysAsItIs() {
    Function<WorkflowContext, Object> code =
        ctx -> {
          ctx.step("one", () -> 1);
          ctx.step("two", () -> 2);
          return ctx.awaitSignal("go", String.class);
        };
    Coded.put("running", code);
    Coded.put("running-2", ctx -> ctx.step("one", () -> 1) + ctx.step("other", () -> 10));
    node.begin("running", "coded", null);
    Await.until(
        "it waits", TestNode.SOON, () -> node.describe("running").status() == Status.WAITING);
    // From before the second step on, the code may be another.
    fork(ForkRequest.of("running", "two#1", "running-2"));
    assertThat(node.result("running-2")).isEqualTo("11");
    assertThat(node.describe("running").status()).isEqualTo(Status.WAITING);
    TestNode.await(node.workflows().terminate(WorkflowId.of("running"), "enough"));
  }

  @Test
  void whatCannotBeForkedIsSaid() {
    Coded.put("plain", ctx -> ctx.step("one", () -> 1));
    assertThat(Coded.run(node, "plain", ctx -> ctx.step("one", () -> 1))).isEqualTo("1");
    assertThatThrownBy(() -> fork(ForkRequest.of("plain", "two#1", "plain-2")))
        .hasCauseInstanceOf(WorkflowError.NoSuchOperation.class)
        .hasMessageContaining("two#1");
    assertThatThrownBy(() -> fork(ForkRequest.of("nobody", "one#1", "plain-2")))
        .hasCauseInstanceOf(WorkflowError.NotFound.class);
    assertThat(fork(ForkRequest.of("plain", "one#1", "plain")))
        .isInstanceOf(StartResult.Duplicate.class);
  }
}
