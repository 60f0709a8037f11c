package dev.tenure.persistence.postgres;

import dev.tenure.persistence.storage.StorageException;
import java.sql.SQLException;

/** What a failed statement or COMMIT means for the caller. */
final class SqlFailures {
  /** Raised by the function refuse_removed_id. */
  private static final String ID_REMOVED = "TN002";

  private SqlFailures() {}

  /** A statement failed, so its transaction did: nothing took effect. */
  static StorageException beforeCommit(String what, SQLException e) {
    String state = e.getSQLState() == null ? "" : e.getSQLState();
    String message = what + " failed (" + state + "): " + e.getMessage();
    if (state.equals(ID_REMOVED)) return new StorageException.IdRemoved(message, e);
    // Data, constraints, rights and names, the server's own limits: the same call fails again.
    boolean refused =
        state.startsWith("22")
            || state.startsWith("23")
            || state.startsWith("42")
            || state.startsWith("54");
    return refused
        ? new StorageException.Refused(message, e)
        : new StorageException.Unavailable(message, e, answered(state) ? state : "");
  }

  /**
   * Whether the server answered, and goes on. 08 is a connection that broke, 57P0x a server that
   * ends the session, which may be after the commit record.
   */
  private static boolean answered(String state) {
    return state.length() == 5
        && !state.startsWith("08")
        && !state.startsWith("57P")
        && !state.equals("40003");
  }

  /**
   * COMMIT, or a statement that commits by itself, failed: nothing was committed only if the server
   * itself said so.
   */
  static StorageException atCommit(String what, SQLException e) {
    String state = e.getSQLState() == null ? "" : e.getSQLState();
    // The server answered, and the answer was an error: it rolled back.
    return answered(state) && !state.startsWith("XX") && !state.startsWith("58")
        ? beforeCommit(what, e)
        : new StorageException.OutcomeUnknown(
            what + " may or may not have been committed (" + state + "): " + e.getMessage(),
            e,
            answered(state) ? state : "");
  }
}
