package dev.tenure.persistence.commit;

import java.util.List;
import javax.sql.DataSource;

public final class PostgresCommits {
  public PostgresCommits(DataSource database) {}

  public List<CommitResult> commit(List<Commit> batch) {
    throw new UnsupportedOperationException();
  }
}
