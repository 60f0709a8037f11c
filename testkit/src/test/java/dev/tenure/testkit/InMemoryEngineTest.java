package dev.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.sharding.client.WorkflowHandle;
import dev.tenure.sharding.workflow.WorkflowError;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class InMemoryEngineTest {
  private final Trial.World world = new Trial.World();

  @RegisterExtension
  final TenureExtension tenure = TenureExtension.with(Trial.class, () -> new Trial(world));

  private WorkflowHandle<Trial.Ended> start(TestEngine engine) {
    return engine.workflows().start(Trial::run, "ann", "ann");
  }

  @Test
  void aMonthPassesWhileOneWaitsForTheResult(TestEngine engine) {
    Instant begin = engine.now();

    Trial.Ended ended = start(engine).result();

    assertThat(ended.at()).isEqualTo(begin.plus(Duration.ofDays(30)));
    assertThat(ended.early()).isFalse();
  }

  @Test
  void whatCanGoOnHasGoneOnWhenACallReturns(TestEngine engine) {
    Instant begin = engine.now();
    WorkflowHandle<Trial.Ended> trial = start(engine);
    assertThat(trial.query("stage", String.class)).isEqualTo("trying with card of ann");
    assertThat(world.charges).hasValue(0);

    trial.signal("buy", true);
    assertThat(world.charges).hasValue(1);
    assertThat(trial.result().at()).isEqualTo(begin);
  }

  @Test
  void whatHasEndedAnswersQueries(TestEngine engine) {
    WorkflowHandle<Trial.Ended> trial = start(engine);
    trial.signal("buy", true);
    String stage = trial.query("stage", String.class);
    trial.result();
    assertThat(trial.query("stage", String.class)).isEqualTo(stage);
    assertThat(world.charges).hasValue(1);
  }

  @Test
  void timePassesWhenOneSaysSo(TestEngine engine) {
    start(engine);
    engine.pass(Duration.ofDays(29));
    assertThat(world.charges).hasValue(0);

    engine.pass(Duration.ofDays(1));
    assertThat(world.charges).hasValue(1);
  }

  @Test
  void stepsAreReplacedByFakes(TestEngine engine) {
    AtomicInteger calls = new AtomicInteger();
    engine.fakeStep(
        "charge",
        call -> {
          if (calls.incrementAndGet() < 3) throw new IOException("no line");
          return call.genuine() + ", attempt " + call.attempt();
        });

    WorkflowHandle<Trial.Ended> trial = start(engine);
    assertThat(trial.result().receipt()).isEqualTo("receipt for ann, attempt 3");

    StepRecord charge = engine.steps(trial).get(1);
    assertThat(charge.name()).isEqualTo("charge");
    assertThat(charge.attempts()).isEqualTo(3);
    assertThat(charge.result(String.class)).isEqualTo("receipt for ann, attempt 3");
  }

  @Test
  void aCrashAfterAnyCommitChangesNothing(TestEngine engine) {
    engine.crashAfterEveryCommit();
    WorkflowHandle<Trial.Ended> trial = start(engine);
    trial.signal("buy", true);

    assertThat(trial.result().receipt()).isEqualTo("receipt for ann");
    assertThat(engine.crashes()).isEqualTo(4);
    assertThat(world.charges).hasValue(1);
  }

  @Test
  void oneCommitCanBeTheLastThatAnOwnerMakes(TestEngine engine) {
    engine.crashAfterCommit(2);
    start(engine).result();

    assertThat(engine.crashes()).isEqualTo(1);
  }

  @Test
  void whoWaitsForWhatCannotComeIsTold(TestEngine engine) {
    engine.fakeStep("charge", call -> engine.kind());
    WorkflowHandle<String> stranger = engine.workflows().handle("nobody", String.class);
    assertThatThrownBy(stranger::result).isInstanceOf(WorkflowError.NotFound.class);

    WorkflowHandle<Trial.Ended> trial = start(engine);
    trial.pause("a look");
    assertThatThrownBy(trial::result)
        .isInstanceOf(NothingHappensException.class)
        .hasMessageContaining("ann (trial")
        .hasMessageContaining("PAUSED")
        .hasMessageContaining("signal:buy#1");
    assertThatThrownBy(() -> trial.result(Duration.ofMinutes(5)))
        .isInstanceOf(WorkflowError.StillRunning.class);
  }

  @Test
  void aFakeMayAskSomethingOfTheEngine(TestEngine engine) {
    engine.fakeStep(
        "ask for a card",
        call -> {
          engine.soon(
              () -> engine.workflows().handle("ann", Trial.Ended.class).signal("buy", true));
          return "none";
        });

    assertThat(start(engine).result().early()).isTrue();
  }
}
