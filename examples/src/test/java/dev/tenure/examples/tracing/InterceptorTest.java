package dev.tenure.examples.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.client.WorkflowClient;
import dev.tenure.testkit.TenureExtension;
import dev.tenure.testkit.TestEngine;
import dev.tenure.workflow.StepBody;
import dev.tenure.workflow.StepInterceptor;
import dev.tenure.workflow.Trace;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the guide shows of interceptors, with the least of a tracing library. */
class InterceptorTest {
  /** A span is current on the thread that began it. */
  static final class Tracer {
    static final List<String> ENDED = new ArrayList<>();
    private static final ThreadLocal<String> CURRENT = new ThreadLocal<>();

    interface Scope extends AutoCloseable {
      @Override
      void close();
    }

    static Scope begin(String name, String parent, String key) {
      CURRENT.set(name + " below " + parent);
      return () -> {
        ENDED.add(name + " " + key.substring(key.lastIndexOf(':') + 1));
        CURRENT.remove();
      };
    }
  }

  static final class TraceContext implements StepInterceptor {
    @Override
    public <T> T intercept(Call call, StepBody<T, Exception> body) throws Exception {
      String parent = call.trace().map(Trace::traceparent).orElse("none");
      try (Tracer.Scope span = Tracer.begin(call.name(), parent, call.idempotencyKey())) {
        return body.run();
      }
    }
  }

  @Workflow(name = "traced")
  public static class Traced {
    public String run(WorkflowContext ctx) {
      ctx.logger().log(System.Logger.Level.INFO, "looks for {0}", ctx.info().id());
      return ctx.step("look", () -> Tracer.CURRENT.get());
    }
  }

  @RegisterExtension
  final TenureExtension tenure = TenureExtension.with(Traced.class).interceptor(new TraceContext());

  @Test
  void aStepRunsInTheContextOfItsTrace(TestEngine engine) {
    String header = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    WorkflowClient workflows = engine.workflows();
    var request =
        workflows.request(Traced.class, "t-1", null).trace(Trace.of(header).orElseThrow());
    assertThat(workflows.start(request, String.class).result()).isEqualTo("look below " + header);
    assertThat(Tracer.ENDED).containsExactly("look look#1");
  }
}
