package dev.tenure.examples.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.examples.node.Engine;
import dev.tenure.workflow.Failure;
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

  @BeforeAll
  static void start() {
    engine =
        Engine.start(
            node ->
                node.workflow(Order.class, () -> new Order(SHOP))
                    .activity(
                        Order.SHIP, (call, parcel) -> SHOP.ship(call.idempotencyKey(), parcel)));
  }

  @AfterAll
  static void stop() {
    engine.close();
  }

  @Test
  void anOrderIsReservedPaidAndShipped() {
    engine.start("cheap", "order", order("ada", "Turing Street 1", 5_000, DAYS));

    Receipt receipt = engine.result("cheap", Receipt.class);
    assertThat(receipt.payment()).isEqualTo("payment-cheap");
    assertThat(SHOP.inside().parcel(receipt.parcel()).address()).isEqualTo("Turing Street 1");
    assertThat(SHOP.calls("cheap")).containsExactly("reserve", "charge", "ship");
  }

  @Test
  void anExpensiveOrderWaitsForItsApproval() {
    engine.start("approved", "order", order("ada", "Turing Street 1", 200_000, DAYS));
    engine.awaitStatus("approved", Status.WAITING);
    assertThat(engine.query("approved", "status", OrderStatus.class).stage())
        .isEqualTo(OrderStage.WAITING_FOR_APPROVAL);
    assertThat(SHOP.calls("approved")).containsExactly("reserve");

    engine.signal("approved", "approval", new Approval(true, "boss"));
    engine.result("approved", Receipt.class);
    assertThat(SHOP.calls("approved")).containsExactly("reserve", "charge", "ship");
  }

  @Test
  void aRefusedOrderGivesTheGoodsBack() {
    engine.start("refused", "order", order("ada", "Turing Street 1", 200_000, DAYS));
    engine.signal("refused", "approval", new Approval(false, "boss"));

    Failure failure = engine.failure("refused");
    assertThat(failure.code()).contains("not-approved");
    assertThat(failure.message()).contains("boss said no");
    assertThat(SHOP.calls("refused")).containsExactly("reserve", "release");
  }

  @Test
  void anOrderThatNobodyApprovesInTimeGivesTheGoodsBack() {
    PlaceOrder order = order("ada", "Turing Street 1", 200_000, Duration.ofMillis(300));
    engine.start("forgotten", "order", order);

    assertThat(engine.failure("forgotten").message()).contains("Nobody approved it within PT0.3S");
    assertThat(SHOP.calls("forgotten")).containsExactly("reserve", "release");
  }

  @Test
  void aDeclinedCardIsTriedOnceAndTheGoodsGoBack() {
    engine.start("declined", "order", order("grace", "Hopper Road 2", 5_000, DAYS));

    Failure failure = engine.failure("declined");
    assertThat(failure.type()).isEqualTo(CardDeclined.class.getName());
    assertThat(SHOP.calls("declined")).containsExactly("reserve", "charge", "release");
    assertThat(SHOP.inside().balance("grace")).isEqualTo(5);
  }

  @Test
  void whenShippingFailsMoneyAndGoodsGoBackInReverse() {
    engine.start("lost", "order", order("ada", "Atlantis", 5_000, DAYS));

    Failure failure = engine.failure("lost");
    assertThat(failure.toString()).contains("Nobody delivers to Atlantis");
    assertThat(SHOP.calls("lost"))
        .containsExactly("reserve", "charge", "ship", "refund", "release");
  }

  @Test
  void aCancelledOrderUndoesWhatItDid() {
    engine.start("cancelled", "order", order("ada", "Turing Street 1", 200_000, DAYS));
    engine.awaitStatus("cancelled", Status.WAITING);
    engine.cancel("cancelled", "the customer changed her mind");

    engine.awaitStatus("cancelled", Status.CANCELLED);
    assertThat(SHOP.calls("cancelled")).containsExactly("reserve", "release");
  }

  @Test
  void theAddressCanBeChangedWhileTheOrderWaits() {
    engine.start("moving", "order", order("ada", "Turing Street 1", 200_000, DAYS));
    engine.awaitStatus("moving", Status.WAITING);

    assertThatThrownBy(() -> engine.update("moving", "change-address", " ", OrderStatus.class))
        .hasMessageContaining("An address is needed.");
    OrderStatus changed =
        engine.update("moving", "change-address", "Lovelace Lane 7", OrderStatus.class);
    assertThat(changed.address()).isEqualTo("Lovelace Lane 7");

    engine.signal("moving", "approval", new Approval(true, "boss"));
    Receipt receipt = engine.result("moving", Receipt.class);
    assertThat(SHOP.inside().parcel(receipt.parcel()).address()).isEqualTo("Lovelace Lane 7");
  }

  private static PlaceOrder order(String customer, String address, long cents, Duration approval) {
    return new PlaceOrder(
        customer, address, List.of(new PlaceOrder.Line("book", 1, cents)), approval);
  }
}
