package dev.tenure.examples.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tenure.examples.node.Engine;
import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.persistence.visibility.WorkflowFilter;
import dev.tenure.sharding.client.SignalRefusedException;
import dev.tenure.sharding.client.WorkflowClient;
import dev.tenure.sharding.client.WorkflowFailedException;
import dev.tenure.sharding.client.WorkflowHandle;
import dev.tenure.sharding.workflow.StartRequest;
import dev.tenure.sharding.workflow.WorkflowError;
import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.StartPolicy;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowFailure;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What an application can do with workflows, and what it is told when it cannot. */
class ClientTest {
  private static final Duration AT_ONCE = Duration.ofMillis(100);

  private static Engine engine;
  private static WorkflowClient workflows;

  @BeforeAll
  static void start() {
    engine =
        Engine.start(
            node ->
                node.workflow(Greeting.class, Greeting::new)
                    .workflow(Chore.Count.class)
                    .workflow(Chore.Sweep.class)
                    .workflow(Chore.Carry.class));
    workflows = engine.workflows();
  }

  @AfterAll
  static void stop() {
    engine.close();
  }

  @Test
  void whateverRunTakesAndReturnsTheCompilerKnowsIt() {
    List<Integer> counted = workflows.start(Chore.Count::run, "count").result(Engine.SOON);
    assertThat(counted).containsExactly(1, 2, 3);
    WorkflowHandle<Void> swept = workflows.start(Chore.Sweep::run, "sweep");
    assertThat(swept.result(Engine.SOON)).isNull();
    WorkflowHandle<Void> carried =
        workflows.start(Chore.Carry::run, "carry", List.of("bricks", "straw"));
    assertThat(carried.result(Engine.SOON)).isNull();
    assertThat(carried.describe().attributes()).isEqualTo(Map.of("carries", Attribute.of("straw")));
  }

  @Test
  void aStartWithAKeyCanBeRepeatedAndOneWithoutCannot() {
    StartRequest request =
        workflows
            .request(Greeting.class, "hello-1", "Ada")
            .request("http-4711")
            .executionTimeout(Duration.ofHours(1))
            .attributes(Map.of("channel", Attribute.of("web")));
    WorkflowHandle<String> greeting = workflows.start(request, String.class);

    assertThat(workflows.start(request, String.class).describe().runId())
        .isEqualTo(greeting.describe().runId());
    assertThatExceptionOfType(WorkflowError.AlreadyStarted.class)
        .isThrownBy(() -> workflows.start(Greeting::run, "hello-1", "Grace"))
        .withMessageContaining("hello-1")
        .satisfies(taken -> assertThat(taken.status()).isEqualTo(Status.WAITING));
    greeting.signal("word", "Hello");
    assertThat(greeting.result(Engine.SOON)).isEqualTo("Hello Ada");
  }

  @Test
  void anIdThatIsTakenIsStartedAgainAsItsPolicySays() {
    WorkflowHandle<String> first = workflows.start(Greeting::run, "daily", "Ada");
    StartRequest next =
        workflows
            .request(Greeting.class, "daily", "Grace")
            .ifTaken(StartPolicy.TERMINATE_IF_RUNNING);
    WorkflowHandle<String> second = workflows.start(next, String.class);

    assertThatExceptionOfType(WorkflowFailedException.class)
        .isThrownBy(() -> first.result(Engine.SOON))
        .withMessageContaining("terminated");
    second.signal("word", "Hello");
    assertThat(second.result(Engine.SOON)).isEqualTo("Hello Grace");
  }

  @Test
  void whoWaitsNoLongerIsToldThatItStillRuns() {
    WorkflowHandle<String> greeting = workflows.start(Greeting::run, "patient", "Ada");
    assertThatExceptionOfType(WorkflowError.StillRunning.class)
        .isThrownBy(() -> greeting.result(AT_ONCE))
        .withMessageContaining("patient");
  }

