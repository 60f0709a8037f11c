package dev.tenure.sharding.unreadable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.persistence.task.TakenTask;
import dev.tenure.persistence.task.TaskStanding;
import dev.tenure.persistence.task.Tasks;
import dev.tenure.persistence.task.Tasks.Heard;
import dev.tenure.persistence.task.Tasks.Report;
import dev.tenure.sharding.process.Await;
import dev.tenure.sharding.workflow.Coded;
import dev.tenure.sharding.workflow.TestNode;
import dev.tenure.sharding.workflow.WorkflowError;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A workflow that is terminated although its history cannot be read leaves no task behind. */
class TasksOfUnreadableTest {
  private static final ActivityDefinition<Integer, Integer> CHARGE =
      ActivityDefinition.of("charge", Integer.class, Integer.class)
          .onQueue("money")
          .withVisibilityTimeout(Duration.ofSeconds(1))
          .withResourceScope(amount -> "the till", 1)
          .keyed();

  private TestDatabase database;

  @BeforeEach
  void open() {
    database = TestDatabase.migrated();
  }

  @AfterEach
  void close() {
    database.close();
  }

  private TestNode node() {
    return TestNode.start(database, new TestNode.Plan().with(Coded.class, Coded::new));
  }

  private static TakenTask take(TestNode node) {
    List<TakenTask> taken =
        TestNode.await(
            node.node
                .tasks()
                .take("money", new Tasks.Poll("a test", Set.of(), 1), Duration.ofSeconds(30))
                .tasks());
    assertThat(taken).hasSize(1);
    return taken.getFirst();
  }

  private static Heard report(TestNode node, TakenTask task) {
    Outcome paid = new Outcome.Succeeded(TestNode.json(7));
    return TestNode.await(node.node.tasks().hear(List.of(new Report.Ended(task.token(), paid))))
        .getFirst();
  }

  @Test
  void itsLostTaskDoesNotKeepThePlaceOfItsResource() {
    TakenTask orphan;
    try (TestNode node = node()) {
      Coded.begin(node, "damaged", ctx -> ctx.activity(CHARGE, 7));
      orphan = take(node);
    }
    DamagedHistories.damage(database, "damaged");
    try (TestNode node = node()) {
      Await.until(
          "it is found that its history cannot be read",
          TestNode.SOON,
          () -> {
            assertThatThrownBy(() -> node.describe("damaged"))
                .hasCauseInstanceOf(WorkflowError.NotNow.class);
            return TestNode.await(node.workflows().incident(WorkflowId.of("damaged"))).isPresent();
          });
      Await.until(
          "its worker counts as lost",
          TestNode.SOON,
          () ->
              node.storage.tasks().standing(List.of(orphan.offer().id())).getFirst().orElseThrow()
                  instanceof TaskStanding.Lost);
      Coded.begin(node, "next", ctx -> ctx.activity(CHARGE, 8));

      assertThat(TestNode.await(node.workflows().terminate(WorkflowId.of("damaged"), "lost")))
          .isTrue();
      assertThat(node.end("damaged").status()).isEqualTo(Status.TERMINATED);
      assertThat(node.storage.tasks().standing(List.of(orphan.offer().id())).getFirst()).isEmpty();
      assertThat(report(node, orphan)).isEqualTo(new Heard.Rejected(Heard.Why.GONE));
      TakenTask next = take(node);
      assertThat(next.offer().id().workflow()).isEqualTo(WorkflowId.of("next"));
      assertThat(report(node, next)).isEqualTo(new Heard.Recorded());
      assertThat(node.result("next")).isEqualTo("7");
    }
  }
}
