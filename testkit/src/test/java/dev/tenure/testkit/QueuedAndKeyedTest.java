package dev.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.client.WorkflowHandle;
import dev.tenure.workflow.ActivityCode;
import dev.tenure.workflow.ActivityContext;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.Verifier;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Activities with keys and queues, in a test that has no workers besides the engine. */
class QueuedAndKeyedTest {
  static final ActivityDefinition<String, String> PAY =
      ActivityDefinition.of("pay", String.class, String.class).keyed();
  static final ActivityDefinition<String, String> PRINT =
      ActivityDefinition.of("print", String.class, String.class).onQueue("printers");
  static final ActivityDefinition<String, String> SHIP =
      ActivityDefinition.of("ship", String.class, String.class).onQueue("trucks").keyed();
  static final ActivityDefinition<String, String> RARE =
      ActivityDefinition.of("rare", String.class, String.class)
          .withRateLimit(1, Duration.ofMinutes(1));

  /** What the calls did outside, by their keys. */
  private final Map<String, List<String>> effects = new HashMap<>();

  /** Calls all of them. */
  @Workflow(name = "sale")
  public static class Sale {
    public List<String> run(WorkflowContext ctx, String what) {
      return List.of(ctx.activity(PAY, what), ctx.activity(PRINT, what), ctx.activity(SHIP, what));
    }
  }

  /** Calls what begins seldom. */
  @Workflow(name = "rarely")
  public static class Rarely {
    public String run(WorkflowContext ctx, int times) {
      String all = "";
      for (int i = 0; i < times; i++) all += ctx.activity(RARE, "" + i, "" + i);
      return all;
    }
  }

  @RegisterExtension
  final TenureExtension tenure =
      TenureExtension.with(Sale.class)
          .workflow(Rarely.class)
          .activity(ActivityCode.of(PAY, this::does).verifiedBy(this::looks))
          .activity(ActivityCode.of(SHIP, this::does).verifiedBy(this::looks))
          .activity(PRINT, (call, what) -> what + " on paper")
          .activity(RARE, (call, what) -> what);

  private String does(ActivityContext call, String what) {
    String done = what + " done";
    effects.computeIfAbsent(call.idempotencyKey(), key -> new ArrayList<>()).add(done);
    return done;
  }

  private Verifier.Verdict<String> looks(ActivityContext call, String what) {
    List<String> found = effects.getOrDefault(call.idempotencyKey(), List.of());
    return found.isEmpty()
        ? Verifier.Verdict.notCompleted("no entry")
        : Verifier.Verdict.completed(found.getFirst(), "one entry");
  }

  private static WorkflowHandle<List<String>> sale(TestEngine engine) {
    return engine.workflows().start(Sale::run, "sale of a book", "a book");
  }

  private static final List<String> ALL = List.of("a book done", "a book on paper", "a book done");

  private void requireOnceEach() {
    assertThat(effects).hasSize(2).allSatisfy((key, all) -> assertThat(all).hasSize(1));
  }

  @Test
  void queuedActivitiesAreCarriedOut(TestEngine engine) {
    assertThat(sale(engine).result()).isEqualTo(ALL);
    requireOnceEach();
  }

  @Test
  void aFakeTakesThePlaceOfAQueuedActivity(TestEngine engine) {
    engine.fakeActivity(PRINT, (call, what) -> what + " on a screen");
    assertThat(sale(engine).result()).contains("a book on a screen");
  }

  @Test
  void aQueuedActivityThatFailsIsTriedAgain(TestEngine engine) {
    engine.fakeActivity(
        PRINT,
        (call, what) -> {
          if (call.attempt() < 3) throw new IOException("no paper");
          return what + ", attempt " + call.attempt();
        });
    Instant begin = engine.now();
    assertThat(sale(engine).result()).contains("a book, attempt 3");
    assertThat(engine.now()).isAfter(begin);
  }

  @Test
  void aCrashAfterEachCommitRepeatsNoKeyedCall(TestEngine engine) {
    engine.crashAfterEveryCommit();
    assertThat(sale(engine).result()).isEqualTo(ALL);
    assertThat(engine.crashes()).isGreaterThan(3);
    requireOnceEach();
  }

  @Test
  void anEffectWhoseAnswerGotLostIsFoundByTheVerifier(TestEngine engine) {
    List<ActivityDefinition<String, String>> lost = List.of(PAY, SHIP);
    for (ActivityDefinition<String, String> one : lost)
      engine.fakeActivity(
          one,
          (call, what) -> {
            does(call, what);
            throw new IOException("the line is dead");
          });
    engine.crashAfterEveryCommit();
    assertThat(sale(engine).result()).isEqualTo(ALL);
    requireOnceEach();
  }

  @Test
  void aRateKeepsCallsBackUntilTheirTime(TestEngine engine) {
    Instant begin = engine.now();
    assertThat(engine.workflows().start(Rarely::run, "rarely", 3).result()).isEqualTo("012");
    assertThat(Duration.between(begin, engine.now()))
        .isBetween(Duration.ofMinutes(2), Duration.ofMinutes(3));
  }
}