  @Test
  void anInterruptEndsTheWaitingAndNotTheWorkflow() throws InterruptedException {
    WorkflowHandle<String> greeting = workflows.start(Greeting::run, "interrupted", "Ada");
    Throwable[] thrown = new Throwable[1];
    Thread waiting =
        Thread.startVirtualThread(
            () -> {
              Thread.currentThread().interrupt();
              thrown[0] = catchThrowableOfType(CancellationException.class, greeting::result);
            });
    waiting.join(Engine.SOON);
    assertThat(thrown[0]).hasMessageContaining("Interrupted");
    greeting.signal("word", "Hi");
    assertThat(greeting.result(Engine.SOON)).isEqualTo("Hi Ada");
  }

  @Test
  void whatTheCodeThrewIsTheCause() {
    WorkflowHandle<String> greeting = workflows.start(Greeting::run, "speechless", "Ada");
    greeting.signal("word", "");
    assertThatExceptionOfType(WorkflowFailedException.class)
        .isThrownBy(() -> greeting.result(Engine.SOON))
        .withMessageContaining("speechless")
        .havingCause()
        .isInstanceOf(WorkflowFailure.class)
        .withMessage("nothing to say");
  }

  @Test
  void aWorkflowCanBePausedResumedAndEnded() {
    WorkflowHandle<String> greeting = workflows.start(Greeting::run, "ended", "Ada");
    assertThat(greeting.pause("lunch")).isTrue();
    assertThat(greeting.describe().pauseReason()).contains("lunch");
    assertThat(greeting.resume()).isTrue();
    assertThat(greeting.terminate("enough")).isTrue();

    assertThatExceptionOfType(WorkflowFailedException.class)
        .isThrownBy(() -> greeting.result(Engine.SOON))
        .withMessageContaining("was terminated: enough")
        .satisfies(none -> assertThat(none.outcome()).isEqualTo(new Outcome.Terminated("enough")));
    assertThat(greeting.history(1, 100)).hasSizeGreaterThanOrEqualTo(4);
    assertThatExceptionOfType(WorkflowError.HasEnded.class)
        .isThrownBy(() -> greeting.pause("again"));
    assertThatExceptionOfType(SignalRefusedException.class)
        .isThrownBy(() -> greeting.signal("word", "Hello"))
        .withMessageContaining("has ended")
        .satisfies(refused -> assertThat(refused.result()).isInstanceOf(SignalResult.Closed.class));
  }

  @Test
  void nobodyAnswersForAWorkflowThatDoesNotExist() {
    WorkflowHandle<String> nobody = workflows.handle("nobody", String.class);
    assertThatExceptionOfType(WorkflowError.NotFound.class).isThrownBy(nobody::describe);
    assertThatExceptionOfType(WorkflowError.NotFound.class).isThrownBy(nobody::result);
    assertThatExceptionOfType(SignalRefusedException.class)
        .isThrownBy(() -> nobody.signal("word", "Hello"))
        .withMessageContaining("there is no such workflow");
  }

  @Test
  void aListIsReadPageByPage() {
    int many = 250; // more than one page
    for (int i = 0; i < many; i++) workflows.start(Chore.Count::run, "count-" + i);
    assertThat(workflows.list(WorkflowFilter.ALL.withType("count")).map(row -> row.id().value()))
        .contains("count-0", "count-249")
        .doesNotHaveDuplicates()
        .hasSizeGreaterThanOrEqualTo(many);
  }

  @Test
  void aLambdaIsNoReferenceToAWorkflow() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> workflows.start((Greeting w, WorkflowContext c, String s) -> "no", "id", "in"))
        .withMessageContaining("YourWorkflow::run");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> workflows.start(Unmarked::run, "id", "in"))
        .withMessageContaining("@Workflow");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> workflows.request(Unmarked.class, "id", "in"))
        .withMessageContaining("@Workflow");
  }

  /** It lacks its annotation. */
  public static final class Unmarked {
    public String run(WorkflowContext ctx, String name) {
      return name;
    }
  }
}
