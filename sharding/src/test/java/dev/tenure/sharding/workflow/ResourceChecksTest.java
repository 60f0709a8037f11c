package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.loop.Loop;
import dev.tenure.sharding.message.Message;
import dev.tenure.workflow.ActivityCode;
import dev.tenure.workflow.ActivityContext;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.ActivityFailedException;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.ResourceVerifier;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.audit.HistoryAudit;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Before a recovered run goes on, what its activities did is looked up in the outside world. */
class ResourceChecksTest {
  private static final ActivityDefinition<String, String> STRICT = named("strict");
  private static final ActivityDefinition<String, String> ASKS = named("asks");
  private static final ActivityDefinition<String, String> WARNS = named("warns");
  private static final ActivityDefinition<String, String> BREAKS = named("breaks");
  private static final ActivityDefinition<String, String> MUTE = named("mute");
  private static final ActivityDefinition<String, String> PLAIN = named("plain");

  private static ActivityDefinition<String, String> named(String name) {
    return ActivityDefinition.of(name, String.class, String.class).withRetry(RetryPolicy.NONE);
  }

  /** The outside world: what was made there and is there still. */
  private final Map<String, String> outside = new HashMap<>();

  private final List<String> called = new ArrayList<>();
  private final List<String> lookedUp = new ArrayList<>();
  private final TestLoopNode node =
      new TestLoopNode(
          checked(STRICT, ResourceVerifier.Mode.STRICT),
          checked(ASKS, ResourceVerifier.Mode.HUMAN_IN_LOOP),
          checked(WARNS, ResourceVerifier.Mode.WARN),
          registered(
              code(BREAKS)
                  .checkedBy(
                      (call, what, recorded) -> {
                        throw new IOException("no way there");
                      },
                      ResourceVerifier.Mode.STRICT)),
          registered(
              code(MUTE).checkedBy((call, what, recorded) -> null, ResourceVerifier.Mode.STRICT)),
          registered(code(PLAIN)));

  private ActivityCode<String, String> code(ActivityDefinition<String, String> definition) {
    return ActivityCode.of(definition, this::makes);
  }

  private static ActivityRegistration<?, ?> registered(ActivityCode<?, ?> code) {
    return ActivityRegistration.of(code, 10, 10);
  }

  private ActivityRegistration<?, ?> checked(
      ActivityDefinition<String, String> definition, ResourceVerifier.Mode mode) {
    return registered(code(definition).checkedBy(this::difference, mode));
  }

  private String makes(ActivityContext call, String what) {
    called.add(what);
    if (what.startsWith("bad")) throw new IllegalArgumentException("no such thing");
    outside.put(what, what + " made");
    return what + " made";
  }

  private Optional<String> difference(ActivityContext call, String what, String recorded) {
    lookedUp.add(what);
    assertThat(call.idempotencyKey()).contains(call.operationId());
    String found = outside.get(what);
    return recorded.equals(found) ? Optional.empty() : Optional.of(what + " is " + found);
  }

  /** Begins it, up to where it waits for the signal "go". */
  private void begin(String id, Function<WorkflowContext, Object> first) {
    node.begin(id, ctx -> first.apply(ctx) + " " + ctx.awaitSignal("go", String.class));
    called.clear();
  }

  /** Another node takes it up. */
  private void recover(String id) {
    lookedUp.clear();
    node.dies();
    node.node().transport().tell(WorkflowId.of(id), Message.WakeUp.WAKE_UP);
    node.quiet();
  }

  private void go(String id) {
    node.signal(id, "go", "on");
  }

  private <E extends Event> List<E> events(String id, Class<E> type) {
    return node.events(id).stream().filter(type::isInstance).map(type::cast).toList();
  }

  private Status status(String id) {
    return node.storage.workflows().find(WorkflowId.of(id)).orElseThrow().status();
  }

  private Failure failure(String id) {
    return ((Outcome.Failed) node.ended(id).outcome()).failure();
  }

  private void confirm(String id) {
    node.workflows().resolveIncident(WorkflowId.of(id), "I have looked");
    node.quiet();
  }

