package dev.tenure.persistence.membership;

import javax.sql.DataSource;

public final class PostgresMembers implements MemberRows {
  public PostgresMembers(DataSource database) {}
}
