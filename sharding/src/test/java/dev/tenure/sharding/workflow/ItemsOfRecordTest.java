package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.ChildCall;
import dev.tenure.workflow.ChildHandle;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What was recorded for one item never answers for another one. */
class ItemsOfRecordTest {
  private static final ActivityDefinition<String, String> ECHO =
      ActivityDefinition.of("echo", String.class, String.class);
  private static final ActivityDefinition<Object, String> ANY =
      ActivityDefinition.of("any", Object.class, String.class);

  private static TestNode node;

  @Workflow(name = "echo-child")
  public static class EchoChild {
    public String run(WorkflowContext ctx, String input) {
      return input;
    }
  }

  @BeforeAll
  static void start() {
    node =
        TestNode.start(
            new TestNode.Plan()
                .with(Coded.class, Coded::new)
                .with(EchoChild.class, EchoChild::new)
                .with(ActivityRegistration.of(ECHO, (call, text) -> text + "!"))
                .with(ActivityRegistration.of(ANY, (call, any) -> "done"))
                .settings(given -> given.withRest(Duration.ofMillis(50), 0)));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  /** The old code runs and waits; the new code is deployed; the run is told to go on. */
  private static void deploy(
      String id,
      Function<WorkflowContext, Object> before,
      Function<WorkflowContext, Object> after) {
    Coded.begin(node, id, thenWaits(before));
    Await.until(id + " waits", TestNode.SOON, () -> node.describe(id).status() == Status.WAITING);
    Await.until("nothing is in memory", TestNode.SOON, () -> node.node.resident() == 0);
    Coded.put(id, thenWaits(after));
    Coded.signal(node, id, "go", "now");
  }

  private static Function<WorkflowContext, Object> thenWaits(
      Function<WorkflowContext, Object> code) {
    return ctx -> {
      Object result = code.apply(ctx);
      ctx.awaitSignal("go", String.class);
      return result;
    };
  }

  private static Incident.Drift drift(String id) {
    Await.until(
        id + " is an incident", TestNode.SOON, () -> node.describe(id).status() == Status.INCIDENT);
    return (Incident.Drift) node.describe(id).incident().orElseThrow();
  }

  private static List<String> echoes(WorkflowContext ctx, List<String> items) {
    List<String> results = new ArrayList<>();
    for (String item : items) results.add(ctx.activity(ECHO, item));
    return results;
  }

  @Test
  void swappedActivitiesAreADriftThatNamesBothInputs() {
    deploy("swapped", ctx -> echoes(ctx, List.of("a", "b")), ctx -> echoes(ctx, List.of("b", "a")));
    Incident.Drift drift = drift("swapped");
    assertThat(drift.operation().value()).isEqualTo("echo#1");
    assertThat(drift.difference().orElseThrow().what()).isEqualTo("input");
    assertThat(drift.message())
        .contains("echo#1 is recorded as ACTIVITY with input sha256:")
        .contains("the code asks for it with sha256:");

    // Code that asks as before goes on where it was.
    Coded.put("swapped", thenWaits(ctx -> echoes(ctx, List.of("a", "b"))));
    TestNode.await(node.workflows().resolveIncident(WorkflowId.of("swapped"), "as it was"));
    assertThat(node.result("swapped")).isEqualTo("[\"a!\",\"b!\"]");
  }

  private static List<String> keyed(WorkflowContext ctx, List<String> items) {
    List<Handle<String>> activities = new ArrayList<>();
    for (String item : items) activities.add(ctx.activityAsync(ECHO, item, item));
    List<ChildHandle<String>> children = new ArrayList<>();
    for (String item : items)
      children.add(
          ctx.childAsync(ChildCall.to(EchoChild.class, String.class).key(item).input(item)));
    List<String> results = new ArrayList<>(ctx.all(activities));
    results.addAll(ctx.all(children));
    for (String item : items)
      results.add(
          ctx.step(
              "step",
              StepOptions.retry(dev.tenure.workflow.RetryPolicy.NONE).withKey(item),
              () -> item));
    for (String item : items) results.add(ctx.activity(ECHO, item + "2", item));
    return results;
  }

  @Test
  void itemsWithKeysMayComeInAnyOrder() {
    deploy("keyed", ctx -> keyed(ctx, List.of("a", "b")), ctx -> keyed(ctx, List.of("b", "a")));
    assertThat(node.result("keyed"))
        .isEqualTo("[\"b!\",\"a!\",\"b\",\"a\",\"b\",\"a\",\"b!\",\"a!\"]");
  }

  private static Object children(WorkflowContext ctx, List<String> items) {
    List<ChildHandle<String>> all = new ArrayList<>();
    String parent = ctx.info().id().value();
    for (String item : items)
      all.add(
          ctx.childAsync(
              ChildCall.to(EchoChild.class, String.class).id(parent + "-" + item).input(item)));
    return ctx.all(all);
  }

  @Test
  void childrenInAnotherOrderAreADriftThatNamesTheirIds() {
    deploy(
        "children",
        ctx -> children(ctx, List.of("a", "b")),
        ctx -> children(ctx, List.of("b", "a")));
    assertThat(drift("children").message())
        .contains("child:echo-child#1 is recorded as CHILD with child id \"children-a\"")
        .contains("asks for it with \"children-b\"");
  }

  @Test
  void anotherInputOfAChildIsADrift() {
    deploy(
        "child-input",
        ctx -> ctx.child(ChildCall.to(EchoChild.class, String.class).input("a")),
        ctx -> ctx.child(ChildCall.to(EchoChild.class, String.class).input("b")));
    assertThat(drift("child-input").difference().orElseThrow().what()).isEqualTo("input");
  }

  @Test
  void anotherVersionOfAChildIsADrift() {
    deploy(
        "child-version",
        ctx -> ctx.child(ChildCall.to(EchoChild.class, String.class).version(1).input("a")),
        ctx -> ctx.child(ChildCall.to(EchoChild.class, String.class).version(2).input("a")));
    assertThat(drift("child-version").difference().orElseThrow().what()).isEqualTo("child version");
  }

  @Test
  void aMessageToAnotherOrWithAnotherPayloadIsADrift() {
    Coded.run(node, "reader-1", ctx -> "over");
    node.begin("reader-2", "echo-child", "x");
    deploy("to", ctx -> signals(ctx, "reader-3", 1), ctx -> signals(ctx, "reader-2", 1));
    assertThat(drift("to").difference().orElseThrow().what()).isEqualTo("target");
    deploy("payload", ctx -> signals(ctx, "reader-3", 1), ctx -> signals(ctx, "reader-3", 2));
    assertThat(drift("payload").difference().orElseThrow().what()).isEqualTo("payload");
  }

  private static Object signals(WorkflowContext ctx, String target, int value) {
    try {
      ctx.signalWorkflow(WorkflowId.of(target), "hello", value);
      return "sent";
    } catch (dev.tenure.workflow.UndeliverableException nobody) {
      return "nobody";
    }
  }

  public record Before(String id) {}

  @JsonInclude(JsonInclude.Include.ALWAYS)
  public record After(String currency, String id, List<String> tags) {}

  @Test
  void aFieldThatIsAddedToAnInputStrandsNoRun() {
    deploy(
        "field",
        ctx -> ctx.activity(ANY, new Before("a")),
        ctx -> ctx.activity(ANY, new After("EUR", "a", null)));
    assertThat(node.result("field")).isEqualTo("\"done\"");
  }

  @Test
  void howAnOperationIsCarriedOutMayChange() {
    deploy(
        "carried-out",
        ctx -> {
          ctx.sleep(Duration.ofMillis(1));
          return ctx.activity(ECHO, "a");
        },
        ctx -> {
          ctx.sleep(Duration.ofMillis(2));
          return ctx.activity(
              ECHO.withTimeout(Duration.ofMinutes(7))
                  .withRetry(dev.tenure.workflow.RetryPolicy.NONE),
              "a");
        });
    assertThat(node.result("carried-out")).isEqualTo("\"a!\"");
  }

  @Test
  void aForkMayDeriveOtherInputsFromItsOwnId() {
    Function<WorkflowContext, Object> code =
        ctx -> {
          ctx.activity(ANY, Map.of("workflow", ctx.info().id().value()));
          ctx.child(ChildCall.to(EchoChild.class, String.class).input(ctx.info().runId()));
          return ctx.step("last", () -> 7);
        };
    Coded.run(node, "forked-from", code);
    Coded.put("forked-to", code);
    TestNode.await(node.workflows().fork(ForkRequest.of("forked-from", "last#1", "forked-to")));
    assertThat(node.result("forked-to")).isEqualTo("7");
  }
}
