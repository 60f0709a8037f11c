package dev.tenure.examples.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.tenure.sharding.client.WorkflowHandle;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.kernel.Status;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a node is set to holds for the workflows on it. */
class SettingsTest {
  private static final int CALLS = 20;
  private static final ActivityDefinition<Integer, Integer> COUNT =
      ActivityDefinition.of("count", Integer.class, Integer.class);

  /** Calls an activity many times at once; says how many of the calls ran together at most. */
  @Workflow(name = "crowd")
  public static final class Crowd {
    public int run(WorkflowContext ctx) {
      List<Handle<Integer>> all =
          IntStream.range(0, CALLS).mapToObj(i -> ctx.activityAsync(COUNT, i)).toList();
      return ctx.all(all).stream().mapToInt(Integer::intValue).max().orElseThrow();
    }
  }

  /** Does not come back by itself. */
  @Workflow(name = "stuck")
  public static final class Stuck {
    private final CountDownLatch never;

    Stuck(CountDownLatch never) {
      this.never = never;
    }

    public void run(WorkflowContext ctx) throws InterruptedException {
      never.await();
    }
  }

  private record Shape(int outerWidth) {}

  /** Hands on what it got. */
  @Workflow(name = "echo")
  public static final class Echo {
    public Object run(WorkflowContext ctx, Object anything) {
      return anything;
    }
  }

  private final AtomicInteger together = new AtomicInteger();

  private Integer count() {
    int now = together.incrementAndGet();
    try {
      Thread.yield();
      return now;
    } finally {
      together.decrementAndGet();
    }
  }

  @Test
  void anActivityRunsAsOftenAtOnceAsItWasRegisteredFor() {
    try (Engine engine =
        Engine.start(
            node -> node.workflow(Crowd.class).activity(COUNT, (call, input) -> count(), 1))) {
      assertThat(engine.workflows().start(Crowd::run, "crowd").result(Engine.SOON)).isEqualTo(1);
    }
  }

  @Test
  void whatWasRegisteredWithoutALimitHasTheNodes() {
    try (Engine engine =
        Engine.start(
            node ->
                node.setting("tenure.workflows.activities.running", 1)
                    .setting("tenure.workflows.activities.waiting", 1)
                    .workflow(Crowd.class)
                    .activity(COUNT, (call, input) -> count()))) {
      // More than may wait come back later; none is lost.
      assertThat(engine.workflows().start(Crowd::run, "crowd").result(Engine.SOON)).isEqualTo(1);
    }
  }

  @Test
  void codeThatDoesNotComeBackInTimeBecomesAnIncident() {
    CountDownLatch never = new CountDownLatch(1);
    try (Engine engine =
        Engine.start(
            node ->
                node.setting("tenure.workflows.code-limit", "300ms")
                    .workflow(Stuck.class, () -> new Stuck(never)))) {
      WorkflowHandle<Void> stuck = engine.workflows().start(Stuck::run, "stuck");
      Engine.awaitStatus(stuck, Status.INCIDENT);
      assertThat(stuck.describe().incident()).isPresent();
    }
  }

  @Test
  void payloadsAreWrittenAsTheApplicationWantsThem() {
    PayloadCodec snakes =
        new PayloadCodec(
            JsonMapper.builder()
                .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .build());
    try (Engine engine = Engine.start(node -> node.workflow(Echo.class).payloads(snakes))) {
      assertThat(engine.workflows().start(Echo::run, "echo", new Shape(3)).result(Engine.SOON))
          .hasToString("{outer_width=3}");
    }
  }
}
