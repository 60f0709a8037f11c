package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.task.TakenTask;
import dev.tenure.persistence.task.Tasks;
import dev.tenure.persistence.task.Tasks.Report;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.operation.Outcome;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The outcome of one task cannot be read: it holds up nothing but what waits for it. */
class DamagedOutcomesTest {
  private static final ActivityDefinition<Integer, Integer> DOUBLE =
      ActivityDefinition.of("double", Integer.class, Integer.class)
          .onQueue("numbers")
          .withVisibilityTimeout(Duration.ofSeconds(1));

  private final UnscannedTasks.Switch scans = new UnscannedTasks.Switch();
  private TestNode node;

  /** Has two numbers doubled at once. */
  @Workflow(name = "doubles-two")
  public static final class DoublesTwo {
    public int run(WorkflowContext ctx, int number) {
      Handle<Integer> one = ctx.activityAsync(DOUBLE, "one", number);
      Handle<Integer> two = ctx.activityAsync(DOUBLE, "two", number);
      return one.get() + two.get();
    }
  }

  @BeforeEach
  void start() {
    node =
        TestNode.start(
            new TestNode.Plan()
                .with(DoublesTwo.class, DoublesTwo::new)
                .storage(real -> UnscannedTasks.in(real, scans)));
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private List<TakenTask> take() {
    return TestNode.await(
        node.node
            .tasks()
            .take("numbers", new Tasks.Poll("a test", Set.of(), 2), Duration.ofSeconds(30))
            .tasks());
  }

  private static Report done(TakenTask task) {
    return new Report.Ended(task.token(), new Outcome.Succeeded(TestNode.json(8)));
  }

  /** The result of the task is stored and not readable; no owner has heard of it. */
  private void damaged(TakenTask task) throws SQLException {
    scans.off();
    node.storage.tasks().hear(List.of(done(task)));
    try (Connection c = node.database.application();
        PreparedStatement damage =
            c.prepareStatement(
                "UPDATE task SET outcome = '\\x7f', due_at = now() - interval '1 second'"
                    + " WHERE workflow_id = ? AND operation_id = ?")) {
      damage.setString(1, task.offer().id().workflow().value());
      damage.setString(2, task.offer().id().operation());
      assertThat(damage.executeUpdate()).isEqualTo(1);
    }
    scans.on();
  }

  @Test
  void itHoldsUpNoLostWorker() throws SQLException {
    node.begin("damaged", "doubles-two", 4);
    List<TakenTask> tasks = take();
    damaged(tasks.getFirst());
    // The other worker says nothing more.
    List<TakenTask> again = take();
    assertThat(again).hasSize(1);
    assertThat(again.getFirst().offer().id()).isEqualTo(tasks.getLast().offer().id());
    assertThat(again.getFirst().token().delivery()).isEqualTo(2);
  }

  @Test
  void itHoldsUpNoOtherTaskOfItsWorkflow() throws SQLException {
    node.begin("damaged", "doubles-two", 4);
    List<TakenTask> tasks = take();
    damaged(tasks.getFirst());
    TestNode.await(node.node.tasks().hear(List.of(done(tasks.getLast()))));
    Await.until(
        "the other result is on record",
        TestNode.SOON,
        () -> node.events("damaged").stream().anyMatch(Event.Completed.class::isInstance));
    assertThat(TestNode.await(node.workflows().terminate(WorkflowId.of("damaged"), "enough")))
        .isTrue();
  }
}
