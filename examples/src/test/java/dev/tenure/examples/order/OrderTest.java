package dev.tenure.examples.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tenure.examples.node.Engine;
import dev.tenure.persistence.visibility.Attributes;
import dev.tenure.persistence.visibility.WorkflowFilter;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.sharding.client.WorkflowClient;
import dev.tenure.sharding.client.WorkflowHandle;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.UpdateRejectedException;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Orders on a real node: to their end, and back again from every place where they can fail. */
class OrderTest {
  private static final Duration DAYS = Duration.ofDays(3);
  private static final int BOOKS = 100;
  private static final long RICH = 1_000_000_000;

  private static final RecordingShop SHOP =
      new RecordingShop(Map.of("book", BOOKS, "lamp", 100), Map.of("ada", RICH, "grace", 5L));
  private static Engine engine;
  private static WorkflowClient workflows;

  @BeforeAll
  static void start() {
    engine =
        Engine.start(
            node ->
                node.workflow(Order.class, () -> new Order(SHOP))
                    .activity(
                        Order.SHIP, (call, parcel) -> SHOP.ship(call.idempotencyKey(), parcel)));
    workflows = engine.workflows();
  }

  @AfterAll
  static void stop() {
    engine.close();
  }

  @Test
  void anOrderIsReservedPaidAndShipped() {
    PlaceOrder cheap = order("ada", "Turing Street 1", 5_000, DAYS);
    WorkflowHandle<Receipt> order = workflows.start(Order::run, "order-17", cheap);
    Receipt receipt = order.result();

    assertThat(receipt.payment()).isEqualTo("payment-order-17");
    assertThat(SHOP.inside().parcel(receipt.parcel()).address()).isEqualTo("Turing Street 1");
    assertThat(SHOP.calls("order-17")).containsExactly("reserve", "charge", "ship");
  }

  @Test
  void anExpensiveOrderWaitsForItsApproval() {
    WorkflowHandle<Receipt> order = expensive("approved", DAYS);
    Engine.awaitStatus(order, Status.WAITING);

    OrderStatus status = order.query("status", OrderStatus.class);
    assertThat(status.stage()).isEqualTo(OrderStage.WAITING_FOR_APPROVAL);
    assertThat(SHOP.calls("approved")).containsExactly("reserve");

    order.signal("approval", new Approval(true, "boss"));
    order.result(Engine.SOON);
    assertThat(SHOP.calls("approved")).containsExactly("reserve", "charge", "ship");
  }

  @Test
  void aRefusedOrderGivesTheGoodsBack() {
    WorkflowHandle<Receipt> order = expensive("refused", DAYS);
    order.signal("approval", new Approval(false, "boss"), "decision-4711");

    Failure failure = Engine.failure(order);
    assertThat(failure.code()).contains("not-approved");
    assertThat(failure.message()).contains("boss said no");
    assertThat(SHOP.calls("refused")).containsExactly("reserve", "release");
  }

  @Test
  void anOrderThatNobodyApprovesInTimeGivesTheGoodsBack() {
    WorkflowHandle<Receipt> order = expensive("forgotten", Duration.ofMillis(300));

    assertThat(Engine.failure(order).message()).contains("Nobody approved it within PT0.3S");
    assertThat(SHOP.calls("forgotten")).containsExactly("reserve", "release");
  }

  @Test
  void aDeclinedCardIsTriedOnceAndTheGoodsGoBack() {
    PlaceOrder tooMuch = order("grace", "Hopper Road 2", 5_000, DAYS);
    WorkflowHandle<Receipt> order = workflows.start(Order::run, "declined", tooMuch);

    assertThat(Engine.failure(order).type()).isEqualTo(CardDeclined.class.getName());
    assertThat(SHOP.calls("declined")).containsExactly("reserve", "charge", "release");
    assertThat(SHOP.inside().balance("grace")).isEqualTo(5);
  }

  @Test
  void whenShippingFailsMoneyAndGoodsGoBackInReverse() {
    PlaceOrder unreachable = order("ada", "Atlantis", 5_000, DAYS);
    WorkflowHandle<Receipt> order = workflows.start(Order::run, "lost", unreachable);

    assertThat(Engine.failure(order).toString()).contains("Nobody delivers to Atlantis");
    assertThat(SHOP.calls("lost"))
        .containsExactly("reserve", "charge", "ship", "refund", "release");
  }

  @Test
  void aCancelledOrderUndoesWhatItDid() {
    WorkflowHandle<Receipt> order = expensive("cancelled", DAYS);
    Engine.awaitStatus(order, Status.WAITING);
    order.cancel("the customer changed her mind");

    Engine.awaitStatus(order, Status.CANCELLED);
    assertThat(SHOP.calls("cancelled")).containsExactly("reserve", "release");
  }

  @Test
  void theAddressCanBeChangedWhileTheOrderWaits() {
    WorkflowHandle<Receipt> order = expensive("moving", DAYS);
    Engine.awaitStatus(order, Status.WAITING);

    assertThatExceptionOfType(UpdateRejectedException.class)
        .isThrownBy(() -> order.update("change-address", " ", OrderStatus.class))
        .withMessage("An address is needed.");
    OrderStatus changed = order.update("change-address", "Lovelace Lane 7", OrderStatus.class);
    assertThat(changed.address()).isEqualTo("Lovelace Lane 7");

    order.signal("approval", new Approval(true, "boss"));
    Receipt receipt = order.result(Engine.SOON);
    assertThat(SHOP.inside().parcel(receipt.parcel()).address()).isEqualTo("Lovelace Lane 7");
  }

  @Test
  void ordersAreFoundByWhatTheySayOfThemselves() {
    PlaceOrder gift = order("ada", "Babbage Alley 3", 4_999, DAYS);
    workflows.start(Order::run, "gift", gift).result(Engine.SOON);

    List<WorkflowRow> found =
        workflows
            .list(
                WorkflowFilter.ALL
                    .withType("order")
                    .withStatus(Status.COMPLETED)
                    .with(Attributes.of("customer", "ada").and("cents", 4_999)))
            .toList();
    assertThat(found).extracting(row -> row.id().value()).containsExactly("gift");
  }

  private static WorkflowHandle<Receipt> expensive(String id, Duration approveWithin) {
    return workflows.start(Order::run, id, order("ada", "Turing Street 1", 200_000, approveWithin));
  }

  private static PlaceOrder order(String customer, String address, long cents, Duration approval) {
    return new PlaceOrder(
        customer, address, List.of(new PlaceOrder.Line("book", 1, cents)), approval);
  }
}
