package dev.tenure.examples.subscription;

import dev.tenure.workflow.CancelledException;
import dev.tenure.workflow.QueryDefinition;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.SignalChannel;
import dev.tenure.workflow.SignalDefinition;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import java.time.Duration;
import java.time.Instant;

/**
 * Charges once in every period. In between, which is nearly all of the time, it is a row in a table
 * and nothing else: no thread, no memory. Restarts and upgrades of the nodes do not matter to it.
 * It may last for ever: when its history becomes long, it goes on in a new run.
 */
@Workflow(name = "subscription")
public final class Subscription {
  public static final SignalDefinition<Plan> CHANGE_PLAN =
      SignalDefinition.of("change-plan", Plan.class);
  public static final QueryDefinition<Void, SubscriptionState> STATE =
      QueryDefinition.of("state", SubscriptionState.class);

  /** A customer whose card does not work today may have one that works in three days. */
  private static final RetryPolicy PATIENT =
      RetryPolicy.DEFAULT.unlimited().backoff(Duration.ofMinutes(1), 10, Duration.ofDays(3));

  private final Billing billing;
  private Plan plan;
  private int periodsPaid;
  private long centsPaid;
  private long centsOfThisPeriod;
  private Instant paidUntil;

  public Subscription(Billing billing) {
    this.billing = billing;
  }

  public SubscriptionState run(WorkflowContext ctx, Subscribe request) {
    plan = request.plan();
    periodsPaid = request.soFar().map(SubscriptionState::periodsPaid).orElse(0);
    centsPaid = request.soFar().map(SubscriptionState::centsPaid).orElse(0L);
    paidUntil = request.soFar().map(SubscriptionState::paidUntil).orElse(ctx.now());
    ctx.onQuery(STATE, this::state);
    SignalChannel<Plan> changes = ctx.signals(CHANGE_PLAN);
    try {
      while (periodsPaid < request.periods()) {
        pay(ctx, request);
        waitForRenewal(ctx, changes);
        // Between two periods nothing is paid and unused.
        if (ctx.info().continueAsNewSuggested())
          return ctx.continueAsNew(Subscription::run, request.goingOn(state()));
      }
      return state();
    } catch (CancelledException cancelled) {
      // The customer gets back what is left of the period. The refund itself must not be cancelled.
      ctx.shielded(() -> refund(ctx, unused(ctx, request)));
      throw cancelled;
    }
  }

  private void pay(WorkflowContext ctx, Subscribe request) {
    int period = periodsPaid + 1;
    long cents = plan.cents();
    String subscription = ctx.info().id().value();
    ctx.attribute("plan", plan);
    ctx.step(
        "charge",
        StepOptions.key("period-" + period).withRetry(PATIENT),
        () -> billing.charge(subscription, period, cents));
    periodsPaid = period;
    centsPaid += cents;
    centsOfThisPeriod = cents;
    // Counted from the last renewal, not from now: a late charge does not move all later ones.
    paidUntil = paidUntil.plus(request.period());
  }

  /** A change of the plan is accepted at any time, and holds from the next period on. */
  private void waitForRenewal(WorkflowContext ctx, SignalChannel<Plan> changes) {
    while (ctx.now().isBefore(paidUntil)) {
      changes.receive(Duration.between(ctx.now(), paidUntil)).ifPresent(wanted -> plan = wanted);
    }
  }

  private long unused(WorkflowContext ctx, Subscribe request) {
    long left = Math.max(0, Duration.between(ctx.now(), paidUntil).toMillis());
    return centsOfThisPeriod * left / request.period().toMillis();
  }

  private void refund(WorkflowContext ctx, long cents) {
    String subscription = ctx.info().id().value();
    ctx.step("refund", () -> billing.refund(subscription, cents));
  }

  private SubscriptionState state() {
    return new SubscriptionState(plan, periodsPaid, centsPaid, paidUntil);
  }
}
