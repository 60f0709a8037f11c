package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.ChildCall;
import dev.tenure.workflow.ChildFailedException;
import dev.tenure.workflow.ChildHandle;
import dev.tenure.workflow.ParentClosePolicy;
import dev.tenure.workflow.UndeliverableException;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.audit.HistoryAudit;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A signal through a child's handle is for that child, and for nobody else who has its id. */
class SignalToChildTest {
  private static TestNode node;

  @BeforeAll
  static void start() {
    node = TestNode.start(new TestNode.Plan().with(Coded.class, Coded::new));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  /** Says all that it was told until it was told to end. */
  private static String listen(WorkflowContext ctx) {
    List<String> heard = new ArrayList<>();
    ctx.awaitSignal("end", String.class);
    while (true) {
      var next = ctx.signals("go", String.class).receive(Duration.ofMillis(1));
      if (next.isEmpty()) return String.join(", ", heard);
      heard.add(next.get());
    }
  }

  private static ChildHandle<String> child(WorkflowContext ctx, String id) {
    return ctx.childAsync(ChildCall.to("coded", String.class).id(id));
  }

  private static String signal(ChildHandle<?> child, String payload) {
    try {
      child.signal("go", payload);
      return "sent";
    } catch (UndeliverableException e) {
      return "undeliverable";
    }
  }

  private static void awaitStart(String id) {
    Await.until(
        id + " has started",
        TestNode.SOON,
        () -> node.events(id).stream().anyMatch(Event.Started.class::isInstance));
  }

  private static String heard(String id) {
    Coded.signal(node, id, "end", "end");
    return node.result(id);
  }

  private static void audit(String id) {
    HistoryAudit audit = new HistoryAudit(id);
    for (JournalEntry entry : Journal.steps(node.storage, id)) audit.commit(entry.events());
  }

  @Test
  void aSignalToAChildThatCouldNotBeStartedReachesNobodyElse() {
    Coded.put("stranger", SignalToChildTest::listen);
    node.begin("stranger", "coded", null);
    awaitStart("stranger");
    Coded.put(
        "parent",
        ctx -> {
          ChildHandle<String> child = child(ctx, "stranger");
          String early = signal(child, "before the refusal");
          try {
            child.get();
          } catch (ChildFailedException e) {
            String late = signal(child, "after the refusal");
            ctx.signalWorkflow(WorkflowId.of("stranger"), "go", "by its id");
            return List.of(early, late);
          }
          return "it was started";
        });
    node.begin("parent", "coded", null);
    assertThat(node.result("parent")).isEqualTo("[\"undeliverable\",\"undeliverable\"]");
    assertThat(heard("stranger")).isEqualTo("\"by its id\"");
    audit("parent");
  }

  /** The code gave the child up before anybody knew whether it exists, and kept the handle. */
  @Test
  void aSignalToAChildThatWasGivenUpBeforeItsStartWasRefusedReachesNobodyElse() {
    Coded.put("other", SignalToChildTest::listen);
    node.begin("other", "coded", null);
    awaitStart("other");
    Coded.put(
        "impatient",
        ctx -> {
          ChildHandle<String> child =
              ctx.childAsync(
                  ChildCall.to("coded", String.class)
                      .id("other")
                      .onParentClose(ParentClosePolicy.ABANDON));
          child.cancel("changed its mind");
          return List.of(signal(child, "early"), signal(child, "late"));
        });
    node.begin("impatient", "coded", null);
    assertThat(node.result("impatient")).isEqualTo("[\"undeliverable\",\"undeliverable\"]");
    assertThat(heard("other")).isEqualTo("\"\"");
    audit("impatient");
  }

  @Test
  void aChildThatWasStartedGetsItsSignals() {
    Coded.put("own", SignalToChildTest::listen);
    Coded.put(
        "keen",
        ctx -> {
          ChildHandle<String> child = child(ctx, "own");
          List<String> said = List.of(signal(child, "early"), signal(child, "late"));
          child.signal("end", "end");
          child.get();
          return said;
        });
    node.begin("keen", "coded", null);
    assertThat(node.result("keen")).isEqualTo("[\"sent\",\"sent\"]");
    assertThat(node.result("own")).isEqualTo("\"early, late\"");
    audit("keen");
  }

  private static void fork(String source, String id) {
    TestNode.await(node.workflows().fork(ForkRequest.of(source, "one#1", id)));
  }

  @Test
  void aForkDoesNotSignalTheChildOfItsSourceThatHasTheIdOfItsOwn() {
    Function<WorkflowContext, Object> code =
        ctx -> {
          ChildHandle<String> child = child(ctx, "the only child");
          child.awaitStarted();
          ctx.step("one", () -> 1);
          child.signal("go", ctx.info().id().value());
          return child.get();
        };
    Coded.put("keeper", code);
    Coded.put("fork of keeper", code);
    Coded.put("the only child", SignalToChildTest::listen);
    node.begin("keeper", "coded", null);
    Await.until(
        "the signal is on its way",
        TestNode.SOON,
        () -> node.events("keeper").toString().contains("send:signal:go"));
    fork("keeper", "fork of keeper");
    assertThat(node.end("fork of keeper").status()).isEqualTo(Status.FAILED);
    assertThat(heard("the only child")).isEqualTo("\"keeper\"");
    audit("fork of keeper");
  }

  /** It let the child go, whom it may abandon, and its fork kept the handle. */
  @Test
  void aForkDoesNotSignalTheChildThatItsSourceHadGivenUp() {
    Function<WorkflowContext, Object> code =
        ctx -> {
          ChildHandle<String> child =
              ctx.childAsync(
                  ChildCall.to("coded", String.class)
                      .id("let go")
                      .onParentClose(ParentClosePolicy.CANCEL));
          child.awaitStarted();
          child.cancel("no longer wanted");
          ctx.step("one", () -> 1);
          return signal(child, ctx.info().id().value());
        };
    Coded.put("giver", code);
    Coded.put("fork of giver", code);
    Coded.put("let go", ctx -> ctx.shielded(() -> listen(ctx)));
    node.begin("giver", "coded", null);
    assertThat(node.result("giver")).isEqualTo("\"sent\"");
    fork("giver", "fork of giver");
    assertThat(node.result("fork of giver")).isEqualTo("\"undeliverable\"");
    assertThat(heard("let go")).isEqualTo("\"giver\"");
    audit("fork of giver");
  }
}
