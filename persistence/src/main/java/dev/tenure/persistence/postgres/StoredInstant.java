package dev.tenure.persistence.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;

/** Instants as columns and parameters of type {@code timestamptz}. */
final class StoredInstant {
  private StoredInstant() {}

  static Instant of(ResultSet row, int column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  static Optional<Instant> ofNullable(ResultSet row, int column) throws SQLException {
    return Optional.ofNullable(row.getObject(column, OffsetDateTime.class))
        .map(OffsetDateTime::toInstant);
  }

  static OffsetDateTime parameter(Instant time) {
    return time.atOffset(ZoneOffset.UTC);
  }
}
