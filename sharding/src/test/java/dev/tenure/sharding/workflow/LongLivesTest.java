package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.journal.JournalRead;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.sharding.history.History;
import dev.tenure.sharding.history.HistoryFile;
import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.operation.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Workflows that go on for ever, one run after the other, and values too large for the journal. */
class LongLivesTest {
  /** Adds up signals, three to a run. */
  @Workflow(name = "adder")
  public static class Adder {
    public record State(int sum, int run) {}

    public int run(WorkflowContext ctx, State state) {
      ctx.onQuery("run", state::run);
      ctx.attribute("run", state.run());
      int sum = state.sum();
      for (int at = 0; at < 3; at++) {
        int next = ctx.awaitSignal("add", Integer.class);
        if (next == 0) return sum;
        int before = sum;
        sum = ctx.step("add", () -> before + next);
      }
      return ctx.continueAsNew(new State(sum, state.run() + 1));
    }
  }

  private static TestNode node;

  @BeforeAll
  static void start() {
    node =
        TestNode.start(
            new TestNode.Plan()
                .with(Coded.class, Coded::new)
                .with(Adder.class, Adder::new)
                .settings(given -> given.withRest(Duration.ofMillis(50), 0)));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static void awaitGone() {
    Await.until("nothing is in memory", TestNode.SOON, () -> node.node.resident() == 0);
  }

  private static List<JournalRow> recovered(String id) {
    JournalRead read =
        new JournalRead(Host.persistenceId(WorkflowId.of(id)), 1, Long.MAX_VALUE, 1_000, true);
    return node.storage.read(List.of(read)).getFirst();
  }

  @Test
  void oneRunFollowsTheOtherAndNoSignalIsLost() {
    String id = "sum";
    node.begin(id, "adder", new Adder.State(0, 1));
    String first = node.describe(id).runId();
    for (int at = 1; at <= 20; at++) Coded.signal(node, id, "add", at);
    Coded.signal(node, id, "add", 0);
    assertThat(node.result(id)).isEqualTo("210");
    assertThat(node.describe(id).runId()).isNotEqualTo(first);
    assertThat(node.describe(id).attributes().toString()).contains("7");
    assertThat(node.events(id).stream().filter(Event.ContinuedAsNew.class::isInstance).count())
        .isEqualTo(6);
    assertThat(node.storage.workflows().find(WorkflowId.of(id)).orElseThrow().runId())
        .isEqualTo(node.describe(id).runId());
  }

  @Test
  void recoveryReadsNoRunBeforeTheNewest() {
    String id = "bounded";
    node.begin(id, "adder", new Adder.State(0, 1));
    for (int at = 1; at <= 10; at++) Coded.signal(node, id, "add", 1);
    Await.until(
        "three runs are over",
        TestNode.SOON,
        () -> node.describe(id).attributes().toString().contains("4"));
    awaitGone();
    List<JournalRow> rows = recovered(id);
    assertThat(rows.getFirst().version()).isGreaterThan(9);
    assertThat(rows.getFirst().manifest()).isEqualTo(JournalRow.BEGINS_RUN);
    Coded.signal(node, id, "add", 5);
    Coded.signal(node, id, "add", 0);
    assertThat(node.result(id)).isEqualTo("15");
  }

  @Test
  void aBranchOrAHandlerCannotContinueTheWorkflow() {
    assertThat(
            Coded.run(
                node,
                "branch",
                ctx -> {
                  try {
                    ctx.async("side", () -> ctx.<Object>continueAsNew(1)).get();
                    return "never";
                  } catch (IllegalStateException refused) {
                    return refused.getMessage();
                  }
                }))
        .contains("Only the workflow's own method continues as new");
  }

  @Test
  void codeThatCatchesEverythingContinuesAllTheSame() {
    AtomicInteger runs = new AtomicInteger();
    String result =
        Coded.run(
            node,
            "catches",
            ctx -> {
              if (runs.incrementAndGet() > 2) return ctx.step("end", () -> "over");
              try {
                return ctx.continueAsNew(null);
              } catch (Throwable caught) {
                return "caught";
              }
            });
    assertThat(result).isEqualTo("\"over\"");
  }

  @Test
  void aSagaThatContinuesUndoesNothing() {
    AtomicInteger undone = new AtomicInteger();
    AtomicInteger runs = new AtomicInteger();
    Coded.run(
        node,
        "saga",
        ctx ->
            ctx.saga(
                saga -> {
                  saga.step("do", () -> 1, did -> undone.incrementAndGet());
                  return runs.incrementAndGet() > 1 ? "done" : ctx.continueAsNew(null);
                }));
    assertThat(undone).hasValue(0);
  }

  @Test
  void aChildThatContinuesIsWaitedForToItsEnd() {
    String parent = "parent";
    Coded.begin(
        node,
        parent,
        ctx -> ctx.child("adder", "counting child", new Adder.State(0, 1), Integer.class));
    Await.until(
        "the child is there",
        TestNode.SOON,
        () -> node.storage.workflows().find(WorkflowId.of("counting child")).isPresent());
    for (int at = 0; at < 5; at++) Coded.signal(node, "counting child", "add", 2);
    Coded.signal(node, "counting child", "add", 0);
    assertThat(node.result(parent)).isEqualTo("10");
  }

  @Test
  void aStepOfTenMegabytesIsKeptApartAndReadAgain() throws IOException {
    String id = "large";
    int size = 10 * 1024 * 1024;
    Coded.begin(
        node,
        id,
        ctx -> {
          String large = ctx.step("large", () -> "x".repeat(size));
          ctx.awaitSignal("go", String.class);
          return large.length();
        });
    Await.until("it waits", TestNode.SOON, () -> node.describe(id).status() == Status.WAITING);
    assertThat(node.describe(id).warnings())
        .singleElement()
        .satisfies(one -> assertThat(one.limit()).isEqualTo("PAYLOAD_BYTES_WARNING"));
    awaitGone();
    assertThat(recovered(id)).allSatisfy(row -> assertThat(row.payload().length).isLessThan(1_000));
    Coded.signal(node, id, "go", "now");
    assertThat(node.result(id)).isEqualTo(Integer.toString(size));
    assertThat(node.events(id).stream().filter(Event.Completed.class::isInstance).count())
        .isEqualTo(1);
    StringBuilder exported = new StringBuilder();
    HistoryFile.write(
        new History(TestNode.await(node.workflows().history(WorkflowId.of(id), 1, 100))), exported);
    Event.Completed read =
        (Event.Completed)
            HistoryFile.read(exported.toString().lines().toList()).entries().stream()
                .flatMap(step -> step.events().stream())
                .filter(Event.Completed.class::isInstance)
                .findFirst()
                .orElseThrow();
    assertThat(((Outcome.Succeeded) read.outcome()).value().bytes().length).isGreaterThan(size);
  }

  @Test
  void anExecutionTimeoutLetsASagaUndo() {
    AtomicInteger undone = new AtomicInteger();
    Coded.put(
        "late",
        ctx ->
            ctx.saga(
                saga -> {
                  saga.step("book", () -> 1, booked -> undone.incrementAndGet());
                  ctx.awaitSignal("never", String.class);
                  return null;
                }));
    TestNode.await(
        node.workflows()
            .start(
                StartRequest.of("late", "coded", TestNode.json(null))
                    .executionTimeout(Duration.ofMillis(300))));
    assertThat(node.end("late").status()).isEqualTo(Status.TIMED_OUT);
    assertThat(undone).hasValue(1);
  }
}
