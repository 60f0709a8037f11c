package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.storage.ForwardingStorage;
import dev.tenure.persistence.task.TakenTask;
import dev.tenure.persistence.task.TaskId;
import dev.tenure.persistence.task.Tasks;
import dev.tenure.persistence.task.Tasks.Heard;
import dev.tenure.persistence.task.Tasks.Report;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.operation.Outcome;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
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
          () -> done.addAndGet(workOff(node.storage.tasks(), new ArrayList<>())) == COUNT);
      assertThat(node.result("many")).isEqualTo(Integer.toString(COUNT));
    }
  }

  @Test
  void tasksOfWhichTheStorageSaysNonsenseHoldUpNoOther() {
    AtomicBoolean broken = new AtomicBoolean(true);
    AtomicReference<Tasks> readable = new AtomicReference<>();
    TestNode.Plan plan = new TestNode.Plan();
    plan.with(Whole.class, Whole::new)
        .storage(
            inner ->
                new ForwardingStorage(inner) {
                  @Override
                  public Tasks tasks() {
                    readable.set(inner.tasks());
                    return nonsense(inner.tasks(), broken);
                  }
                });
    try (TestNode node = TestNode.start(plan)) {
      node.begin("few", "whole", 10);
      AtomicInteger done = new AtomicInteger();
      List<TaskId> ids = new ArrayList<>();
      Await.until(
          "a worker has carried out all of them",
          TestNode.SOON,
          () -> done.addAndGet(workOff(node.storage.tasks(), ids)) == 10);
      Await.until(
          "the owner has taken one of them",
          TestNode.SOON,
          () -> readable.get().standing(ids).contains(Optional.empty()));
      broken.set(false);
      assertThat(node.result("few")).isEqualTo("10");
    }
  }

  /** Of tasks that are asked for together, a standing only of the last. */
  private static Tasks nonsense(Tasks inner, AtomicBoolean broken) {
    return (Tasks)
        Proxy.newProxyInstance(
            Tasks.class.getClassLoader(),
            new Class<?>[] {Tasks.class},
            (proxy, method, arguments) -> {
              Object answer = method.invoke(inner, arguments);
              if (!method.getName().equals("standing") || !broken.get()) return answer;
              List<Object> all = new ArrayList<>((List<?>) answer);
              int readable = all.size() > 1 ? all.size() - 1 : all.size();
              for (int i = 0; i < all.size(); i++) if (i != readable) all.set(i, null);
              return all;
            });
  }

  /** Past the desk, as when its node dies before it tells the owner. */
  private static int workOff(Tasks tasks, List<TaskId> ids) {
    AtomicInteger secret = new AtomicInteger();
    List<TakenTask> taken =
        tasks
            .take(
                "parts",
                List.of(new Tasks.Poll("a test", Set.of(), Tasks.TAKE_MAX)),
                () -> "secret-" + secret.incrementAndGet())
            .getFirst();
    taken.forEach(task -> ids.add(task.offer().id()));
    List<Report> reports = new ArrayList<>();
    for (TakenTask task : taken)
      reports.add(new Report.Ended(task.token(), new Outcome.Succeeded(TestNode.json(1))));
    assertThat(tasks.hear(reports)).allMatch(new Heard.Recorded()::equals);
    return taken.size();
  }
}
