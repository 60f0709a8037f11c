package dev.tenure.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.examples.office.OfficeOrder;
import dev.tenure.examples.order.InMemoryShop;
import dev.tenure.examples.order.Order;
import dev.tenure.examples.order.Shop;
import dev.tenure.node.TenureNode;
import dev.tenure.persistence.embedded.LocalPostgres;
import dev.tenure.persistence.storage.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node inside an application, with the application's workflows. */
class EmbeddingTest {
  private static final long UP_LIMIT_SECONDS = 60;

  private final Shop shop = new InMemoryShop(Map.of("book", 10), Map.of("ada", 10_000L));

  @Test
  void aNodeWithWorkflowsOfItsOwnComesUpAndKnowsThem(@TempDir Path folder) throws Exception {
    try (TestDatabase database = TestDatabase.empty()) {
      Path file = Files.writeString(folder.resolve("node.conf"), settings(database.url()));
      try (TenureNode node =
          TenureNode.builder()
              .configFile(file)
              .workflow(Order.class, () -> new Order(shop))
              .activity(Order.SHIP, (call, parcel) -> shop.ship(call.idempotencyKey(), parcel))
              .workflow(OfficeOrder.class)
              .start()) {
        node.up().toCompletableFuture().get(UP_LIMIT_SECONDS, TimeUnit.SECONDS);
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
