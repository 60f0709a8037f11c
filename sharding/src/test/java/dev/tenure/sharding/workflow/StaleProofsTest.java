package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.task.TakenTask;
import dev.tenure.persistence.task.TaskStanding;
import dev.tenure.persistence.task.Tasks;
import dev.tenure.persistence.task.Tasks.Heard;
import dev.tenure.persistence.task.Tasks.Report;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.ActivityCode;
import dev.tenure.workflow.ActivityDefinition;
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

/** A worker is heard of while the verifier thinks: what the verifier says is too old then. */
class StaleProofsTest {
  private static final ActivityDefinition<Integer, Integer> CHARGE =
      ActivityDefinition.of("charge", Integer.class, Integer.class)
          .onQueue("money")
          .withVisibilityTimeout(Duration.ofSeconds(1))
          .withRetry(RetryPolicy.NONE)
          .keyed();

  /** A verifier that was asked, and what it is to say. */
  private final SynchronousQueue<String> asked = new SynchronousQueue<>();

  private final SynchronousQueue<Verdict<Integer>> verdicts = new SynchronousQueue<>();
  private final UnscannedTasks.Switch scans = new UnscannedTasks.Switch();
  private TestNode node;

  /** Has money taken by a worker. */
  @Workflow(name = "charges")
  public static final class Charges {
    public String run(WorkflowContext ctx, int amount) {
      return "charged " + ctx.activity(CHARGE, amount);
    }
  }

  @BeforeEach
  void start() {
    node =
        TestNode.start(
            new TestNode.Plan()
                .with(Charges.class, Charges::new)
                .storage(real -> UnscannedTasks.in(real, scans))
                .activity(
                    ActivityRegistration.of(
                        ActivityCode.of(
                                CHARGE,
                                (call, amount) -> {
                                  throw new AssertionError("workers do this");
                                })
                            .verifiedBy(
                                (call, amount) -> {
                                  asked.put(call.workflowId().value());
                                  return verdicts.take();
                                }),
                        10,
                        10)));
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private List<TakenTask> taken(Duration wait) {
    return TestNode.await(
        node.node.tasks().take("money", new Tasks.Poll("a test", Set.of(), 1), wait).tasks());
  }

  private TakenTask take() {
    return taken(Duration.ofSeconds(30)).getFirst();
  }

  private Heard report(Report report) {
    return TestNode.await(node.node.tasks().hear(List.of(report))).getFirst();
  }

  private boolean isLost(TakenTask task) {
    return node.storage.tasks().standing(List.of(task.offer().id())).getFirst().orElseThrow()
        instanceof TaskStanding.Lost;
  }

  private void awaitQuestion(String about) throws InterruptedException {
    assertThat(asked.poll(30, TimeUnit.SECONDS)).isEqualTo(about);
  }

  private void answer(Verdict<Integer> verdict) throws InterruptedException {
    assertThat(verdicts.offer(verdict, 30, TimeUnit.SECONDS)).isTrue();
  }

  /** It paid after the verifier had looked into the books, and while it was believed alive. */
  @Test
  void aProofOfOneLossIsNoneOfTheNext() throws Exception {
    node.begin("twice-lost", "charges", 7);
    TakenTask task = take();
    awaitQuestion("twice-lost");
    assertThat(report(new Report.Alive(task.token(), Optional.empty(), Optional.empty())))
        .isInstanceOf(Heard.Until.class);
    Await.until("it is lost once more", TestNode.SOON, () -> isLost(task));
    answer(Verdict.notCompleted("the books of a moment ago have nothing"));

    awaitQuestion("twice-lost");
    assertThat(taken(Duration.ZERO)).as("nobody is to pay before it is proven").isEmpty();
    answer(Verdict.completed(77, "the bank has it by now"));
    assertThat(node.result("twice-lost")).isEqualTo("\"charged 77\"");
  }

  /** Also when nothing but the end of the proof makes the owner look once more. */
  @Test
  void aSuccessThatCameBesideAProofIsTakenUpBehindIt() throws Exception {
    node.begin("beside", "charges", 8);
    TakenTask task = take();
    awaitQuestion("beside");
    scans.off();
    assertThat(report(new Report.Ended(task.token(), new Outcome.Succeeded(TestNode.json(8)))))
        .isEqualTo(new Heard.Recorded());
    // Answered behind the message that tells the owner of the report.
    node.describe("beside");
    Await.until(
        "the owner has looked, and left the outcome to the proof",
        TestNode.SOON,
        () -> scans.looksSince() > 0);
    answer(Verdict.notCompleted("the books of a moment ago have nothing"));
    assertThat(node.result("beside")).isEqualTo("\"charged 8\"");
  }
}
