package dev.tenure.persistence.postgres;

import com.zaxxer.hikari.HikariDataSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;

/** The pools of a node, one for each {@link ConnectionPurpose}. */
final class Connections implements AutoCloseable {
  private final Map<ConnectionPurpose, HikariDataSource> pools =
      new EnumMap<>(ConnectionPurpose.class);

  Connections(PostgresSettings settings, PostgresProbe probe) {
    for (ConnectionPurpose purpose : ConnectionPurpose.values())
      pools.put(purpose, PostgresPool.open(settings, purpose, probe.looksForClients()));
  }

  DataSource of(ConnectionPurpose purpose) {
    return pools.get(purpose);
  }

  /** All at once: a pool that cannot reach the database takes seconds to close. */
  @Override
  public void close() {
    CompletableFuture.allOf(
            pools.values().stream()
                .map(pool -> CompletableFuture.runAsync(pool::close, Thread::startVirtualThread))
                .toArray(CompletableFuture[]::new))
        .join();
  }
}
