package dev.tenure.examples.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.examples.node.Engine;
import dev.tenure.sharding.client.WorkflowClient;
import dev.tenure.sharding.client.WorkflowHandle;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Subscriptions on a real node: short periods to their end, long ones until they are cancelled. */
class SubscriptionTest {
  private static final InMemoryBilling BILLING = new InMemoryBilling();
  private static Engine engine;
  private static WorkflowClient workflows;

  @BeforeAll
  static void start() {
    engine =
        Engine.start(node -> node.workflow(Subscription.class, () -> new Subscription(BILLING)));
    workflows = engine.workflows();
  }

  @AfterAll
  static void stop() {
    engine.close();
  }

  @Test
  void everyPeriodIsPaidOnceAndAChangedPlanHoldsFromTheNextOn() {
    WorkflowHandle<SubscriptionState> subscription =
        workflows.start(
            Subscription::run, "short", new Subscribe(Plan.SMALL, 3, Duration.ofSeconds(2)));
    Engine.awaitStatus(subscription, Status.WAITING);
    subscription.signal(Subscription.CHANGE_PLAN, Plan.LARGE);

    SubscriptionState end = subscription.result(Engine.SOON);
    assertThat(end.periodsPaid()).isEqualTo(3);
    assertThat(end.centsPaid()).isEqualTo(500 + 2_000 + 2_000);
    assertThat(BILLING.charged("short")).containsExactly(500L, 2_000L, 2_000L);
    assertThat(BILLING.refunded("short")).isEmpty();
  }

  @Test
  void aMonthIsSleptThroughAndACancellationGivesBackWhatIsLeft() {
    WorkflowHandle<SubscriptionState> subscription =
        workflows.start(Subscription::run, "long", Subscribe.forAYear(Plan.SMALL));
    Engine.awaitStatus(subscription, Status.WAITING);
    Instant wake = subscription.describe().nextDue().orElseThrow();
    SubscriptionState state = subscription.query(Subscription.STATE);
    assertThat(wake).isEqualTo(state.paidUntil());
    assertThat(Duration.between(Instant.now(), wake))
        .isBetween(Duration.ofDays(29), Duration.ofDays(30));

    subscription.cancel("no longer needed");
    Engine.awaitStatus(subscription, Status.CANCELLED);
    assertThat(BILLING.charged("long")).containsExactly(500L);
    assertThat(BILLING.refunded("long").orElseThrow()).isBetween(498L, 500L);
  }
}
