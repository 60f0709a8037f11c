package dev.tenure.persistence.storage;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * The connections of a storage without SQL: whoever is only handed it can start, whoever uses it is
 * told which storage has none.
 */
record NoConnections(String storage) implements DataSource {
  private SQLFeatureNotSupportedException refusal() {
    return new SQLFeatureNotSupportedException(
        storage + " has no SQL connections: what needs them needs a PostgreSQL");
  }

  @Override
  public Connection getConnection() throws SQLException {
    throw refusal();
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    throw refusal();
  }

  @Override
  public PrintWriter getLogWriter() throws SQLException {
    throw refusal();
  }

  @Override
  public void setLogWriter(PrintWriter out) throws SQLException {
    throw refusal();
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    throw refusal();
  }

  @Override
  public int getLoginTimeout() throws SQLException {
    throw refusal();
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw refusal();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw refusal();
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return type.isInstance(this);
  }
}
