package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.task.TakenTask;
import dev.tenure.persistence.task.TaskStanding;
import dev.tenure.persistence.task.Tasks;
import dev.tenure.persistence.task.Tasks.Heard;
import dev.tenure.persistence.task.Tasks.Report;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.workflow.ActivityCode;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Failure.OutsideEffect;
import dev.tenure.workflow.OperationTimedOutException;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.Verifier.Verdict;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A worker that is taken for lost reports while the owner looks for a proof. */
class LateReportsTest {
  private static final ActivityDefinition<Integer, Integer> CHARGE =
      ActivityDefinition.of("charge", Integer.class, Integer.class)
          .onQueue("money")
          .withVisibilityTimeout(Duration.ofSeconds(1))
          .withRetry(RetryPolicy.NONE)
          .keyed();
  private static final ActivityDefinition<Integer, Integer> BRIEF =
      ActivityDefinition.of("brief-charge", Integer.class, Integer.class)
          .onQueue("money")
          .withTimeout(Duration.ofSeconds(1))
          .withRetry(RetryPolicy.NONE)
          .keyed();

  /** A verifier that was asked, and what it is to say. */
  private final SynchronousQueue<String> asked = new SynchronousQueue<>();

  private final SynchronousQueue<Verdict<Integer>> verdicts = new SynchronousQueue<>();
  private TestNode node;

  /** Has money taken by a worker. */
  @Workflow(name = "charges")
  public static final class Charges {
    public String run(WorkflowContext ctx, boolean brief) {
      try {
        return "charged " + ctx.activity(brief ? BRIEF : CHARGE, 7);
      } catch (OperationTimedOutException late) {
        return "timed out";
      }
    }
  }

  @BeforeEach
  void start() {
    TestNode.Plan plan = new TestNode.Plan().with(Charges.class, Charges::new);
    for (ActivityDefinition<Integer, Integer> each : List.of(CHARGE, BRIEF))
      plan.activity(ActivityRegistration.of(verified(each), 10, 10));
    node = TestNode.start(plan);
  }

  private ActivityCode<Integer, Integer> verified(ActivityDefinition<Integer, Integer> definition) {
    return ActivityCode.of(
            definition,
            (call, amount) -> {
              throw new AssertionError("workers do this");
            })
        .verifiedBy(
            (call, amount) -> {
              asked.put(call.workflowId().value());
              return verdicts.take();
            });
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private TakenTask take() {
    return TestNode.await(
            node.node
                .tasks()
                .take("money", new Tasks.Poll("a test", Set.of(), 1), Duration.ofSeconds(30))
                .tasks())
        .getFirst();
  }

  /** When the owner has begun to look for a proof, and waits for the verifier. */
  private void awaitQuestion(String about) throws InterruptedException {
    assertThat(asked.poll(60, TimeUnit.SECONDS)).isEqualTo(about);
  }

  private void answer(Verdict<Integer> verdict) throws InterruptedException {
    assertThat(verdicts.offer(verdict, 60, TimeUnit.SECONDS)).isTrue();
  }

  private Heard reportPaid(TakenTask task) {
    Outcome paid = new Outcome.Succeeded(TestNode.json(7));
    return TestNode.await(node.node.tasks().hear(List.of(new Report.Ended(task.token(), paid))))
        .getFirst();
  }

  private Optional<TaskStanding> standing(TakenTask task) {
    return node.storage.tasks().standing(List.of(task.offer().id())).getFirst();
  }

  private TaskStanding.Lost lost(TakenTask task) {
    return (TaskStanding.Lost) standing(task).orElseThrow();
  }

  @Test
  void aSuccessThatWasAcceptedIsNotShownAsUnclear() throws Exception {
    node.begin("unclear", "charges", false);
    TakenTask task = take();
    awaitQuestion("unclear");
    assertThat(reportPaid(task)).isEqualTo(new Heard.Recorded());
    answer(Verdict.indeterminate("the books are shut"));
    assertThat(node.result("unclear")).isEqualTo("\"charged 7\"");
  }

  @Test
  void aSuccessThatWasAcceptedIsNotShownAsATimeout() throws Exception {
    node.begin("too-long", "charges", true);
    TakenTask task = take();
    awaitQuestion("too-long");
    assertThat(lost(task).timedOut()).isTrue();
    assertThat(reportPaid(task)).isEqualTo(new Heard.Recorded());
    answer(Verdict.notCompleted("the bank has no such payment"));
    assertThat(node.result("too-long")).isEqualTo("\"charged 7\"");
  }

  @Test
  void withoutALateReportItIsATimeout() throws Exception {
    node.begin("silent", "charges", true);
    TakenTask task = take();
    awaitQuestion("silent");
    answer(Verdict.notCompleted("the bank has no such payment"));
    assertThat(node.result("silent")).isEqualTo("\"timed out\"");
    assertThat(reportPaid(task)).isInstanceOf(Heard.Rejected.class);
  }

  /** It was gone after it had stored its conclusion, and before its commit. */
  @Test
  void theConclusionOfAnOwnerThatIsGoneIsProvenAgain() throws Exception {
    node.begin("inherited", "charges", false);
    TakenTask task = take();
    awaitQuestion("inherited");
    Outcome left =
        new Outcome.Failed(
            Failure.retryable(Failure.INDETERMINATE, "by the owner before")
                .with(OutsideEffect.UNPROVEN));
    node.storage.tasks().endLost(task.offer().id(), lost(task), left);
    assertThat(reportPaid(task)).isEqualTo(new Heard.Rejected(Heard.Why.ENDED));
    answer(Verdict.indeterminate("the books are shut"));
    awaitQuestion("inherited");
    answer(Verdict.completed(77, "the bank has it"));
    assertThat(node.result("inherited")).isEqualTo("\"charged 77\"");
  }
}
