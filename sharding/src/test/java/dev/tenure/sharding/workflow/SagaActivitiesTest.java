package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.loop.Loop;
import dev.tenure.workflow.ActivityCode;
import dev.tenure.workflow.ActivityContext;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.ActivityFailedException;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.NoEffectException;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.Saga;
import dev.tenure.workflow.Verifier.Verdict;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowFailure;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.audit.HistoryAudit;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What activities of a saga did is undone by what their definitions say. */
class SagaActivitiesTest {
  private static final int ROUNDS_MAX = 10_000;

  private final List<String> called = new ArrayList<>();
  private final List<String> undone = new ArrayList<>();

  private final ActivityDefinition<String, String> book = undoable("book");
  private final ActivityDefinition<String, String> pay = undoable("pay").keyed();
  private final ActivityDefinition<String, String> proven = undoable("proven").keyed();

  private final ActivityDefinition<String, String> known = undoable("known").keyed();

  private final TestLoopNode node =
      new TestLoopNode(
          registered(ActivityCode.of(book, this::does)),
          registered(ActivityCode.of(pay, this::does)),
          registered(
              ActivityCode.of(known, this::does)
                  .verifiedBy(
                      (call, what) ->
                          called.contains(what)
                              ? Verdict.completed("done", "it is in the books")
                              : Verdict.notCompleted("it is not in the books"))),
          registered(
              ActivityCode.of(proven, this::does)
                  .verifiedBy((call, what) -> Verdict.resultUnavailable("it is in the books"))));

  private ActivityDefinition<String, String> undoable(String name) {
    return ActivityDefinition.of(name, String.class, String.class)
        .withRetry(RetryPolicy.NONE)
        .withCompensation((what, result) -> undone.add(what + " " + result.orElse("unknown")));
  }

  private static ActivityRegistration<?, ?> registered(ActivityCode<?, ?> code) {
    return ActivityRegistration.of(code, 10, 10);
  }

  private String does(ActivityContext call, String what) throws IOException {
    called.add(what);
    if (what.startsWith("none")) throw new NoEffectException("nothing was done");
    if (what.startsWith("lost")) throw new IOException("the answer was lost");
    return "done";
  }

  private static RuntimeException fails() {
    return WorkflowFailure.permanent("E", "what follows failed");
  }

  /** Runs it as a saga, and says what it threw. */
  private static Object saga(WorkflowContext ctx, Function<Saga, Object> body) {
    try {
      return ctx.saga(body::apply);
    } catch (ActivityFailedException failed) {
      return failed.failure().type();
    } catch (WorkflowFailure failed) {
      return failed.getMessage();
    }
  }

  private void begin(String id, Function<Saga, Object> body) {
    node.begin(id, ctx -> saga(ctx, body));
  }

  private Status status(String id) {
    return node.storage.workflows().find(WorkflowId.of(id)).orElseThrow().status();
  }

  private void audit(String id) {
    HistoryAudit audit = new HistoryAudit(id);
    Journal.steps(node.storage, id).forEach(entry -> audit.commit(entry.events()));
  }

  private Object three(Saga saga) {
    saga.activity(book, "flight");
    saga.activity(pay, "fare");
    saga.activity(book, "room");
    throw fails();
  }

  @Test
  void aLaterFailureUndoesCompletedCallsInReverseOrder() {
    begin("reverse", this::three);
    assertThat(node.result("reverse")).contains("what follows failed");
    assertThat(called).containsExactly("flight", "fare", "room");
    assertThat(undone).containsExactly("room done", "fare done", "flight done");
    audit("reverse");
  }

  @Test
  void nothingIsUndoneOfASagaThatSucceeds() {
    begin("succeeds", saga -> saga.activity(pay, "fare") + saga.activity(book, "room"));
    assertThat(node.result("succeeds")).isEqualTo("\"donedone\"");
    assertThat(undone).isEmpty();
  }

  @Test
  void whatFailedAndMayHaveHadItsEffectIsUndoneWithoutItsResult() {
    begin("lost", saga -> saga.activity(book, "flight") + saga.activity(book, "lost room"));
    assertThat(node.result("lost")).contains(IOException.class.getName());
    assertThat(undone).containsExactly("lost room unknown", "flight done");
    audit("lost");
  }

  @Test
  void whatCertainlyHadNoEffectIsNotUndone() {
    begin("none", saga -> saga.activity(book, "flight") + saga.activity(pay, "none"));
    assertThat(node.result("none")).contains(NoEffectException.class.getName());
    assertThat(undone).containsExactly("flight done");
  }

  @Test
  void whatTookEffectAndHasNoResultAnyMoreIsUndone() {
    begin("gone", saga -> saga.activity(proven, "lost fare"));
    assertThat(node.result("gone")).contains("ActivityResultUnavailable");
    assertThat(undone).containsExactly("lost fare unknown");
  }

