package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.task.TakenTask;
import dev.tenure.persistence.task.Tasks;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.workflow.ActivityCode;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.ActivityFailedException;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.OperationTimedOutException;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.Verifier.Verdict;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the workflow learns when the time of a queued activity is over. */
class QueuedTimeoutsTest {
  private static final Duration WAIT = Duration.ofSeconds(30);
  private static final RetryPolicy TWICE =
      RetryPolicy.DEFAULT.attempts(2).backoff(Duration.ofMillis(10), 1, Duration.ofMillis(10));
  private static final ActivityDefinition<Integer, Integer> LONELY =
      ActivityDefinition.of("lonely-charge", Integer.class, Integer.class)
          .onQueue("nobody-takes-these")
          .withTotalTimeout(Duration.ofSeconds(1))
          .keyed();
  private static final ActivityDefinition<Integer, Integer> SLOW =
      ActivityDefinition.of("slow", Integer.class, Integer.class)
          .onQueue("slow")
          .withTimeout(Duration.ofSeconds(1))
          .withRetry(TWICE);
  private static final ActivityDefinition<Integer, Integer> SLOW_CHARGE =
      ActivityDefinition.of("slow-charge", Integer.class, Integer.class)
          .onQueue("slow-money")
          .withTimeout(Duration.ofSeconds(1))
          .withRetry(TWICE)
          .keyed();

  private static TestNode node;

  /** Asks for one of the activities, and says how it came out. */
  @Workflow(name = "timeouts")
  public static final class Timeouts {
    public String run(WorkflowContext ctx, String which) {
      ActivityDefinition<Integer, Integer> activity =
          switch (which) {
            case "lonely" -> LONELY;
            case "slow" -> SLOW;
            default -> SLOW_CHARGE;
          };
      try {
        return "did " + ctx.activity(activity, 1);
      } catch (ActivityFailedException failed) {
        return failed.failure().type();
      } catch (OperationTimedOutException timedOut) {
        return "timed out";
      }
    }
  }

  @BeforeAll
  static void start() {
    TestNode.Plan plan = new TestNode.Plan();
    plan.with(Timeouts.class, Timeouts::new);
    plan.activity(
        ActivityRegistration.of(
            ActivityCode.of(
                    SLOW_CHARGE,
                    (call, amount) -> {
                      throw new AssertionError("workers do this");
                    })
                .verifiedBy((call, amount) -> Verdict.notCompleted("the bank has nothing")),
            10,
            10));
    node = TestNode.start(plan);
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static TakenTask take(String queue) {
    List<TakenTask> taken =
        TestNode.await(
            node.node.tasks().take(queue, new Tasks.Poll("a test", Set.of(), 1), WAIT).tasks());
    assertThat(taken).hasSize(1);
    return taken.getFirst();
  }

  @Test
  void aKeyedCallThatNoWorkerEverTookIsATimeoutAndNoIncident() {
    assertThat(node.run("lonely", "timeouts", "lonely")).contains(Failure.TIMEOUT);
  }

  @Test
  void aWorkerThatTakesTooLongUsesUpAnAttempt() {
    node.begin("slow", "timeouts", "slow");
    assertThat(take("slow").offer().attempt()).isEqualTo(1);
    assertThat(take("slow").offer().attempt()).isEqualTo(2);
    assertThat(node.result("slow")).isEqualTo("\"timed out\"");
  }

  @Test
  void aKeyedCallOfWhichNothingWasDoneInTimeUsesUpAnAttempt() {
    node.begin("slow-charge", "timeouts", "slow-charge");
    assertThat(take("slow-money").offer().attempt()).isEqualTo(1);
    assertThat(take("slow-money").offer().attempt()).isEqualTo(2);
    assertThat(node.result("slow-charge")).isEqualTo("\"timed out\"");
  }
}
