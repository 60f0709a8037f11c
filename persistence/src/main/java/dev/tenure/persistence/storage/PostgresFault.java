package dev.tenure.persistence.storage;

import java.sql.SQLException;

/** What an SQL error says about the effect of the call that failed. */
public final class PostgresFault {
  private PostgresFault() {}

  /** The statement that failed could not have committed anything yet. */
  public static StorageException beforeTransaction(SQLException e, String doing) {
    return refusesData(e)
        ? new StorageException.Refused(message(e, doing), e)
        : new StorageException.Unavailable(message(e, doing), e);
  }

  /**
   * The statement that failed would have committed. An answer of the server means that it rolled
   * back; a broken connection or a shutdown (class 57P: even one that interrupts the wait after the
   * commit record was written) means that nobody knows.
   */
  public static StorageException inTransaction(SQLException e, String doing) {
    String state = e.getSQLState() == null ? "08" : e.getSQLState();
    if (state.startsWith("08") || state.startsWith("57P") || state.startsWith("58")) {
      return new StorageException.OutcomeUnknown(message(e, doing), e);
    }
    return beforeTransaction(e, doing);
  }

  /**
   * Data exceptions, constraint violations, and limits of the server: the same call fails again.
   */
  private static boolean refusesData(SQLException e) {
    String state = e.getSQLState();
    return state != null
        && (state.startsWith("22") || state.startsWith("23") || state.startsWith("54"));
  }

  private static String message(SQLException e, String doing) {
    return doing + " failed: " + e.getMessage();
  }
}
