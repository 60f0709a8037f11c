package dev.tenure.testkit;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.tenure.sharding.client.WorkflowHandle;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.StepBody;
import dev.tenure.workflow.StepInterceptor;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** What an application puts around steps and activities, and what its workflows log. */
class InterceptorsTest {
  static final ActivityDefinition<String, String> GREET =
      ActivityDefinition.of("greet", String.class, String.class);

  /** As a tracing library's: what it set up is there while the body runs. */
  static final ThreadLocal<String> CURRENT = new ThreadLocal<>();

  @Workflow(name = "observed")
  public static class Observed {
    public String run(WorkflowContext ctx, String name) {
      ctx.logger().log(INFO, "begins for {0}", name);
      String step =
          ctx.step(
              "step",
              () -> {
                ctx.logger().log(WARNING, "in the step");
                return CURRENT.get();
              });
      ctx.sleep(Duration.ofDays(1));
      ctx.logger().log(DEBUG, () -> "slept");
      ctx.logger().log(INFO, "slept");
      String activity = ctx.activity(GREET, name);
      String aside = ctx.stepAsync("aside", () -> CURRENT.get()).get();
      ctx.logger().log(INFO, "ends");
      return step + ", " + activity + ", " + aside;
    }
  }

  private final List<StepInterceptor.Call> calls = new CopyOnWriteArrayList<>();
  private final List<String> order = new CopyOnWriteArrayList<>();

  private final class Outer implements StepInterceptor {
    @Override
    public <T> T intercept(Call call, StepBody<T, Exception> body) throws Exception {
      calls.add(call);
      order.add("outer begins " + call.name());
      CURRENT.set(call.name() + " of " + call.workflowId());
      try {
        return body.run();
      } catch (IllegalStateException thrown) {
        order.add("outer sees " + thrown.getMessage());
        throw thrown;
      } finally {
        CURRENT.remove();
      }
    }
  }

  private final class Inner implements StepInterceptor {
    @Override
    public <T> T intercept(Call call, StepBody<T, Exception> body) throws Exception {
      order.add("inner begins " + call.name());
      return body.run();
    }
  }

  @RegisterExtension
  final TenureExtension tenure =
      TenureExtension.with(Observed.class)
          .activity(GREET, (call, name) -> CURRENT.get())
          .interceptor(new Outer())
          .module(registry -> registry.interceptor(new Inner()));

  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(Observed.class);

  @BeforeEach
  void listen() {
    lines.start();
    logger.setLevel(Level.INFO);
    logger.addAppender(lines);
  }

  @AfterEach
  void listenNoMore() {
    logger.detachAppender(lines);
    logger.setLevel(null);
  }

  @Test
  void theyStandAroundWhatReallyRuns(TestEngine engine) {
    engine.fakeStep(
        "step",
        call -> {
          if (call.attempt() == 1) throw new IllegalStateException("no line");
          return call.genuine();
        });
    WorkflowHandle<String> observed = engine.workflows().start(Observed::run, "o-1", "ada");
    String run = observed.describe().runId();
    assertThat(observed.result()).isEqualTo("step of o-1, greet of o-1, aside of o-1");

    assertThat(order)
        .containsExactly(
            "outer begins step",
            "inner begins step",
            "outer sees no line",
            "outer begins step",
            "inner begins step",
            "outer begins greet",
            "inner begins greet",
            "outer begins aside",
            "inner begins aside");
    StepInterceptor.Call second = calls.get(1);
    assertThat(second.kind()).isEqualTo(StepInterceptor.Kind.STEP);
    assertThat(second.attempt()).isEqualTo(2);
    assertThat(second.runId()).isEqualTo(run);
    assertThat(second.operationId()).isEqualTo("step#1");
    assertThat(second.idempotencyKey()).startsWith("tenure:o-1:" + run + ":");
    assertThat(second.trace()).isEmpty();
    assertThat(calls.get(2).kind()).isEqualTo(StepInterceptor.Kind.ACTIVITY);
  }

  @Test
  void replaysAreSilent(TestEngine engine) {
    engine.crashAfterEveryCommit();
    WorkflowHandle<String> observed = engine.workflows().start(Observed::run, "o-2", "ada");
    String run = observed.describe().runId();
    observed.result();

    assertThat(engine.crashes()).isGreaterThan(2);
    List<String> texts = lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    // Written when the code first comes by; what it comes by in a replay first, is not.
    assertThat(texts).doesNotHaveDuplicates().startsWith("begins for ada").contains("in the step");
    assertThat(lines.list)
        .allSatisfy(
            line ->
                assertThat(line.getMDCPropertyMap())
                    .containsEntry("workflow_id", "o-2")
                    .containsEntry("run_id", run));
    assertThat(MDC.get("workflow_id")).isNull();
    int before = lines.list.size();
    int called = calls.size();
    Replays.assertReplays(engine.history(observed), Observed.class);
    assertThat(lines.list).hasSize(before);
    assertThat(calls).hasSize(called);
  }

  @Test
  void linesAreWrittenOnceEach(TestEngine engine) {
    engine.workflows().start(Observed::run, "o-3", "ada").result();
    assertThat(lines.list.stream().map(ILoggingEvent::getFormattedMessage))
        .containsExactly("begins for ada", "in the step", "slept", "ends");
    assertThat(lines.list.getFirst().getLoggerName()).isEqualTo(Observed.class.getName());
  }
}
