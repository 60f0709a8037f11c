package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.sharding.host.WorkflowSettings;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A request that arrives at any moment of an owner's life is answered, and counted no longer. */
class EveryRequestIsAnsweredTest {
  private static GatedStorage gates;
  private static TestNode node;

  @BeforeAll
  static void start() {
    node =
        TestNode.start(
            new TestNode.Plan()
                .with(Coded.class, Coded::new)
                .settings(
                    given ->
                        given
                            .withRecoveryPause(Duration.ofMillis(50))
                            .withRest(Duration.ofMillis(40), 1_000))
                .storage(
                    inner -> {
                      gates = new GatedStorage(inner);
                      return gates;
                    }));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static Requests requests(String id) {
    return new Requests(node.node.transport(), id);
  }

  /** Each update is added, and what follows comes after. */
  private static Function<WorkflowContext, Object> adds(Function<WorkflowContext, Object> then) {
    return ctx -> {
      int[] done = {0};
      ctx.onUpdate(
          "add",
          Integer.class,
          number -> {
            done[0]++;
            return number + 1;
          });
      ctx.await(() -> done[0] > 0);
      return then.apply(ctx);
    };
  }

  private static CompletableFuture<Outcome> add(String id, int number) {
    return node.workflows()
        .update(WorkflowId.of(id), "u" + number, "add", TestNode.json(number))
        .toCompletableFuture();
  }

  /** More requests than may wait at once: what is lost or stays counted shows. */
  @Test
  void whileRunsFollowOneAnother() {
    Coded.begin(node, "renews", adds(ctx -> ctx.continueAsNew(null)));
    Requests requests = requests("renews");
    for (int i = 0; requests.asked() < 2 * WorkflowSettings.WAITING_MAX; i++) {
      CompletableFuture<Outcome> updated = add("renews", i);
      requests.ask(20);
      assertThat(TestNode.await(updated)).isEqualTo(new Outcome.Succeeded(TestNode.json(i + 1)));
    }
    requests.awaitAnswers();
  }

  @Test
  void whileItsCommitsDoNotStand() {
    AtomicInteger tries = new AtomicInteger();
    Coded.begin(
        node,
        "refused",
        ctx -> {
          for (int i = 0; i < 6; i++) ctx.step("s", tries::incrementAndGet);
          return ctx.awaitSignal("end", String.class);
        });
    Requests requests = requests("refused");
    for (int i = 0; i < 6; i++) {
      GatedStorage.Gate gate =
          gates.refuse(
              "refused",
              event -> true,
              commit -> {
                requests.ask(50);
                return new CommitResult.Unknown(
                    commit.id(), new StorageException.OutcomeUnknown("on purpose", null));
              });
      var paused = node.workflows().pause(WorkflowId.of("refused"), "a look");
      gate.awaitArrival();
      requests.ask(50);
      TestNode.await(paused);
      TestNode.await(node.workflows().resume(WorkflowId.of("refused")));
      requests.awaitAnswers();
    }
  }

  @Test
  void whileItsCodeBeginsAnewToMendIt() {
    AtomicInteger mended = new AtomicInteger();
    Coded.begin(
        node,
        "mended",
        ctx -> {
          ctx.step("s", () -> 1);
          if (mended.get() == 0) throw new IllegalArgumentException("a bug");
          return ctx.awaitSignal("end", String.class);
        });
    Await.until(
        "it is an incident",
        TestNode.SOON,
        () -> node.describe("mended").status() == Status.INCIDENT);
    Requests requests = requests("mended");
    for (int i = 0; i < 10; i++) {
      var resolved = node.workflows().resolveIncident(WorkflowId.of("mended"), "hope");
      requests.ask(50);
      assertThat(TestNode.await(resolved.exceptionally(refused -> true))).isNotNull();
    }
    mended.set(1);
    requests.ask(50);
    TestNode.await(node.workflows().resolveIncident(WorkflowId.of("mended"), "mended"));
    requests.awaitAnswers();
  }

  @Test
  void whileItLeavesTheMemory() {
    Coded.begin(node, "leaves", ctx -> ctx.awaitSignal("end", String.class));
    Await.until("it left", TestNode.SOON, () -> node.node.resident() == 0);
    Requests requests = requests("leaves");
    int reads = gates.reads();
    for (int i = 0; i < 30; i++) {
      requests.ask(5);
      requests.awaitAnswers();
      // A little before, at, and a little after the moment at which it goes.
      int most = i;
      long until = System.nanoTime() + Duration.ofMillis(30 + most).toNanos();
      Await.until("a moment", TestNode.SOON, () -> System.nanoTime() > until);
    }
    requests.awaitAnswers();
    // Nothing else is in memory, or comes back into it.
    assertThat(gates.reads() - reads).as("so often it came back").isBetween(5, 31);
    assertThat(requests.described()).as("of %s", requests).isGreaterThan(requests.asked() / 2);
  }

  @Test
  void itIsEndedWhereTooManyWait() {
    Coded.begin(node, "crowded", ctx -> ctx.awaitSignal("end", String.class));
    GatedStorage.Gate gate = gates.hold("crowded", Event.Paused.class::isInstance);
    var paused = node.workflows().pause(WorkflowId.of("crowded"), "a look");
    gate.awaitArrival();
    Requests requests = requests("crowded");
    requests.ask(WorkflowSettings.WAITING_MAX);
    var cancelled = node.workflows().cancel(WorkflowId.of("crowded"), "enough");
    var terminated = node.workflows().terminate(WorkflowId.of("crowded"), "enough");
    gate.open();
    assertThat(TestNode.await(paused)).isTrue();
    assertThat(TestNode.await(cancelled)).isTrue();
    assertThat(TestNode.await(terminated)).isTrue();
    requests.awaitAnswers();
  }
}
