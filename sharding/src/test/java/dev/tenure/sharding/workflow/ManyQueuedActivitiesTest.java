package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.task.TakenTask;
import dev.tenure.persistence.task.Tasks;
import dev.tenure.persistence.task.Tasks.Heard;
import dev.tenure.persistence.task.Tasks.Report;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** One workflow with more tasks in a queue than the storage is asked about at once. */
class ManyQueuedActivitiesTest {
  private static final int COUNT = 3 * Tasks.MAX_BATCH;
  private static final ActivityDefinition<Integer, Integer> PART =
      ActivityDefinition.of("part", Integer.class, Integer.class)
          .onQueue("parts")
          .withVisibilityTimeout(Duration.ofMinutes(10));

  /** Asks for all parts at once. */
  @Workflow(name = "whole")
  public static final class Whole {
    public int run(WorkflowContext ctx, int count) {
      List<Handle<Integer>> all = new ArrayList<>();
      for (int i = 0; i < count; i++) all.add(ctx.activityAsync(PART, "p" + i, i));
      int sum = 0;
      for (Handle<Integer> one : all) sum += one.get();
      return sum;
    }
  }

  @Test
  void outcomesThatNoOwnerHeardOfAreAllFound() {
    TestNode.Plan plan = new TestNode.Plan();
    plan.with(Whole.class, Whole::new);
    try (TestNode node = TestNode.start(plan)) {
      node.begin("many", "whole", COUNT);
      AtomicInteger done = new AtomicInteger();
      Await.until(
          "a worker has carried out all of them",
          Duration.ofMinutes(2),
          () -> done.addAndGet(workOff(node.storage.tasks())) == COUNT);
      assertThat(node.result("many")).isEqualTo(Integer.toString(COUNT));
    }
  }

  /** Past the desk, as when its node dies before it tells the owner. */
  private static int workOff(Tasks tasks) {
    AtomicInteger secret = new AtomicInteger();
    List<TakenTask> taken =
        tasks
            .take(
                "parts",
                List.of(new Tasks.Poll("a test", Set.of(), Tasks.TAKE_MAX)),
                () -> "secret-" + secret.incrementAndGet())
            .getFirst();
    List<Report> reports = new ArrayList<>();
    for (TakenTask task : taken)
      reports.add(new Report.Ended(task.token(), new Outcome.Succeeded(TestNode.json(1))));
    assertThat(tasks.hear(reports)).allMatch(new Heard.Recorded()::equals);
    return taken.size();
  }
}
