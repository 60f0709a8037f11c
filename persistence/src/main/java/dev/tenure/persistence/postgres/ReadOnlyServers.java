package dev.tenure.persistence.postgres;

import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;

/**
 * Takes a connection out of its pool whose server takes no writes any more. A primary that became a
 * standby may keep its sessions; the pool itself only gives up connections that broke.
 */
final class ReadOnlyServers implements SQLExceptionOverride {
  private static final String READ_ONLY_TRANSACTION = "25006";

  @java.lang.Override // the interface has a type of that name
  public Override adjudicate(SQLException failure) {
    return READ_ONLY_TRANSACTION.equals(failure.getSQLState())
        ? Override.MUST_EVICT
        : Override.CONTINUE_EVICT;
  }
}
