package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.visibility.Attributes;
import dev.tenure.persistence.visibility.PageRequest;
import dev.tenure.persistence.visibility.WorkflowFilter;
import dev.tenure.sharding.message.Description;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.ChildCall;
import dev.tenure.workflow.ChildFailedException;
import dev.tenure.workflow.ChildHandle;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.ParentClosePolicy;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.UndeliverableException;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowFailure;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Limits;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Whatever one does with a workflow, one does it from any node; workflows do it to each other. */
class AcrossNodesTest {
  private static TwoNodes cluster;
  private static TestNode here;
  private static TestNode there;

  @BeforeAll
  static void start() {
    cluster = new TwoNodes(() -> new TestNode.Plan().with(Coded.class, Coded::new));
    here = cluster.one;
    there = cluster.two;
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  /** Runs on the other node, started from this one. */
  private static String begin(String name, Function<WorkflowContext, Object> code) {
    String id = cluster.idOn(there, name);
    Coded.put(id, code);
    here.begin(id, "coded", null);
    return id;
  }

  private static void signal(String id, Object value) {
    Coded.signal(here, id, "go", value);
  }

  private static void awaitStatus(String id, Status status) {
    Await.until(id + " is " + status, TestNode.SOON, () -> here.describe(id).status() == status);
  }

  @Test
  void aWorkflowOfAnotherNodeIsAskedToldAndAwaited() {
    String id =
        begin(
            "asked",
            ctx -> {
              StringBuilder words = new StringBuilder("words");
              ctx.onQuery("words", words::toString);
              ctx.onUpdate("add", String.class, word -> words.append(' ').append(word).toString());
              ctx.attribute("place", "elsewhere");
              return ctx.awaitSignal("go", String.class) + words;
            });
    awaitStatus(id, Status.WAITING);
    WorkflowId of = WorkflowId.of(id);
    Workflows from = here.workflows();
    assertThat(here.describe(id)).isEqualTo(there.describe(id));
    assertThat(here.describe(id).open()).hasSize(1);
    assertThat(TestNode.await(from.update(of, "u1", "add", TestNode.json("more"))))
        .isEqualTo(new Outcome.Succeeded(TestNode.json("words more")));
    assertThat(TestNode.await(from.update(of, "u1", "add", TestNode.json("more"))))
        .isEqualTo(new Outcome.Succeeded(TestNode.json("words more")));
    assertThat(TestNode.text(TestNode.await(from.query(of, "words", TestNode.json(null)))))
        .isEqualTo("\"words more\"");
    assertThatThrownBy(() -> TestNode.await(from.query(of, "none", TestNode.json(null))))
        .hasCauseInstanceOf(WorkflowError.NoSuchQuery.class);
    assertThat(TestNode.await(from.pause(of, "a look"))).isTrue();
    assertThat(TestNode.await(from.pause(of, "a look"))).isFalse();
    assertThat(here.describe(id).status()).isEqualTo(Status.PAUSED);
    assertThat(TestNode.await(from.resume(of))).isTrue();
    assertThat(
            TestNode.await(
                    from.list(
                        WorkflowFilter.ALL.with(
                            new Attributes(Map.of("place", Attribute.of("elsewhere")))),
                        PageRequest.first(10)))
                .rows())
        .hasSize(1);
    signal(id, "went ");
    assertThat(here.result(id)).isEqualTo("\"went words more\"");
    assertThatThrownBy(() -> TestNode.await(from.cancel(of, "late")))
        .hasCauseInstanceOf(WorkflowError.HasEnded.class);
    assertThatThrownBy(() -> here.describe(cluster.idOn(there, "nobody")))
        .hasCauseInstanceOf(WorkflowError.NotFound.class);
  }

  @Test
  void aWorkflowOfAnotherNodeIsCancelledAndTerminated() {
    String cancelled = begin("cancelled", ctx -> ctx.awaitSignal("go", String.class));
    String terminated = begin("terminated", ctx -> ctx.awaitSignal("go", String.class));
    TestNode.await(here.workflows().cancel(WorkflowId.of(cancelled), "no need"));
    TestNode.await(here.workflows().terminate(WorkflowId.of(terminated), "enough"));
    assertThat(here.end(cancelled).outcome()).isEqualTo(new Outcome.Cancelled("no need"));
    assertThat(here.end(terminated).outcome()).isEqualTo(new Outcome.Terminated("enough"));
  }

  @Test
  void valuesOfTheLargestSizeTravel() {
    String text = "x".repeat(Limits.PAYLOAD_BYTES_MAX - 64);
    String answer = "y".repeat(Limits.UPDATE_ANSWER_BYTES_MAX - 64);
    String id = cluster.idOn(there, "large");
    Coded.put(
        id,
        ctx -> {
          ctx.onQuery("same", () -> text);
          ctx.onUpdate("cut", String.class, (String word) -> answer);
          int length = ctx.awaitSignal("go", String.class).length();
          ctx.step("between", () -> length);
          return text;
        });
    here.begin(id, "coded", text);
    Outcome updated =
        TestNode.await(here.workflows().update(WorkflowId.of(id), "u", "cut", TestNode.json(text)));
    assertThat(updated).isEqualTo(new Outcome.Succeeded(TestNode.json(answer)));
    assertThat(
            TestNode.await(here.workflows().query(WorkflowId.of(id), "same", TestNode.json(null))))
        .isEqualTo(TestNode.json(text));
    signal(id, text);
    assertThat(here.result(id)).hasSize(text.length() + 2);
  }

  @Test
  void aChildOnAnotherNodeComesBackWithItsResultOrItsFailure() {
    String child = cluster.idOn(there, "child");
    Coded.put(child, ctx -> ctx.step("one", () -> 20) + 1);
    String failing = cluster.idOn(there, "failing");
    Coded.put(
        failing,
        ctx -> {
          throw WorkflowFailure.permanent("luck", "no luck");
        });
    String parent = cluster.idOn(here, "parent");
    Coded.put(
        parent,
        ctx -> {
          int sum = 2 * ctx.child("coded", child, null, Integer.class);
          try {
            return ctx.child("coded", failing, null, Integer.class);
          } catch (ChildFailedException e) {
            return sum + " " + e.getMessage();
          }
        });
    assertThat(there.run(parent, "coded", null)).contains("42 ").contains("no luck");
    String late = cluster.idOn(here, "late");
    Coded.put(
        late,
        ctx -> {
          ChildHandle<Integer> taken =
              ctx.childAsync(ChildCall.to("coded", Integer.class).id(child));
          try {
            taken.awaitStarted();
            return "another's child";
          } catch (ChildFailedException e) {
            return e.getMessage();
          }
        });
    assertThat(there.run(late, "coded", null)).contains("belongs to another workflow");
    assertThat(there.describe(child).parent()).contains(WorkflowId.of(parent));
  }

  @Test
  void workflowsSignalAndCancelEachOtherAcrossNodes() {
    String waiting = begin("waiting", ctx -> ctx.awaitSignal("go", String.class));
    String unwanted = begin("unwanted", ctx -> ctx.awaitSignal("go", String.class));
    String nobody = cluster.idOn(there, "nobody");
    String sender = cluster.idOn(here, "sender");
    Coded.put(
        sender,
        ctx -> {
          ctx.signalWorkflow(WorkflowId.of(waiting), "go", "on");
          ctx.cancelWorkflow(WorkflowId.of(unwanted), "away");
          try {
            ctx.cancelWorkflow(WorkflowId.of(nobody), "away");
            return "reached nobody";
          } catch (UndeliverableException e) {
            return "done";
          }
        });
    assertThat(here.run(sender, "coded", null)).isEqualTo("\"done\"");
    assertThat(here.result(waiting)).isEqualTo("\"on\"");
    assertThat(here.end(unwanted).outcome()).isEqualTo(new Outcome.Cancelled("away"));
  }

  @Test
  void whatBecomesOfChildrenElsewhereIsAsTheirParentSaid() {
    for (String how : new String[] {"ends", "is-terminated"}) {
      String parent = cluster.idOn(here, "policies-" + how);
      Map<ParentClosePolicy, String> own = new EnumMap<>(ParentClosePolicy.class);
      for (ParentClosePolicy policy : ParentClosePolicy.values())
        own.put(policy, cluster.idOn(there, "to-" + policy + "-" + how));
      own.values().forEach(id -> Coded.put(id, ctx -> ctx.awaitSignal("go", String.class)));
      Coded.put(
          parent,
          ctx -> {
            own.forEach(
                (policy, id) -> {
                  ChildHandle<String> started =
                      ctx.childAsync(
                          ChildCall.to("coded", String.class).id(id).onParentClose(policy));
                  started.awaitStarted();
                });
            if (how.equals("ends")) return "gone";
            return ctx.awaitSignal("go", String.class);
          });
      here.begin(parent, "coded", null);
      own.values().forEach(id -> awaitExists(id));
      if (!how.equals("ends"))
        TestNode.await(there.workflows().terminate(WorkflowId.of(parent), "over"));
      here.end(parent);
      assertThat(here.end(own.get(ParentClosePolicy.TERMINATE)).status())
          .isEqualTo(Status.TERMINATED);
      assertThat(here.end(own.get(ParentClosePolicy.CANCEL)).status()).isEqualTo(Status.CANCELLED);
      String abandoned = own.get(ParentClosePolicy.ABANDON);
      signal(abandoned, "alone");
      // It has nobody to report to, and is not held up by it.
      assertThat(here.result(abandoned)).isEqualTo("\"alone\"");
      awaitClosed(abandoned);
    }
  }

  private static void awaitExists(String id) {
    Await.until(
        id + " exists",
        TestNode.SOON,
        () ->
            here.workflows()
                .describe(WorkflowId.of(id))
                .handle((found, unknown) -> unknown == null)
                .toCompletableFuture()
                .join());
  }

  /** Nothing of it is open any more, not even a message. */
  private static void awaitClosed(String id) {
    Await.until(
        id + " is closed",
        TestNode.SOON.plus(Duration.ofSeconds(10)),
        () -> here.events(id).getLast() instanceof dev.tenure.workflow.kernel.Event.Closed);
  }

  @Test
  void hundredsOfLongFailuresAreDescribedElsewhere() {
    StepOptions later =
        StepOptions.retry(RetryPolicy.DEFAULT.backoff(Duration.ofHours(1), 1, Duration.ofHours(1)));
    String id =
        begin(
            "failures",
            ctx -> {
              List<Handle<Integer>> all = new ArrayList<>();
              for (int i = 0; i < 150; i++)
                all.add(
                    ctx.stepAsync(
                        "fails",
                        later,
                        () -> {
                          throw new IllegalStateException(
                              "\u20ac".repeat(5_000), new IllegalStateException("x".repeat(5_000)));
                        }));
              return ctx.all(all);
            });
    awaitStatus(id, Status.RETRYING);
    Description description = here.describe(id);
    assertThat(description.open()).hasSize(Description.OPEN_MAX);
    assertThat(description.operations()).isEqualTo(150);
    Failure failure = description.open().getFirst().lastFailure().orElseThrow();
    assertThat(failure.message())
        .hasSize(Description.FAILURE_CHARS_MAX)
        .endsWith("… (cut, it had 5000 characters)");
    assertThat(failure.cause()).isPresent();
    TestNode.await(here.workflows().terminate(WorkflowId.of(id), "enough"));
  }
}
