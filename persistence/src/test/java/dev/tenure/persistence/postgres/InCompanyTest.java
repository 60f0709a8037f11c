package dev.tenure.persistence.postgres;

import dev.tenure.persistence.storage.Storage;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeAll;

/**
 * Most promises are tried with commits that are alone, which have statements of their own: here the
 * statements for many keep them, too.
 */
class InCompanyTest extends PostgresContractTest {
  private Storage inCompany;

  @BeforeAll
  @Override
  public void open() throws SQLException {
    super.open();
    inCompany = new InCompany(super.storage());
  }

  @Override
  public Storage storage() {
    return inCompany;
  }
}
