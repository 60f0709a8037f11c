package dev.tenure.examples.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.examples.order.Approval;
import dev.tenure.examples.order.InMemoryShop;
import dev.tenure.examples.order.Order;
import dev.tenure.examples.order.PlaceOrder;
import dev.tenure.examples.order.Receipt;
import dev.tenure.sharding.client.WorkflowFailedException;
import dev.tenure.sharding.client.WorkflowHandle;
import dev.tenure.sharding.history.HistoryFile;
import dev.tenure.testkit.Engine;
import dev.tenure.testkit.OnEngines;
import dev.tenure.testkit.Replays;
import dev.tenure.testkit.TenureExtension;
import dev.tenure.testkit.TestEngine;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Orders in memory: days pass in milliseconds. */
class OrderInMemoryTest {
  private final InMemoryShop shop = new InMemoryShop(Map.of("lamp", 10), Map.of("ada", 1_000_000L));

  @RegisterExtension
  final TenureExtension tenure =
      TenureExtension.with(Order.class, () -> new Order(shop))
          .activity(Order.SHIP, (call, parcel) -> shop.ship(call.idempotencyKey(), parcel));

  private static final PlaceOrder EXPENSIVE =
      new PlaceOrder(
          "ada", "Kent", List.of(new PlaceOrder.Line("lamp", 2, 60_000)), Duration.ofDays(3));

  @Test
  void anExpensiveOrderWaitsForApproval(TestEngine engine) {
    WorkflowHandle<Receipt> order = engine.workflows().start(Order::run, "order-1", EXPENSIVE);
    order.signal("approval", new Approval(true, "boss"));

    assertThat(order.result().parcel()).isNotBlank();
  }

  @Test
  void anOrderThatNobodyApprovesIsUndone(TestEngine engine) {
    WorkflowHandle<Receipt> order = engine.workflows().start(Order::run, "order-2", EXPENSIVE);

    engine.pass(Duration.ofDays(2));
    assertThat(shop.inStock("lamp")).isEqualTo(8);

    assertThatThrownBy(order::result).isInstanceOf(WorkflowFailedException.class);
    assertThat(shop.inStock("lamp")).isEqualTo(10);
  }

  @Test
  void aShopThatIsAwayForAMomentIsAskedAgain(TestEngine engine) {
    AtomicInteger calls = new AtomicInteger();
    engine.fakeStep(
        "charge",
        call -> {
          if (calls.incrementAndGet() < 3) throw new IOException("no line");
          return call.genuine();
        });
    WorkflowHandle<Receipt> order = engine.workflows().start(Order::run, "order-3", EXPENSIVE);
    order.signal("approval", new Approval(true, "boss"));

    assertThat(order.result().payment()).isNotBlank();
    assertThat(engine.steps(order).get(1).attempts()).isEqualTo(3);
  }

  @Test
  void aCrashAfterAnyCommitChangesNothing(TestEngine engine) {
    engine.crashAfterEveryCommit();
    WorkflowHandle<Receipt> order = engine.workflows().start(Order::run, "order-4", EXPENSIVE);
    order.signal("approval", new Approval(true, "boss"));

    assertThat(order.result().parcel()).isNotBlank();
    assertThat(shop.balance("ada")).isEqualTo(1_000_000 - 120_000);
    assertThat(engine.crashes()).isGreaterThan(3);
  }

  @OnEngines({Engine.IN_MEMORY, Engine.NODE})
  void theSameOnANode(TestEngine engine) {
    WorkflowHandle<Receipt> order = engine.workflows().start(Order::run, "order-5", EXPENSIVE);
    order.signal("approval", new Approval(true, "boss"));

    assertThat(order.result().parcel()).isNotBlank();
  }

  @Test
  void yesterdaysOrdersFitTodaysCode(TestEngine engine, @TempDir Path folder) {
    Path recorded = folder.resolve("order-6.history");
    WorkflowHandle<Receipt> order = engine.workflows().start(Order::run, "order-6", EXPENSIVE);
    HistoryFile.write(engine.history(order), recorded);

    Replays.assertReplays(HistoryFile.read(recorded), Order.class, () -> new Order(shop));
  }
}
