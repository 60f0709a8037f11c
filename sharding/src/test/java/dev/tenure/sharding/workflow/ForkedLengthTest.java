package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.host.OwnerLimits;
import dev.tenure.workflow.ChildCall;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowInfo;
import dev.tenure.workflow.audit.HistoryAudit;
import dev.tenure.workflow.kernel.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A fork is as long as its source was: its code decides by the length as its source's did. */
class ForkedLengthTest {
  private final TestLoopNode node = new TestLoopNode(OwnerLimits.DEFAULT);

  private static String length(WorkflowContext ctx) {
    WorkflowInfo info = ctx.info();
    return info.historyEvents() + "/" + info.historyBytes();
  }

  /** Asks for something else at another length, so that a fork of another length drifts. */
  private static String decides(WorkflowContext ctx) {
    String length = length(ctx);
    return ctx.step("at " + length, () -> length);
  }

  private static void drop(Handle<?> handle) {
    handle.cancel("not wanted any more");
  }

  /** It was told that its first wait is over, and gives that up later. */
  private static Object dropsLater(WorkflowContext ctx) {
    List<String> seen = new ArrayList<>();
    Handle<String> go = ctx.signals("go", String.class).receiveAsync();
    ctx.awaitSignal("roll", String.class);
    seen.add(decides(ctx));
    ctx.step("between", () -> 1);
    drop(go);
    seen.add(decides(ctx));
    ctx.step("after", () -> 2);
    seen.add(ctx.awaitSignal("go", String.class));
    seen.add(decides(ctx));
    return seen;
  }

  /** It gave its wait up while the signal was on its way. */
  private static Object dropsBefore(WorkflowContext ctx) {
    List<String> seen = new ArrayList<>();
    ctx.sleep(Duration.ofHours(1));
    Handle<String> roll = ctx.signals("roll", String.class).receiveAsync();
    Handle<String> go = ctx.signals("go", String.class).receiveAsync();
    ctx.any(List.of(roll, go));
    drop(go);
    seen.add(decides(ctx));
    ctx.step("after", () -> 2);
    seen.add(ctx.awaitSignal("go", String.class));
    seen.add(decides(ctx));
    return seen;
  }

  private void fork(String source, String from, String id, Function<WorkflowContext, Object> code) {
    Coded.put(id, code);
    node.workflows().fork(ForkRequest.of(source, from, id));
    node.quiet();
  }

  private void audit(String id) {
    HistoryAudit audit = new HistoryAudit(id);
    for (var entry : Journal.steps(node.storage, id)) audit.commit(entry.events());
  }

  private void requireForksLikeTheSource(String from, Function<WorkflowContext, Object> code) {
    assertThat(node.events("w")).hasAtLeastOneElementOfType(Event.SignalReturned.class);
    String result = node.result("w");
    fork("w", from, "f", code);
    fork("f", from, "g", code);
    node.dies();
    for (String id : new String[] {"f", "g"}) {
      node.signal(id, "go", "a word");
      assertThat(node.events(id)).as(id).noneMatch(Event.IncidentRaised.class::isInstance);
      assertThat(node.result(id)).as(id).isEqualTo(result);
      audit(id);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"between#1", "after#1"})
  void aForkCountsASignalThatItsSourceWasToldOfAndGaveBack(String from) {
    node.begin("w", ForkedLengthTest::dropsLater);
    node.signal("w", "go", "a word");
    node.signal("w", "roll", "on");
    requireForksLikeTheSource(from, ForkedLengthTest::dropsLater);
  }

  @Test
  void aForkCountsASignalThatItsSourceGaveBackAtOnce() {
    node.begin("w", ForkedLengthTest::dropsBefore);
    node.signal("w", "roll", "on");
    node.signal("w", "go", "a word");
    node.pass(Duration.ofHours(2));
    requireForksLikeTheSource("after#1", ForkedLengthTest::dropsBefore);
  }

  private static Object dropsWhenTold(WorkflowContext ctx) {
    Handle<String> go = ctx.signals("go", String.class).receiveAsync();
    ctx.awaitSignal("roll", String.class);
    ctx.step("between", () -> 1);
    ctx.awaitSignal("drop", String.class);
    drop(go);
    String length = decides(ctx);
    ctx.step("last", () -> 2);
    return length;
  }

  /** The first fork's wait is open where its source's was over, and takes another signal. */
  @Test
  void aForkOfAForkCountsTheSignalsOfBoth() {
    node.begin("w", ForkedLengthTest::dropsWhenTold);
    node.signal("w", "go", "a word");
    node.signal("w", "roll", "on");
    node.signal("w", "drop", "that");
    String ofSource = node.result("w");

    fork("w", "between#1", "f", ForkedLengthTest::dropsWhenTold);
    node.signal("f", "go", "one that is longer than the other");
    node.signal("f", "drop", "that");
    String ofFork = node.result("f");
    assertThat(ofFork).isNotEqualTo(ofSource);

    fork("f", "last#1", "g", ForkedLengthTest::dropsWhenTold);
    node.dies();
    assertThat(node.result("g")).isEqualTo(ofFork);
  }

  /** Its child is open where it is forked, and has the workflow's id in its input. */
  private static Object withItsIdInAnInput(WorkflowContext ctx) {
    String id = ctx.info().id().value();
    ctx.childAsync(ChildCall.to("coded", String.class).id(id + "-child").input(id));
    WorkflowInfo info = ctx.info();
    ctx.step("one", () -> 1);
    ctx.step("two", () -> 2);
    return List.of(info.historyEvents(), info.historyBytes());
  }

  /** The fork asks for it anew, and counts what its own code sends. */
  @Test
  void whatWasOpenCountsWithTheInputOfTheFork() {
    for (String id : List.of("w-child", "longer-child"))
      Coded.put(id, ctx -> ctx.awaitSignal("go", String.class));
    node.begin("w", ForkedLengthTest::withItsIdInAnInput);
    fork("w", "two#1", "longer", ForkedLengthTest::withItsIdInAnInput);
    assertThat(node.result("w")).isEqualTo("[2,3]");
    assertThat(node.result("longer")).isEqualTo("[2,8]");
  }
}
