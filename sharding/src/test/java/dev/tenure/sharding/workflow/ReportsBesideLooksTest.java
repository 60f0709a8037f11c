package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.task.TakenTask;
import dev.tenure.persistence.task.TaskId;
import dev.tenure.persistence.task.TaskStanding;
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
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A worker reports while the owner reads how its tasks stand. */
class ReportsBesideLooksTest {
  private static final ActivityDefinition<Integer, Integer> DOUBLE =
      ActivityDefinition.of("double", Integer.class, Integer.class).onQueue("numbers");

  private final UnscannedTasks.Switch scans = new UnscannedTasks.Switch();

  /** Has two numbers doubled at once. */
  @Workflow(name = "doubles-two")
  public static final class DoublesTwo {
    public int run(WorkflowContext ctx, int number) {
      Handle<Integer> one = ctx.activityAsync(DOUBLE, "one", number);
      Handle<Integer> two = ctx.activityAsync(DOUBLE, "two", number);
      return one.get() + two.get();
    }
  }

  private static List<TakenTask> take(TestNode node) {
    return TestNode.await(
        node.node
            .tasks()
            .take("numbers", new Tasks.Poll("a test", Set.of(), 2), Duration.ofSeconds(30))
            .tasks());
  }

  private static void report(TestNode node, TakenTask task, int value) {
    Report done = new Report.Ended(task.token(), new Outcome.Succeeded(TestNode.json(value)));
    assertThat(TestNode.await(node.node.tasks().hear(List.of(done))))
        .containsExactly(new Heard.Recorded());
  }

  /** The first read is over in the store, and its answer has not reached the owner yet. */
  @Test
  void whatIsReportedWhileTheOwnerReadsIsReadOnceMore() {
    CountDownLatch read = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    AtomicBoolean first = new AtomicBoolean();
    try (TestNode node =
        TestNode.start(
            new TestNode.Plan()
                .with(DoublesTwo.class, DoublesTwo::new)
                .storage(real -> UnscannedTasks.in(real, scans)))) {
      node.begin("both", "doubles-two", 4);
      List<TakenTask> tasks = take(node);
      assertThat(tasks).hasSize(2);
      scans.off();
      scans.around(
          standing ->
              ids -> {
                List<Optional<TaskStanding>> found = standing.apply(ids);
                if (first.compareAndSet(false, true)) {
                  assertThat(ids).extracting(TaskId::operation).hasSize(2);
                  read.countDown();
                  await(goesOn);
                }
                return found;
              });
      report(node, tasks.get(0), 8);
      Await.until("the owner reads", TestNode.SOON, () -> read.getCount() == 0);
      report(node, tasks.get(1), 8);
      // Answered behind the message that tells the owner of the second report.
      node.describe("both");
      goesOn.countDown();
      assertThat(node.result("both")).isEqualTo("16");
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      if (!latch.await(60, TimeUnit.SECONDS)) throw new AssertionError("nobody let it go on");
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
