package dev.tenure.activities.row;

import dev.tenure.persistence.embedded.LocalPostgres;
import dev.tenure.persistence.storage.TestDatabase;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** An application's own database, on a real PostgreSQL. */
final class TestDataSource {
  private TestDataSource() {}

  static DataSource of(TestDatabase database) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(database.url());
    source.setUser(LocalPostgres.OWNER);
    return source;
  }
}
