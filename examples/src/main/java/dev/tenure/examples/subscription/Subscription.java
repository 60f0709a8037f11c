package dev.tenure.examples.subscription;

import dev.tenure.workflow.CancelledException;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.SignalChannel;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import java.time.Duration;
import java.time.Instant;

/**
 * Charges once in every period. In between, which is nearly all of the time, it is a row in a table
 * and nothing else: no thread, no memory. Restarts and upgrades of the nodes do not matter to it.
 */
@Workflow(name = "subscription")
public final class Subscription {
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
    paidUntil = ctx.now();
    ctx.onQuery("state", this::state);
    SignalChannel<Plan> changes = ctx.signals("change-plan", Plan.class);
    try {
      while (periodsPaid < request.periods()) {
        pay(ctx, request);
        waitForRenewal(ctx, changes);
      }
      return state();
    } catch (CancelledException cancelled) {
      // Whoever cancels gets back what is left of the period; this must not be cancelled itself.
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
