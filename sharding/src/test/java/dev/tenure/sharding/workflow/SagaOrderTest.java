package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.CancelledException;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.Saga;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.TypeRef;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowFailure;
import dev.tenure.workflow.audit.HistoryAudit;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** In which order sagas are undone, and what the record says of it. */
class SagaOrderTest {
  private static TestNode node;

  private final List<String> undone = Collections.synchronizedList(new ArrayList<>());

  @BeforeAll
  static void start() {
    node = TestNode.start(new TestNode.Plan().with(Coded.class, Coded::new));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static String run(String id, Function<WorkflowContext, Object> code) {
    return Coded.run(node, id, code);
  }

  private static void begin(String id, Function<WorkflowContext, Object> code) {
    Coded.begin(node, id, code);
  }

  private static void audit(String id) {
    HistoryAudit audit = new HistoryAudit(id);
    for (JournalEntry entry : Journal.steps(node.storage, id)) audit.commit(entry.events());
  }

  private static void pass(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The compensations that were asked for, by their operations. */
  private static List<String> compensations(String id) {
    List<String> asked = new ArrayList<>();
    for (Event event : node.events(id))
      if (event instanceof Event.Scheduled scheduled
          && scheduled.spec() instanceof OperationSpec.Step step
          && step.undoes().isPresent()) {
        OperationSpec.Undo undo = step.undoes().get();
        asked.add(
            "%s: %s %d %s"
                .formatted(
                    scheduled.operation(),
                    undo.saga(),
                    undo.position(),
                    undo.step().map(OperationId::value).orElse("-")));
      }
    return asked;
  }

  @Test
  void compensationsOfBranchesRunInTheReverseOrderOfCompletion() {
    List<String> completed = Collections.synchronizedList(new ArrayList<>());
    run(
        "order",
        ctx -> {
          try {
            return ctx.saga(
                saga -> {
                  List<Handle<String>> all = new ArrayList<>();
                  for (int i = 0; i < 5; i++) {
                    int number = i;
                    all.add(
                        ctx.async(
                            "b",
                            "" + i,
                            () -> {
                              ctx.sleep(Duration.ofMillis((7 * number) % 5 * 30));
                              String done = saga.step("s", () -> "s" + number, s -> undone.add(s));
                              completed.add(done);
                              return done;
                            }));
                  }
                  ctx.all(all);
                  throw WorkflowFailure.permanent("no", "no");
                });
          } catch (WorkflowFailure no) {
            return "undone";
          }
        });
    assertThat(undone).isEqualTo(completed.reversed()).hasSize(5);
    assertThat(compensations("order"))
        .hasSize(5)
        .first()
        .asString()
        .startsWith("undo s#1: saga#1 5 b[");
    audit("order");
  }

  @Test
  void theRecordTellsWhatEachCompensationUndoes() {
    run(
        "record",
        ctx -> {
          ctx.saga(
              saga -> {
                saga.step("pay", StepOptions.key("k"), () -> 1, one -> undone.add("pay"));
                saga.compensateWith("clean", () -> undone.add("clean"));
                saga.compensate();
                return null;
              });
          return ctx.async(
                  "side",
                  () ->
                      ctx.saga(
                          saga -> {
                            saga.step(
                                "list",
                                new TypeRef<List<Integer>>() {},
                                StepOptions.DEFAULT,
                                () -> List.of(1, 2),
                                Saga.COMPENSATION,
                                list -> undone.add("list " + list.getLast()));
                            saga.compensate();
                            return "done";
                          }))
              .get();
        });
    assertThat(compensations("record"))
        .containsExactly(
            "clean#1: saga#1 2 -",
            "undo pay[k]#1: saga#1 1 pay[k]#1",
            "side#1/undo list#1: side#1/saga#1 1 side#1/list#1");
    assertThat(undone).containsExactly("clean", "pay", "list 2");
    audit("record");
  }

  @Test
  void aSagaWithinASagaIsUndoneFirst() {
    String result =
        run(
            "nested",
            ctx -> {
              try {
                return ctx.saga(
                    outer -> {
                      outer.step("a", () -> "a", undone::add);
                      try {
                        ctx.saga(
                            inner -> {
                              inner.step("b", () -> "b", undone::add);
                              outer.step("c", () -> "c", undone::add);
                              inner.step("d", () -> "d", undone::add);
                              throw WorkflowFailure.permanent("no", "inner");
                            });
                      } catch (WorkflowFailure no) {
                        undone.add(no.getMessage());
                      }
                      outer.step("e", () -> "e", undone::add);
                      throw WorkflowFailure.permanent("no", "outer");
                    });
              } catch (WorkflowFailure no) {
                return no.getMessage();
              }
            });
    assertThat(result).isEqualTo("\"outer\"");
    assertThat(undone).containsExactly("d", "b", "inner", "e", "c", "a");
    audit("nested");
  }

  @Test
  void aSagaInACancelledBranchIsUndone() {
    String result =
        run(
            "branch",
            ctx -> {
              Handle<String> side =
                  ctx.async(
                      "side",
                      () ->
                          ctx.saga(
                              saga -> {
                                saga.step("a", () -> "a", undone::add);
                                return ctx.awaitSignal("never", String.class);
                              }));
              ctx.sleep(Duration.ofMillis(50));
              side.cancel("no need");
              try {
                return ctx.all(List.of(side));
              } catch (CancelledException cancelled) {
                return cancelled.getMessage() + undone;
              }
            });
    assertThat(result).isEqualTo("\"no need[a]\"");
  }

  @Test
  void compensatingWaitsForTheStepsThatAreUnderWay() {
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch running = new CountDownLatch(1);
    begin(
        "compensate",
        ctx ->
            ctx.saga(
                saga -> {
                  Handle<Optional<String>> side =
                      ctx.async(
                          "side",
                          () ->
                              Optional.of(
                                  saga.step(
                                      "slow",
                                      () -> {
                                        running.countDown();
                                        pass(go);
                                        return "slow";
                                      },
                                      undone::add)));
                  ctx.step("arrive", () -> pass(running));
                  saga.compensate();
                  return undone + " " + side.isDone();
                }));
    pass(running);
    Await.until(
        "it compensates",
        TestNode.SOON,
        () ->
            node.events("compensate").stream()
                .anyMatch(
                    event ->
                        event instanceof Event.Completed one
                            && one.operation().value().equals("arrive#1")));
    go.countDown();
    assertThat(node.result("compensate")).isEqualTo("\"[slow] true\"");
  }
}
