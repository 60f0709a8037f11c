package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.entry.JournalEntryCodec;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.ChildCall;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.Trace;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** A workflow stays in its trace, although its owner forgets everything after every commit. */
class TracingTest {
  private static final Trace TRACE =
      Trace.of("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01").orElseThrow();
  private static final String SEEN = TRACE.traceparent() + " " + TRACE.traceId();

  private static final ActivityDefinition<String, String> CALL =
      ActivityDefinition.of("call", String.class, String.class);

  private static TestNode node;

  @BeforeAll
  static void start() {
    node =
        TestNode.start(
            new TestNode.Plan()
                .with(Coded.class, Coded::new)
                .with(ActivityRegistration.of(CALL, (call, nothing) -> seen(call.trace())))
                .storage(
                    inner ->
                        new AmnesicStorage(
                            inner,
                            commit ->
                                !JournalEntryCodec.decode(commit.payload()).events().stream()
                                    .allMatch(Event.Redelivered.class::isInstance))));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  /** What code is told, and what its log lines say. */
  private static String seen(Optional<Trace> trace) {
    return trace.map(Trace::traceparent).orElse("none") + " " + MDC.get("trace_id");
  }

  private static String run(String id, Function<WorkflowContext, Object> code) {
    Coded.put(id, code);
    TestNode.await(
        node.workflows().start(StartRequest.of(id, "coded", TestNode.json(null)).trace(TRACE)));
    return node.result(id);
  }

  @Test
  void stepsActivitiesAndBranchesAreToldTheTraceAndLogUnderIt() {
    String result =
        run(
            "traced",
            ctx -> {
              String step = ctx.step("step", () -> seen(ctx.trace()));
              var beside = ctx.stepAsync("beside", StepOptions.DEFAULT, () -> seen(ctx.trace()));
              var branch = ctx.async("branch", () -> seen(ctx.trace()));
              return String.join(
                  "|",
                  seen(ctx.trace()),
                  step,
                  beside.get(),
                  branch.get(),
                  ctx.activity(CALL, "now"));
            });
    assertThat(result).isEqualTo("\"" + String.join("|", SEEN, SEEN, SEEN, SEEN, SEEN) + "\"");
  }

  @Test
  void childrenAndLaterRunsBelongToIt() {
    Coded.put("traced-child", ctx -> ctx.step("step", () -> seen(ctx.trace())));
    AtomicInteger runs = new AtomicInteger();
    String result =
        run(
            "traced-parent",
            ctx -> {
              if (ctx.step("run", runs::incrementAndGet) == 1) return ctx.continueAsNew(null);
              return ctx.child(ChildCall.to("coded", String.class).id("traced-child"));
            });
    assertThat(result).isEqualTo("\"" + SEEN + "\"");
  }

  @Test
  void aSignalToAnotherWorkflowIsOnRecordThereWithItsSendersTrace() {
    Coded.begin(node, "traced-receiver", ctx -> ctx.awaitSignal("word", String.class));
    run(
        "traced-sender",
        ctx -> {
          ctx.signalWorkflow(WorkflowId.of("traced-receiver"), "word", "hello");
          return "sent";
        });
    assertThat(node.result("traced-receiver")).isEqualTo("\"hello\"");
    assertThat(node.events("traced-receiver"))
        .filteredOn(Event.SignalConsumed.class::isInstance)
        .extracting(event -> ((Event.SignalConsumed) event).arrival().trace())
        .containsExactly(Optional.of(TRACE));
  }

  @Test
  void aForkIsInTheTraceOfWhatItIsMadeFrom() {
    Function<WorkflowContext, Object> code = ctx -> ctx.step("step", () -> seen(ctx.trace()));
    run("traced-first", code);
    Coded.put("traced-fork", code);
    TestNode.await(node.workflows().fork(ForkRequest.of("traced-first", "step#1", "traced-fork")));
    assertThat(node.result("traced-fork")).isEqualTo("\"" + SEEN + "\"");
  }

  @Test
  void withoutATraceNoneIsInvented() {
    assertThat(Coded.run(node, "untraced", ctx -> ctx.step("step", () -> seen(ctx.trace()))))
        .isEqualTo("\"none null\"");
  }
}
