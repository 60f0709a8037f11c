package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.CancellationScope;
import dev.tenure.workflow.CancelledException;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A cancellation reaches the code that it concerns, and no other. */
class CancellationsTest {
  private static TestNode node;

  @BeforeAll
  static void start() {
    node = TestNode.start(new TestNode.Plan().with(Coded.class, Coded::new));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static void begin(String id, Function<WorkflowContext, Object> code) {
    Coded.begin(node, id, code);
  }

  private static void awaitStatus(String id, Status status) {
    Await.until(id + " is " + status, TestNode.SOON, () -> node.describe(id).status() == status);
  }

  @Test
  void aCancellationThatArrivesTogetherWithTheLastResultIsSeenBeforeTheNextRun() {
    AtomicInteger undone = new AtomicInteger();
    StepGate last = new StepGate();
    WorkflowId id = WorkflowId.of("withheld");
    begin(
        "withheld",
        ctx ->
            ctx.saga(
                saga -> {
                  saga.step("do", () -> 1, did -> undone.incrementAndGet());
                  ctx.async("last", () -> ctx.step("last", last::pass)).get();
                  return ctx.continueAsNew(null);
                }));
    StepGate.awaitCompleted(node, "withheld", "do#1");
    last.awaitArrival();
    TestNode.await(node.workflows().pause(id, "a while"));
    last.open();
    StepGate.awaitCompleted(node, "withheld", "last#1/last#1");
    TestNode.await(node.workflows().cancel(id, "rain"));
    TestNode.await(node.workflows().resume(id));
    assertThat(node.end("withheld").outcome()).isEqualTo(new Outcome.Cancelled("rain"));
    assertThat(undone).hasValue(1);
  }

  @Test
  void aConditionMayCancelTheScopeThatItIsAwaitedIn() {
    begin(
        "own scope",
        ctx -> {
          boolean[] late = {false};
          ctx.async(
              "guard",
              () ->
                  ctx.scope(
                      "s",
                      s -> {
                        ctx.await(
                            () -> {
                              if (late[0]) s.cancel("late");
                              return false;
                            });
                        return null;
                      }));
          ctx.sleep(Duration.ofMillis(20));
          late[0] = true;
          ctx.step("one", () -> 1);
          return ctx.awaitSignal("go", String.class);
        });
    awaitStatus("own scope", Status.WAITING);
    StepGate.awaitCompleted(node, "own scope", "one#1");
    Coded.signal(node, "own scope", "go", "on");
    assertThat(node.result("own scope")).isEqualTo("\"on\"");
  }

  @Test
  void aCancellationReachesAConditionThatHasWaitedItself() {
    begin(
        "waiting condition",
        ctx -> {
          boolean[] late = {false};
          Handle<Integer> number = ctx.stepAsync("number", () -> 1);
          CancellationScope[] scope = new CancellationScope[1];
          Handle<String> guarded =
              ctx.async(
                  "guarded",
                  () -> {
                    try {
                      return ctx.scope(
                          "s",
                          s -> {
                            scope[0] = s;
                            ctx.await(() -> number.get() > 1);
                            return "not cancelled";
                          });
                    } catch (CancelledException cancelled) {
                      return cancelled.getMessage();
                    }
                  });
          number.get();
          // Looks after the other one has, and changes nothing but that it cancels.
          ctx.async(
              "guard",
              () -> {
                ctx.await(
                    () -> {
                      if (late[0]) scope[0].cancel("late");
                      return false;
                    });
                return null;
              });
          ctx.sleep(Duration.ofMillis(20));
          late[0] = true;
          return guarded.get();
        });
    assertThat(node.result("waiting condition")).isEqualTo("\"late\"");
  }

  @Test
  void anErrorInABranchThatNobodyAsksForIsAnIncident() {
    begin(
        "error",
        ctx -> {
          ctx.async(
              "broken",
              () -> {
                throw new AssertionError("never");
              });
          return ctx.awaitSignal("go", String.class);
        });
    awaitStatus("error", Status.INCIDENT);
    assertThat(node.describe("error").incident())
        .hasValueSatisfying(incident -> assertThat(incident.message()).contains("never"));
  }

  @Test
  void aBranchThatIsCancelledInAllLeavesAloneWhatOthersAskedFor() {
    begin(
        "in all",
        ctx -> {
          Handle<String> outer = ctx.async("outer", () -> ctx.awaitSignal("go", String.class));
          Handle<List<String>> waits = ctx.async("waits", () -> ctx.all(List.of(outer)));
          ctx.sleep(Duration.ofMillis(20));
          waits.cancel("no longer wanted");
          try {
            waits.get();
            return "not cancelled";
          } catch (CancelledException cancelled) {
            return outer.get();
          }
        });
    Await.until(
        "it slept",
        TestNode.SOON,
        () ->
            node.events("in all").stream()
                .anyMatch(
                    event ->
                        event instanceof Event.Completed done
                            && done.operation().equals(new OperationId("sleep#1"))));
    Coded.signal(node, "in all", "go", "on");
    assertThat(node.result("in all")).isEqualTo("\"on\"");
  }
}
