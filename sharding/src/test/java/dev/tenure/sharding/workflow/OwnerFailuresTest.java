package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.sharding.host.WorkflowSettings;
import dev.tenure.sharding.process.Await;
import dev.tenure.sharding.run.RunTakeUp;
import dev.tenure.workflow.CancelledException;
import dev.tenure.workflow.UndeliverableException;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What an owner cannot store or perform ends in an incident or a failure, never in restarts. */
class OwnerFailuresTest {
  private static final FailingClock CLOCK = new FailingClock();
  private static TestNode node;
  private static volatile Predicate<Event> unstorable = event -> false;

  @BeforeAll
  static void start() {
    node =
        TestNode.start(
            new TestNode.Plan()
                .with(Coded.class, Coded::new)
                .storage(inner -> new UnstorableEvents(inner, event -> unstorable.test(event)))
                .settings(
                    given ->
                        WorkflowSettings.of(CLOCK, given.seeds(), given.ids())
                            .withRecoveryPause(Duration.ofMillis(50))));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @Test
  void whoseRequestLacksAClassIsToldAndTheNextIsServed() {
    Coded.begin(node, "lacks-class", ctx -> ctx.awaitSignal("end", String.class));
    Await.until(
        "it waits", TestNode.SOON, () -> node.describe("lacks-class").status() == Status.WAITING);
    CLOCK.failsOnce();
    assertThatThrownBy(
            () -> TestNode.await(node.workflows().pause(WorkflowId.of("lacks-class"), "a look")))
        .hasCauseInstanceOf(WorkflowError.NotNow.class)
        .hasMessageContaining("NoClassDefFoundError");
    CLOCK.requireFailed();
    assertThat(TestNode.await(node.workflows().pause(WorkflowId.of("lacks-class"), "a look")))
        .isTrue();
  }

  private static void terminate(String id) {
    assertThat(TestNode.await(node.workflows().terminate(WorkflowId.of(id), "enough"))).isTrue();
    assertThat(node.end(id).status()).isEqualTo(Status.TERMINATED);
  }

  @Test
  void aMessageThatCannotBeMadeIsAFailureInTheCode() {
    Coded.begin(
        node,
        "long-reason",
        ctx -> {
          try {
            ctx.cancelWorkflow(WorkflowId.of("other"), "a".repeat(5_000));
            return "sent";
          } catch (UndeliverableException refused) {
            return refused.getMessage();
          }
        });
    assertThat(node.result("long-reason")).contains("REASON");
  }

  @Test
  void itIsTerminatedBesideAMessageThatCannotBeMade() {
    Coded.begin(
        node,
        "stubborn",
        ctx -> {
          ctx.async(
              "tells",
              () -> {
                ctx.cancelWorkflow(WorkflowId.of("other"), "a".repeat(5_000));
                return 1;
              });
          return ctx.awaitSignal("end", String.class);
        });
    terminate("stubborn");
  }

  /** What a code may pass where a text is wanted: the code is told, and its owner goes on. */
  @Test
  void aTextThatIsNotThereIsRefusedWhereTheCodeAsks() {
    Coded.begin(
        node,
        "no-text",
        ctx -> {
          List<String> refused = new ArrayList<>();
          refuses(refused, () -> ctx.cancelWorkflow(WorkflowId.of("other"), null));
          refuses(refused, () -> ctx.cancelWorkflow(WorkflowId.of("other"), "\ud800"));
          refuses(refused, () -> ctx.cancelWorkflow(null, "a reason"));
          refuses(refused, () -> ctx.signalWorkflow(null, "name", "a value"));
          ctx.scope(
              "block",
              scope -> {
                refuses(refused, () -> scope.cancel(null));
                return 1;
              });
          return refused;
        });
    assertThat(node.result("no-text"))
        .isEqualTo(
            "[\"InvalidTextError\",\"InvalidTextError\",\"NullPointerException\",\"NullPointerException\",\"InvalidTextError\"]");
  }

  private static void refuses(List<String> refused, Runnable call) {
    try {
      call.run();
    } catch (IllegalArgumentException | NullPointerException refusal) {
      refused.add(refusal.getClass().getSimpleName());
    }
  }

  @Test
  void aCancellationThatSaysNothingIsOne() {
    Coded.begin(
        node,
        "says-nothing",
        ctx -> {
          try {
            return ctx.awaitSignal("end", String.class);
          } catch (CancelledException asked) {
            throw new CancelledException(null);
          }
        });
    assertThat(TestNode.await(node.workflows().cancel(WorkflowId.of("says-nothing"), "enough")))
        .isTrue();
    assertThat(node.end("says-nothing").outcome()).isEqualTo(new Outcome.Cancelled(""));
  }

  private static boolean isStarted(Event event, String timer) {
    return event instanceof Event.Scheduled scheduled
        && scheduled.operation().value().contains(timer);
  }

  @Test
  void whatCannotBeStoredIsAnIncidentAfterSomeTries() {
    AtomicInteger ran = new AtomicInteger();
    AtomicInteger begun = new AtomicInteger();
    unstorable = event -> isStarted(event, "unstorable");
    Coded.begin(
        node,
        "fails",
        ctx -> {
          ctx.step("before", ran::incrementAndGet);
          begun.incrementAndGet();
          ctx.timer("unstorable", Duration.ofMillis(1)).get();
          return "went on";
        });
    Await.until(
        "it is an incident",
        TestNode.SOON,
        () -> node.describe("fails").status() == Status.INCIDENT);
    assertThat(node.describe("fails").incident().orElseThrow().kind())
        .isEqualTo(RunTakeUp.OWNER_FAILS);
    int tries = begun.get();
    assertThat(tries).isBetween(2, 10);
    unstorable = event -> false;
    assertThat(TestNode.await(node.workflows().resolveIncident(WorkflowId.of("fails"), "mended")))
        .isTrue();
    assertThat(node.result("fails")).isEqualTo("\"went on\"");
    assertThat(ran).as("its result was kept from owner to owner").hasValue(1);
  }

  @Test
  void itCanBeTerminatedInsteadOfMended() {
    unstorable = event -> isStarted(event, "unstorable");
    Coded.begin(
        node,
        "terminated",
        ctx -> {
          ctx.step("before", () -> 1);
          ctx.timer("unstorable", Duration.ofMillis(1)).get();
          return "went on";
        });
    terminate("terminated");
  }
}
