package dev.tenure.persistence.postgres;

import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageContract;
import dev.tenure.persistence.storage.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public class PostgresContractTest extends StorageContract implements PostgresStoreUnderTest {
  private TestDatabase database;
  private PostgresStorage storage;

  @BeforeAll
  public void open() throws SQLException {
    database = TestDatabase.migrated();
    storage = PostgresStorage.open(database.settings());
    storage.prepare(IDENTITY);
  }

  @AfterAll
  public void close() {
    storage.close();
    database.close();
  }

  @Override
  public Storage storage() {
    return storage;
  }

  @Override
  public Connection owner() {
    return database.owner();
  }
}
