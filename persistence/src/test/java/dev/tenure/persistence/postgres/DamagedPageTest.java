package dev.tenure.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.journal.DamagedJournalError;
import dev.tenure.persistence.journal.JournalRead;
import dev.tenure.persistence.storage.StorageException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** What a read of the journal fails with: damage stays, everything else may pass. */
class DamagedPageTest {
  private static final List<JournalRead> READS =
      List.of(new JournalRead("torn", 1, Long.MAX_VALUE, 10, true));

  private static PostgresJournal failingWith(String state) {
    DataSource database =
        (DataSource)
            Proxy.newProxyInstance(
                DataSource.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> {
                  throw new SQLException("invalid page in block 3", state);
                });
    return new PostgresJournal(database);
  }

  @Test
  void aDamagedPageIsDamage() {
    assertThatThrownBy(() -> failingWith("XX001").read(READS))
        .isInstanceOf(DamagedJournalError.class)
        .hasMessageContaining("torn")
        .hasMessageContaining("invalid page");
  }

  @Test
  void aLostConnectionIsNot() {
    assertThatThrownBy(() -> failingWith("08006").read(READS))
        .isInstanceOf(StorageException.Unavailable.class);
  }
}
