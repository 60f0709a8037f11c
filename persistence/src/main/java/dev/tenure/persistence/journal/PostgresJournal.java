package dev.tenure.persistence.journal;

import java.util.List;
import javax.sql.DataSource;

public final class PostgresJournal {
  public PostgresJournal(DataSource database) {}

  public List<Long> newestVersions(List<String> persistenceIds) {
    throw new UnsupportedOperationException();
  }

  public List<List<JournalRow>> read(List<JournalRead> reads) {
    throw new UnsupportedOperationException();
  }
}
