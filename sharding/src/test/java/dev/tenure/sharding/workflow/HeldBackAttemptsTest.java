package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.task.TakenTask;
import dev.tenure.persistence.task.Tasks;
import dev.tenure.persistence.task.Tasks.Heard;
import dev.tenure.persistence.task.Tasks.Report;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.ActivityFailedException;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Failure.OutsideEffect;
import dev.tenure.workflow.OperationTimedOutException;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A later attempt at a keyed call waits until its record was read. No worker had it so far, so
 * nobody lost it, and what its worker says of the effect is the whole truth about the attempt.
 */
class HeldBackAttemptsTest {
  private static final Failure REFUSED =
      Failure.retryable("Refused", "no such account").with(OutsideEffect.NONE);
  private static final RetryPolicy TWICE =
      RetryPolicy.DEFAULT.attempts(2).backoff(Duration.ofMillis(10), 1, Duration.ofMillis(10));
  private static final ActivityDefinition<Integer, Integer> CHARGE =
      ActivityDefinition.of("charge", Integer.class, Integer.class)
          .onQueue("money")
          .withRetry(TWICE)
          .keyed();
  private static final ActivityDefinition<Integer, Integer> BRIEF =
      ActivityDefinition.of("brief-charge", Integer.class, Integer.class)
          .onQueue("brief-money")
          .withTotalTimeout(Duration.ofSeconds(5))
          .withRetry(TWICE)
          .keyed();

  private static TestNode node;

  /** Has money taken by a worker, and says how that came out. */
  @Workflow(name = "charges")
  public static final class Charges {
    public String run(WorkflowContext ctx, boolean brief) {
      try {
        return "charged " + ctx.activity(brief ? BRIEF : CHARGE, 7);
      } catch (ActivityFailedException failed) {
        return failed.failure().type();
      } catch (OperationTimedOutException late) {
        return "timed out";
      }
    }
  }

  @BeforeAll
  static void start() {
    node = TestNode.start(new TestNode.Plan().with(Charges.class, Charges::new));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static TakenTask take(String queue) {
    List<TakenTask> taken =
        TestNode.await(
            node.node
                .tasks()
                .take(queue, new Tasks.Poll("a test", Set.of(), 1), Duration.ofSeconds(30))
                .tasks());
    assertThat(taken).hasSize(1);
    return taken.getFirst();
  }

  private static void refuse(TakenTask task) {
    Report report = new Report.Ended(task.token(), new Outcome.Failed(REFUSED));
    assertThat(TestNode.await(node.node.tasks().hear(List.of(report))))
        .containsExactly(new Heard.Recorded());
  }

  @Test
  void twoFailuresWithoutAnEffectAreAFailureAndNoIncident() {
    node.begin("refused", "charges", false);
    refuse(take("money"));
    TakenTask second = take("money");
    assertThat(second.offer().attempt()).isEqualTo(2);
    assertThat(second.token().delivery()).as("it was handed out once").isEqualTo(1);
    refuse(second);
    assertThat(node.result("refused")).isEqualTo("\"Refused\"");
  }

  @Test
  void aSecondAttemptThatNoWorkerTakesIsATimeoutAndNoIncident() {
    node.begin("untaken", "charges", true);
    refuse(take("brief-money"));
    assertThat(node.result("untaken")).isIn("\"" + Failure.TIMEOUT + "\"", "\"timed out\"");
  }
}
