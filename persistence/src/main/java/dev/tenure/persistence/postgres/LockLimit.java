package dev.tenure.persistence.postgres;

import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;

/** For how long the connections of a migration wait for a lock. */
record LockLimit(Duration limit) implements Callback {
  @Override
  public boolean supports(Event event, Context context) {
    return event == Event.AFTER_CONNECT;
  }

  @Override
  public boolean canHandleInTransaction(Event event, Context context) {
    return true;
  }

  @Override
  public void handle(Event event, Context context) {
    try (Statement statement = context.getConnection().createStatement()) {
      statement.execute("SET lock_timeout = " + limit.toMillis());
    } catch (SQLException e) {
      throw new FlywayException("the limit of locks cannot be set", e);
    }
  }

  @Override
  public String getCallbackName() {
    return LockLimit.class.getSimpleName();
  }
}
