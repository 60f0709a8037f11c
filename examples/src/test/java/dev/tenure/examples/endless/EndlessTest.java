package dev.tenure.examples.endless;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.client.WorkflowHandle;
import dev.tenure.testkit.TenureExtension;
import dev.tenure.testkit.TestEngine;
import dev.tenure.workflow.SignalChannel;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the page on long workflows shows. */
class EndlessTest {
  /** What a run hands on to the next one. */
  public record Balance(long points, int runs) {}

  /** A customer's points, for as long as there is the customer. */
  @Workflow(name = "points")
  public static class Points {
    private static final int SIGNALS_PER_RUN = 100;

    private long points;

    public Balance run(WorkflowContext ctx, Balance before) {
      points = before.points();
      ctx.onQuery("points", () -> points);
      SignalChannel<Long> earned = ctx.signals("earned", Long.class);
      for (int i = 0; i < SIGNALS_PER_RUN; i++) {
        long more = earned.receive();
        if (more == 0) return new Balance(points, before.runs() + 1);
        points += more;
      }
      return ctx.continueAsNew(Points::run, new Balance(points, before.runs() + 1));
    }
  }

  @RegisterExtension final TenureExtension tenure = TenureExtension.with(Points.class);

  @Test
  void noSignalIsLostBetweenTwoRuns(TestEngine engine) {
    WorkflowHandle<Balance> points =
        engine.workflows().start(Points::run, "points-of-ada", new Balance(0, 0));
    String firstRun = points.describe().runId();
    for (int i = 0; i < 250; i++) points.signal("earned", 2L);

    assertThat(points.query("points", Long.class)).isEqualTo(500);
    assertThat(points.describe().runId()).isNotEqualTo(firstRun);

    points.signal("earned", 0L);
    assertThat(points.result()).isEqualTo(new Balance(500, 3));
  }

  @Test
  void aCrashBetweenTwoRunsChangesNothing(TestEngine engine) {
    engine.crashAfterEveryCommit();
    WorkflowHandle<Balance> points =
        engine.workflows().start(Points::run, "points-of-grace", new Balance(0, 0));
    for (int i = 0; i < 120; i++) points.signal("earned", 1L);
    points.signal("earned", 0L);

    assertThat(points.result()).isEqualTo(new Balance(120, 2));
  }
}
