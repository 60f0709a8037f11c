package dev.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.client.WorkflowHandle;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One test, on both engines. */
class OnEnginesTest {
  private final Trial.World world = new Trial.World();

  @RegisterExtension
  final TenureExtension tenure = TenureExtension.with(Trial.class, () -> new Trial(world));

  @OnEngines
  void aTrialEndsWithACharge(TestEngine engine) {
    engine.fakeStep("ask for a card", call -> "a fake of step " + call.name());
    engine.crashAfterCommit(1);
    WorkflowHandle<Trial.Ended> trial = engine.workflows().start(Trial::run, "ben", "ben");
    trial.signal("buy", true);

    assertThat(trial.result().early()).isTrue();
    assertThat(engine.crashes()).isEqualTo(1);
    assertThat(engine.steps(trial)).hasSize(2);
    assertThat(engine.steps(trial).getFirst().result(String.class))
        .isEqualTo("a fake of step ask for a card");
  }
}