  private void audit(String id) {
    HistoryAudit audit = new HistoryAudit(id);
    Journal.steps(node.storage, id).forEach(entry -> audit.commit(entry.events()));
  }

  @Test
  void aRunGoesOnWhenTheWorldAgrees() {
    begin("agrees", ctx -> ctx.activity(STRICT, "a") + ctx.activity(ASKS, "b"));
    assertThat(lookedUp).as("nothing is looked up while its owner lives").isEmpty();
    recover("agrees");
    go("agrees");
    assertThat(lookedUp).containsExactlyInAnyOrder("a", "b");
    assertThat(called).isEmpty();
    assertThat(node.result("agrees")).isEqualTo("\"a madeb made on\"");
  }

  @Test
  void strictEndsTheRunBeforeAnythingOfItGoesOn() {
    node.begin(
        "strict",
        ctx -> {
          ctx.activity(STRICT, "a");
          ctx.awaitSignal("go", String.class);
          return ctx.activity(PLAIN, "after");
        });
    called.clear();
    outside.remove("a");
    node.dies();
    go("strict");
    assertThat(failure("strict").type()).isEqualTo(Failure.RESOURCE_DIFFERS);
    assertThat(failure("strict").message()).contains("strict#1", "a is null");
    assertThat(called).isEmpty();
    audit("strict");
  }

  @Test
  void aPersonConfirmsOnceAndTheRunGoesOn() {
    begin("asks", ctx -> ctx.activity(ASKS, "a") + ctx.activity(ASKS, "b"));
    outside.put("a", "something else");
    recover("asks");
    go("asks");
    assertThat(status("asks")).isEqualTo(Status.INCIDENT);
    Incident incident = events("asks", Event.IncidentRaised.class).getFirst().incident();
    assertThat(incident.kind()).isEqualTo("resource-differs");
    assertThat(incident.about()).contains(new OperationId("asks#1"));
    assertThat(incident.message()).contains("a is something else");
    confirm("asks");
    assertThat(node.result("asks")).isEqualTo("\"a madeb made on\"");
    assertThat(called).as("what is recorded counts").isEmpty();
    audit("asks");
  }

  @Test
  void whatWasConfirmedIsNotLookedUpAgain() {
    begin("once", ctx -> ctx.activity(ASKS, "a") + ctx.activity(ASKS, "b"));
    outside.put("a", "something else");
    recover("once");
    assertThat(status("once")).isEqualTo(Status.INCIDENT);
    confirm("once");
    recover("once");
    go("once");
    assertThat(lookedUp).containsExactly("b");
    assertThat(node.result("once")).isEqualTo("\"a madeb made on\"");
    assertThat(events("once", Event.IncidentRaised.class)).hasSize(1);
  }

  @Test
  void aWorkflowThatStandsStillIsNotLookedUp() {
    begin("still", ctx -> ctx.activity(ASKS, "a"));
    outside.remove("a");
    recover("still");
    assertThat(status("still")).isEqualTo(Status.INCIDENT);
    recover("still");
    go("still");
    assertThat(lookedUp).isEmpty();
    assertThat(events("still", Event.IncidentRaised.class)).hasSize(1);
  }

  /** A crash left it with an incident of another kind, and days go by. */
  @Test
  void whatDiffersIsFoundBeforeARepairedRunGoesOn() {
    AtomicInteger tries = new AtomicInteger();
    Coded.put(
        "repaired",
        ctx -> {
          ctx.activity(ASKS, "a");
          if (tries.incrementAndGet() == 1) throw new AssertionError("a bug");
          return ctx.activity(PLAIN, "after");
        });
    node.workflows().start(StartRequest.of("repaired", "coded", TestNode.json(null)));
    node.quiet();
    assertThat(status("repaired")).isEqualTo(Status.INCIDENT);
    outside.remove("a");
    called.clear();
    confirm("repaired");
    assertThat(status("repaired")).isEqualTo(Status.INCIDENT);
    assertThat(events("repaired", Event.IncidentRaised.class).getLast().incident().kind())
        .isEqualTo("resource-differs");
    assertThat(called).isEmpty();
    confirm("repaired");
    assertThat(node.result("repaired")).isEqualTo("\"after made\"");
    audit("repaired");
  }

