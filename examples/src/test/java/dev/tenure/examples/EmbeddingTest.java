package dev.tenure.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.examples.office.OfficeOrder;
import dev.tenure.examples.order.InMemoryShop;
import dev.tenure.examples.order.Order;
import dev.tenure.examples.order.PlaceOrder;
import dev.tenure.examples.order.Receipt;
import dev.tenure.examples.order.Shop;
import dev.tenure.node.TenureNode;
import dev.tenure.persistence.embedded.LocalPostgres;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.client.WorkflowHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node inside an application, with the application's workflows. */
class EmbeddingTest {
  private final Shop shop = new InMemoryShop(Map.of("book", 10), Map.of("ada", 10_000L));

  @Test
  void anApplicationRunsItsOwnWorkflows(@TempDir Path folder) throws Exception {
    try (TestDatabase database = TestDatabase.empty()) {
      Path file = Files.writeString(folder.resolve("node.conf"), settings(database.url()));
      PlaceOrder place =
          new PlaceOrder(
              "ada", "Turing Street 1", List.of(new PlaceOrder.Line("book", 1, 10)), null);

      try (TenureNode node =
          TenureNode.builder()
              .configFile(file)
              .workflow(Order.class, () -> new Order(shop))
              .activity(Order.SHIP, (call, parcel) -> shop.ship(call.idempotencyKey(), parcel), 20)
              .workflow(OfficeOrder.class)
              .start()) {
        WorkflowHandle<Receipt> order = node.workflows().start(Order::run, "order-17", place);
        Receipt receipt = order.result();

        assertThat(receipt.payment()).isEqualTo("payment-order-17");
        assertThat(node.catalog()).hasToString("order v1, office-order v1");
      }
    }
  }

  private static String settings(String url) {
    return """
    tenure {
      node.port = 0
      http.port = 0
      storage { url = "%s", user = %s, migration-user = %s }
    }
    """
        .formatted(url, LocalPostgres.APPLICATION, LocalPostgres.OWNER);
  }
}