  private void conclude(String id, Outcome outcome) {
    node.workflows()
        .conclude(WorkflowId.of(id), new OperationId("pay#1"), outcome, "It was looked up.");
    node.quiet();
  }

  @Test
  void nothingIsUndoneWhileACallIsIndeterminate() {
    begin("open", saga -> saga.activity(book, "flight") + saga.activity(pay, "lost fare"));
    assertThat(status("open")).isEqualTo(Status.INCIDENT);
    assertThat(undone).isEmpty();
    conclude("open", new Outcome.Failed(Failure.permanent("shop.No", "no")));
    assertThat(node.result("open")).contains("shop.No");
    assertThat(undone)
        .as("a person who says that it failed does not say that it had no effect")
        .containsExactly("lost fare unknown", "flight done");
    audit("open");
  }

  @Test
  void aResultThatAPersonGivesIsWhatIsUndone() {
    begin(
        "given",
        saga -> {
          saga.activity(pay, "lost fare");
          throw fails();
        });
    conclude("given", new Outcome.Succeeded(TestNode.json("receipt 7")));
    assertThat(node.result("given")).contains("what follows failed");
    assertThat(undone).containsExactly("lost fare receipt 7");
  }

  @Test
  void aCancelledWorkflowWhoseCallIsIndeterminateIsUndoneWhenAPersonHasSaid() {
    begin(
        "cancelled",
        saga ->
            saga.activity(book, "flight")
                + saga.activity(pay, "lost fare")
                + saga.activity(book, "room"));
    node.workflows().cancel(WorkflowId.of("cancelled"), "rain");
    node.quiet();
    assertThat(status("cancelled")).isEqualTo(Status.INCIDENT);
    assertThat(undone).isEmpty();
    conclude("cancelled", new Outcome.Succeeded(TestNode.json("receipt 7")));
    assertThat(node.end("cancelled").status()).isEqualTo(Status.CANCELLED);
    assertThat(called).doesNotContain("room");
    assertThat(undone).containsExactly("lost fare receipt 7", "flight done");
    audit("cancelled");
  }

  /** After each commit its node dies, and another one goes on. */
  @Test
  void anOwnerThatIsLostAfterAnyCommitLeavesNothingUndoneTwiceAndSkipsNothing() {
    Coded.put(
        "lives",
        ctx ->
            saga(
                ctx,
                saga -> {
                  saga.activity(book, "flight");
                  saga.activity(known, "fare");
                  saga.activity(book, "room");
                  throw fails();
                }));
    node.workflows().start(StartRequest.of("lives", "coded", TestNode.json(null)));
    int outlived = 0;
    for (int round = 0; round < ROUNDS_MAX && !hasEnded("lives"); round++) {
      if (node.loop.doNext(Loop.Choice.OLDEST).isEmpty()) node.pass(Duration.ofSeconds(1));
      int now = progress("lives");
      if (now > outlived && !hasEnded("lives")) node.dies();
      outlived = now;
    }
    assertThat(status("lives")).isEqualTo(Status.COMPLETED);
    assertThat(outlived).as("each of them was the last of its node").isGreaterThan(6);
    assertThat(called).containsOnlyOnce("fare");
    assertThat(undone).containsExactly("room done", "fare done", "flight done");
    audit("lives");
  }

  /** How many commits did more than to hand out again what was in flight. */
  private int progress(String id) {
    return (int)
        Journal.steps(node.storage, id).stream()
            .filter(entry -> !entry.events().stream().allMatch(Event.Redelivered.class::isInstance))
            .count();
  }

  private boolean hasEnded(String id) {
    return node.storage
        .workflows()
        .find(WorkflowId.of(id))
        .filter(row -> row.status().isFinal())
        .isPresent();
  }

  @Test
  void theCallsOfALoopAreToldApartByTheirKeys() {
    begin(
        "loop",
        saga -> {
          for (String seat : List.of("1a", "1b")) saga.activity(book, Optional.of(seat), seat);
          throw fails();
        });
    assertThat(node.result("loop")).contains("what follows failed");
    assertThat(undone).containsExactly("1b done", "1a done");
    assertThat(node.events("loop"))
        .extracting(Object::toString)
        .anyMatch(event -> event.contains("undo book[1b]#1"));
  }

  @Test
  void anActivityWithoutCompensationIsRefusedBeforeItIsCalled() {
    ActivityDefinition<String, String> bare =
        ActivityDefinition.of("book", String.class, String.class);
    begin(
        "bare",
        saga -> {
          try {
            return saga.activity(bare, "flight");
          } catch (IllegalArgumentException refused) {
            return refused.getMessage();
          }
        });
    assertThat(node.result("bare")).contains("has no compensation");
    assertThat(called).isEmpty();
  }
}