  @Test
  void severalThatDifferAreConfirmedTogether() {
    begin(
        "several",
        ctx -> ctx.activity(ASKS, "a") + ctx.activity(ASKS, "b") + ctx.activity(ASKS, "c"));
    outside.remove("a");
    outside.remove("b");
    recover("several");
    List<Event.IncidentRaised> raised = events("several", Event.IncidentRaised.class);
    assertThat(raised)
        .extracting(event -> event.incident().about().orElseThrow().value())
        .containsExactlyInAnyOrder("asks#1", "asks#2");
    assertThat(raised.getLast().incident().message())
        .as("the one that is shown names the first, and says that there are others")
        .contains("asks#1", "a is null", "1 other");
    confirm("several");
    recover("several");
    go("several");
    assertThat(lookedUp).containsExactly("c");
    assertThat(node.result("several")).isEqualTo("\"a madeb madec made on\"");
    audit("several");
  }

  @Test
  void whatWasInFlightIsNotCalledBeforeAPersonConfirms() {
    heldInFlight("in-flight");
    outside.remove("a");
    recover("in-flight");
    assertThat(status("in-flight")).isEqualTo(Status.INCIDENT);
    assertThat(called).as("the call that was in flight").isEmpty();
    confirm("in-flight");
    assertThat(called).containsExactly("other");
    assertThat(node.result("in-flight")).isEqualTo("\"other made\"");
    audit("in-flight");
  }

  /** Its owner is lost between the commit that asks for the other call and the call. */
  private void heldInFlight(String id) {
    Coded.put(
        id,
        ctx -> {
          ctx.activity(ASKS, "a");
          return ctx.activity(PLAIN, "other");
        });
    node.workflows().start(StartRequest.of(id, "coded", TestNode.json(null)));
    while (Journal.steps(node.storage, id).stream()
            .flatMap(entry -> entry.events().stream())
            .filter(Event.Scheduled.class::isInstance)
            .count()
        < 2) node.loop.doNext(Loop.Choice.OLDEST).orElseThrow();
    called.clear();
  }

  @Test
  void aWarningLetsTheRunGoOnWithWhatIsRecorded() {
    begin("warns", ctx -> ctx.activity(WARNS, "a"));
    outside.remove("a");
    recover("warns");
    go("warns");
    assertThat(lookedUp).containsExactly("a");
    assertThat(node.result("warns")).isEqualTo("\"a made on\"");
    assertThat(events("warns", Event.IncidentRaised.class)).isEmpty();
  }

  @Test
  void aVerifierThatFailsOrAnswersNothingCountsAsADifference() {
    for (ActivityDefinition<String, String> one : List.of(BREAKS, MUTE)) {
      begin(one.name(), ctx -> ctx.activity(one, "a"));
      recover(one.name());
      go(one.name());
      assertThat(failure(one.name()).type()).isEqualTo(Failure.RESOURCE_DIFFERS);
    }
    assertThat(failure("breaks").message()).contains("no way there");
    assertThat(failure("mute").message()).contains("answered nothing");
  }

  @Test
  void onlyWhatSucceededInThisRunIsLookedUp() {
    AtomicInteger runs = new AtomicInteger();
    node.begin(
        "runs",
        ctx -> {
          if (ctx.step("run", runs::incrementAndGet) == 1) {
            ctx.activity(STRICT, "before");
            return ctx.continueAsNew(null);
          }
          try {
            ctx.activity(STRICT, "bad");
          } catch (ActivityFailedException expected) {
            ctx.activity(STRICT, "good");
          }
          return ctx.awaitSignal("go", String.class);
        });
    outside.remove("before");
    recover("runs");
    go("runs");
    assertThat(lookedUp).containsExactly("good");
    assertThat(node.result("runs")).isEqualTo("\"on\"");
  }
}
