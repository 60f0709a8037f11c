package dev.tenure.persistence.postgres;

import dev.tenure.persistence.storage.CheckpointOwnership;
import dev.tenure.persistence.storage.Durability;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageContract;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.postgresql.PostgreSQLContainer;

/** The contract on the oldest server that is supported, as it comes; skipped without Docker. */
@Testcontainers(disabledWithoutDocker = true)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ContainerContractTest extends StorageContract implements PostgresStoreUnderTest {
  private static final String APPLICATION = "engine";

  // Testcontainers turns fsync off: the engine would rightly call that not durable.
  @Container
  private static final PostgreSQLContainer SERVER =
      new PostgreSQLContainer("postgres:14-alpine")
          .withCommand("postgres", "-c", "fsync=on", "-c", "max_connections=100");

  private PostgresStorage storage;

  @BeforeAll
  void open() throws SQLException {
    try (Connection owner = owner();
        Statement statement = owner.createStatement()) {
      statement.execute("CREATE ROLE " + APPLICATION + " LOGIN PASSWORD 'of the engine'");
    }
    storage =
        PostgresStorage.open(
            PostgresSettings.of(SERVER.getJdbcUrl(), APPLICATION, "of the engine")
                .withMigration(SERVER.getUsername(), SERVER.getPassword()));
    CheckpointOwnership.CAS_REQUIRED.require(storage);
    Durability.REQUIRED.require(storage);
    storage.prepare(IDENTITY);
  }

  @AfterAll
  void close() {
    if (storage != null) storage.close();
  }

  @Override
  public Storage storage() {
    return storage;
  }

  @Override
  public Connection owner() throws SQLException {
    return DriverManager.getConnection(
        SERVER.getJdbcUrl(), SERVER.getUsername(), SERVER.getPassword());
  }
}
