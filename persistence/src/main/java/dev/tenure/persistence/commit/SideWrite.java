package dev.tenure.persistence.commit;

import java.util.List;

/**
 * A kind of row that rides in the transaction of a commit.
 *
 * @param name what it is called in messages and in storages without SQL
 * @param sql one statement for many rows; its parameters are arrays, one per column, in order
 * @param columnTypes the arrays' PostgreSQL element types, for example {@code text} or {@code int8}
 */
public record SideWrite(String name, String sql, List<String> columnTypes) {
  public SideWrite {
    columnTypes = List.copyOf(columnTypes);
  }
}
