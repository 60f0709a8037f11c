package dev.tenure.examples.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.client.WorkflowHandle;
import dev.tenure.testkit.TenureExtension;
import dev.tenure.testkit.TestEngine;
import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A subscription of more periods than a run should have. */
class EndlessSubscriptionTest {
  private static final int PERIODS = 4_500;

  /**
   * So short that the workflow stays in memory: thousands of replays of thousands of steps take
   * time.
   */
  private static final Duration PERIOD = Duration.ofSeconds(5);

  private final InMemoryBilling billing = new InMemoryBilling();

  @RegisterExtension
  final TenureExtension tenure =
      TenureExtension.with(Subscription.class, () -> new Subscription(billing));

  @Test
  void itGoesOnInNewRunsAndPaysEachPeriodOnce(TestEngine engine) {
    WorkflowHandle<SubscriptionState> subscription =
        engine
            .workflows()
            .start(Subscription::run, "for ever", new Subscribe(Plan.SMALL, PERIODS, PERIOD));
    String firstRun = subscription.describe().runId();
    engine.pass(PERIOD.multipliedBy(4_000));
    assertThat(subscription.describe().runId()).isNotEqualTo(firstRun);
    subscription.signal(Subscription.CHANGE_PLAN, Plan.LARGE);
    assertThat(subscription.query(Subscription.STATE).plan()).isEqualTo(Plan.LARGE);

    SubscriptionState end = subscription.result();
    assertThat(end.periodsPaid()).isEqualTo(PERIODS);
    assertThat(billing.charged("for ever")).hasSize(PERIODS);
    assertThat(Collections.frequency(billing.charged("for ever"), 2_000L)).isBetween(490, 500);
  }
}
