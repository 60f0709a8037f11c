package dev.tenure.activities.row;

import dev.tenure.workflow.ActivityContext;
import dev.tenure.workflow.Verifier;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import javax.sql.DataSource;

/**
 * Looks up one row by the call's key. A row: completed, with a result made of its columns. None:
 * not completed. More than one, a row that cannot be read, or an error of the database:
 * indeterminate.
 *
 * <p>That is exact when the row is written in the same transaction as the effect and under a unique
 * key, see {@link KeyedRow}. Otherwise a row can be missing although there was an effect.
 */
public final class RowVerifier<I, O> implements Verifier<I, O> {
  /** Makes a result of the row that the result set is at. */
  @FunctionalInterface
  public interface Reading<O> {
    O read(ResultSet row) throws Exception;
  }

  private final RowLookup lookup;
  private final BiFunction<ActivityContext, ? super I, List<?>> parameters;
  private final Reading<? extends O> reading;

  private RowVerifier(
      RowLookup lookup,
      BiFunction<ActivityContext, ? super I, List<?>> parameters,
      Reading<? extends O> reading) {
    this.lookup = lookup;
    this.parameters = parameters;
    this.reading = reading;
  }

  /**
   * Its one parameter is the call's stable key.
   *
   * @param select such as {@code SELECT id, amount FROM charge WHERE key = ?}
   */
  public static <I, O> RowVerifier<I, O> of(
      DataSource dataSource, String select, Reading<? extends O> reading) {
    return of(dataSource, select, (context, input) -> List.of(context.idempotencyKey()), reading);
  }

  /** With parameters of the application's own. They have to tell each call from all others. */
  public static <I, O> RowVerifier<I, O> of(
      DataSource dataSource,
      String select,
      BiFunction<ActivityContext, ? super I, List<?>> parameters,
      Reading<? extends O> reading) {
    return new RowVerifier<>(
        new RowLookup(dataSource, select, RowLookup.QUERY_MAX_DEFAULT), parameters, reading);
  }

  public RowVerifier<I, O> withQueryTimeout(Duration max) {
    return new RowVerifier<>(lookup.within(max), parameters, reading);
  }

  @Override
  public Verdict<O> verify(ActivityContext context, I input) throws Exception {
    try {
      return lookup.read(parameters.apply(context, input), 2, this::verdict);
    } catch (SQLException e) {
      return Verdict.indeterminate(RowLookup.shown(e));
    }
  }

  private Verdict<O> verdict(ResultSet rows) throws SQLException {
    if (!rows.next()) return Verdict.notCompleted("there is no row with the key");
    O result;
    try {
      result = reading.read(rows);
    } catch (Exception e) {
      return Verdict.indeterminate("the row with the key cannot be read: " + e.getMessage());
    }
    if (rows.next()) return Verdict.indeterminate("there is more than one row with the key");
    return Verdict.completed(result, "there is one row with the key");
  }
}
