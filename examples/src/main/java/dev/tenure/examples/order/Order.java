package dev.tenure.examples.order;

import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.Saga;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.UpdateRejectedException;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowFailure;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Reserves the goods, asks for an approval when they are expensive, charges and ships. When a part
 * fails, or the order is cancelled, the parts that were done before are undone.
 */
@Workflow(name = "order")
public final class Order {
  public static final long APPROVAL_FROM_CENTS = 100_000;

  public static final ActivityDefinition<Parcel, String> SHIP =
      ActivityDefinition.of("ship", Parcel.class, String.class)
          .withRetry(RetryPolicy.DEFAULT.attempts(5))
          .withTimeout(Duration.ofSeconds(30));

  private static final StepOptions UNLESS_DECLINED =
      StepOptions.retry(RetryPolicy.DEFAULT.never(CardDeclined.class));

  private final Shop shop;
  private OrderStage stage = OrderStage.RECEIVED;
  private String address;

  public Order(Shop shop) {
    this.shop = shop;
  }

  public Receipt run(WorkflowContext ctx, PlaceOrder order) throws ShopException {
    address = order.address();
    ctx.onQuery("status", () -> new OrderStatus(stage, address));
    ctx.onUpdate("change-address", String.class, this::checkAddress, this::changeAddress);
    ctx.attributes(Map.of("customer", order.customer(), "cents", order.cents()));

    return ctx.saga(saga -> fulfil(ctx, saga, order));
  }

  private Receipt fulfil(WorkflowContext ctx, Saga saga, PlaceOrder order) throws ShopException {
    // A step may run again after a crash: the shop recognises the repetition by the key.
    String key = ctx.info().id().value();

    String reservation =
        saga.step("reserve", () -> shop.reserve(key, order.lines()), shop::release);

    if (order.cents() >= APPROVAL_FROM_CENTS) requireApproval(ctx, order);

    stage = OrderStage.PAYING;
    String payment =
        saga.step(
            "charge",
            UNLESS_DECLINED,
            () -> shop.charge(key, order.customer(), order.cents()),
            shop::refund);

    stage = OrderStage.SHIPPING;
    String parcel = ctx.activity(SHIP, new Parcel(reservation, address));
    stage = OrderStage.SHIPPED;
    return new Receipt(reservation, payment, parcel);
  }

  private void requireApproval(WorkflowContext ctx, PlaceOrder order) {
    stage = OrderStage.WAITING_FOR_APPROVAL;
    Optional<Approval> approval =
        ctx.awaitSignal("approval", Approval.class, order.approveWithin());
    if (approval.isEmpty()) {
      throw WorkflowFailure.permanent(
          "not-approved", "Nobody approved it within " + order.approveWithin());
    }
    if (!approval.get().granted()) {
      throw WorkflowFailure.permanent("not-approved", approval.get().by() + " said no");
    }
  }

  private void checkAddress(String wanted) {
    if (wanted.isBlank()) throw new UpdateRejectedException("An address is needed.");
    if (stage.compareTo(OrderStage.SHIPPING) >= 0) {
      throw new UpdateRejectedException("It is on its way to " + address + " already.");
    }
  }

  private OrderStatus changeAddress(String wanted) {
    address = wanted;
    return new OrderStatus(stage, address);
  }
}
