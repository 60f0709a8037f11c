package dev.tenure.activities.row;

import dev.tenure.workflow.ActivityContext;
import dev.tenure.workflow.Verifier;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Says for each call what its row in the table of {@link KeyedRow} says. */
public final class KeyedRowVerifier<I, O> implements Verifier<I, O> {
  private final RowLookup lookup;
  private final Class<O> type;

  KeyedRowVerifier(RowLookup lookup, Class<O> type) {
    this.lookup = lookup;
    this.type = type;
  }

  public KeyedRowVerifier<I, O> withQueryTimeout(Duration max) {
    return new KeyedRowVerifier<>(lookup.within(max), type);
  }

  @Override
  public Verdict<O> verify(ActivityContext context, I input) throws Exception {
    try {
      return lookup.read(List.of(KeyedRow.stored(context.idempotencyKey())), 1, this::verdict);
    } catch (SQLException e) {
      return Verdict.indeterminate(RowLookup.shown(e));
    }
  }

  private Verdict<O> verdict(ResultSet rows) throws SQLException {
    if (!rows.next()) return Verdict.notCompleted("keyed_effect has no row with the key");
    String text = rows.getString("result");
    if (text == null)
      return Verdict.resultUnavailable("keyed_effect has a row with the key, and no result in it");
    try {
      return Verdict.completed(
          KeyedRow.read(text, type), "keyed_effect has a row with the key and its result");
    } catch (IllegalStateException e) {
      return Verdict.indeterminate(e.getMessage());
    }
  }
}
