package dev.tenure.examples.office;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.examples.node.Engine;
import dev.tenure.examples.order.Order;
import dev.tenure.examples.order.PlaceOrder;
import dev.tenure.examples.order.Receipt;
import dev.tenure.examples.order.RecordingShop;
import dev.tenure.sharding.client.WorkflowClient;
import dev.tenure.sharding.client.WorkflowHandle;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A parent with children on a real node. */
class OfficeOrderTest {
  private static final RecordingShop SHOP =
      new RecordingShop(Map.of("lamp", 50), Map.of("ada", 1_000_000L, "alan", 1_000_000L));
  private static Engine engine;
  private static WorkflowClient workflows;

  @BeforeAll
  static void start() {
    engine =
        Engine.start(
            node ->
                node.workflow(OfficeOrder.class)
                    .workflow(Order.class, () -> new Order(SHOP))
                    .activity(
                        Order.SHIP, (call, parcel) -> SHOP.ship(call.idempotencyKey(), parcel)));
    workflows = engine.workflows();
  }

  @AfterAll
  static void stop() {
    engine.close();
  }

  @Test
  void oneOrderThatFailsSpoilsNoOther() {
    List<PlaceOrder> orders = List.of(lamp("ada", 10), lamp("broke", 10), lamp("alan", 10));
    Delivery delivery = workflows.start(OfficeOrder::run, "office", orders).result(Engine.SOON);

    assertThat(delivery.parcels()).hasSize(2);
    assertThat(delivery.problems())
        .singleElement()
        .asString()
        .contains("office/broke", "cannot pay");
    assertThat(workflows.handle("office/ada", Receipt.class).result().payment())
        .isEqualTo("payment-office/ada");
    assertThat(SHOP.calls("office/broke")).containsExactly("reserve", "charge", "release");
  }

  @Test
  void aCancelledParentCancelsItsChildrenWhichCompensate() {
    WorkflowHandle<Delivery> office =
        workflows.start(
            OfficeOrder::run, "closed", List.of(lamp("ada", 200_000), lamp("alan", 200_000)));
    List<WorkflowHandle<Receipt>> children =
        List.of(
            workflows.handle("closed/ada", Receipt.class),
            workflows.handle("closed/alan", Receipt.class));
    children.forEach(child -> Engine.awaitStatus(child, Status.WAITING));
    office.cancel("the office moves");

    Engine.awaitStatus(office, Status.CANCELLED);
    for (WorkflowHandle<Receipt> child : children) {
      Engine.awaitStatus(child, Status.CANCELLED);
      assertThat(SHOP.calls(child.id().value())).containsExactly("reserve", "release");
    }
  }

  private static PlaceOrder lamp(String customer, long cents) {
    return new PlaceOrder(
        customer,
        "Office Park 1",
        List.of(new PlaceOrder.Line("lamp", 1, cents)),
        Duration.ofDays(1));
  }
}
