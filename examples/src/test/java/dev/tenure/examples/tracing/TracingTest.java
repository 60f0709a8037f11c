package dev.tenure.examples.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.client.WorkflowHandle;
import dev.tenure.testkit.TenureExtension;
import dev.tenure.testkit.TestEngine;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.Trace;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A trace goes on from a workflow to what its steps call. */
class TracingTest {
  private static final URI STOCK = URI.create("https://stock.example.com/lamps");
  private static final List<HttpRequest> SENT = new ArrayList<>();
  private static final List<String> SPANS = new ArrayList<>();

  static final ActivityDefinition<String, String> SHIP =
      ActivityDefinition.of("ship", String.class, String.class);

  @Workflow(name = "lamp-order")
  public static final class LampOrder {
    public String run(WorkflowContext ctx) {
      ctx.step(
          "reserve",
          () -> {
            HttpRequest.Builder request = HttpRequest.newBuilder(STOCK);
            ctx.trace().ifPresent(trace -> request.header("traceparent", trace.traceparent()));
            SENT.add(request.build());
          });
      return ctx.activity(SHIP, "lamp");
    }
  }

  @RegisterExtension
  final TenureExtension tenure =
      TenureExtension.with(LampOrder.class, LampOrder::new)
          .activity(
              SHIP,
              (call, what) -> {
                call.trace()
                    .map(trace -> trace.span(call.idempotencyKey() + "/" + call.attempt()))
                    .ifPresent(span -> SPANS.add(span.spanId()));
                return what;
              });

  @Test
  void whatAStepCallsIsInTheTraceOfTheWorkflow(TestEngine engine) {
    String header = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    var request =
        engine
            .workflows()
            .request(LampOrder.class, "lamp-1", null)
            .trace(Trace.of(header).orElseThrow());
    WorkflowHandle<String> order = engine.workflows().start(request, String.class);

    assertThat(order.result()).isEqualTo("lamp");
    assertThat(SENT.getFirst().headers().firstValue("traceparent")).contains(header);
    assertThat(SPANS).hasSize(1).doesNotContain("00f067aa0ba902b7");
  }
}
