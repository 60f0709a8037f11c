package dev.tenure.examples.payment;

import dev.tenure.activities.row.KeyedRow;
import dev.tenure.activities.row.RowResourceVerifier;
import dev.tenure.workflow.ActivityCode;
import dev.tenure.workflow.ActivityContext;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.ResourceVerifier;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/** The shop's own books, in a PostgreSQL that is not the engine's. */
public final class Books {
  public static final ActivityDefinition<Payment, Entry> ENTER =
      ActivityDefinition.of("enter", Payment.class, Entry.class).keyed();

  private final DataSource dataSource;

  public Books(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  public ActivityCode<Payment, Entry> entering() {
    return ActivityCode.of(ENTER, this::enter)
        .verifiedBy(KeyedRow.verifier(dataSource, Entry.class))
        .checkedBy(
            RowResourceVerifier.<Payment, Entry>of(
                    dataSource,
                    "SELECT state FROM entry WHERE number = ? AND payment = ?",
                    (payment, entry) -> List.of(entry.number(), payment.id()))
                .comparing("state", entry -> "paid"),
            ResourceVerifier.Mode.WARN);
  }

  Entry enter(ActivityContext context, Payment payment) throws SQLException {
    String key = context.idempotencyKey();
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      if (!KeyedRow.claim(connection, key))
        return KeyedRow.result(connection, key, Entry.class).orElseThrow();
      Entry entry = insert(connection, payment);
      KeyedRow.store(connection, key, entry);
      connection.commit();
      return entry;
    }
  }

  private static Entry insert(Connection connection, Payment payment) throws SQLException {
    String sql =
        """
        INSERT INTO entry (payment, state) VALUES (?, ?) RETURNING number
        """;
    try (PreparedStatement insert = connection.prepareStatement(sql)) {
      insert.setString(1, payment.id());
      insert.setString(2, payment.state());
      try (ResultSet rows = insert.executeQuery()) {
        rows.next();
        return new Entry(rows.getLong("number"));
      }
    }
  }
}
