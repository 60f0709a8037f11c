package dev.tenure.persistence.commit;

import dev.tenure.persistence.embedded.LocalPostgres;
import dev.tenure.persistence.storage.PostgresStorage;
import dev.tenure.persistence.storage.PostgresStoreUnderTest;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageContract;
import dev.tenure.persistence.storage.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/**
 * Most promises are tried with commits that are alone, which have statements of their own: here the
 * statements for many keep them, too.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InCompanyTest extends StorageContract implements PostgresStoreUnderTest {
  private TestDatabase database;
  private PostgresStorage storage;
  private Storage inCompany;

  @BeforeAll
  void open() throws SQLException {
    database = TestDatabase.migrated();
    try (Connection connection = owner()) {
      PostgresStoreUnderTest.createNotes(connection, LocalPostgres.APPLICATION);
    }
    storage = PostgresStorage.open(database.settings());
    storage.prepare(IDENTITY);
    inCompany = new InCompany(storage);
  }

  @AfterAll
  void close() {
    storage.close();
    database.close();
  }

  @Override
  public Storage storage() {
    return inCompany;
  }

  @Override
  public Connection owner() {
    return database.owner();
  }
}
