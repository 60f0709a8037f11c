package dev.tenure.activities.row;

import dev.tenure.workflow.ActivityContext;
import dev.tenure.workflow.ResourceVerifier;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * Looks up the row that an activity wrote: it has to be there, and chosen columns have to be equal
 * to what the history recorded. An error of the database is thrown, which counts as a difference.
 */
public final class RowResourceVerifier<I, O> implements ResourceVerifier<I, O> {
  private record Column<O>(String name, Function<? super O, ?> recorded) {}

  private final RowLookup lookup;
  private final BiFunction<? super I, ? super O, List<?>> parameters;
  private final List<Column<O>> columns;

  private RowResourceVerifier(
      RowLookup lookup,
      BiFunction<? super I, ? super O, List<?>> parameters,
      List<Column<O>> columns) {
    this.lookup = lookup;
    this.parameters = parameters;
    this.columns = List.copyOf(columns);
  }

  /**
   * @param select of one row, such as {@code SELECT status FROM charge WHERE id = ?}
   * @param parameters made of the input and the recorded result
   */
  public static <I, O> RowResourceVerifier<I, O> of(
      DataSource dataSource, String select, BiFunction<? super I, ? super O, List<?>> parameters) {
    return new RowResourceVerifier<>(
        new RowLookup(dataSource, select, RowLookup.QUERY_MAX_DEFAULT), parameters, List.of());
  }

  /** The column has to be equal to what the history has: a text, a number, a time, or null. */
  public RowResourceVerifier<I, O> comparing(String column, Function<? super O, ?> recorded) {
    List<Column<O>> all = new ArrayList<>(columns);
    all.add(new Column<>(column, recorded));
    return new RowResourceVerifier<>(lookup, parameters, all);
  }

  public RowResourceVerifier<I, O> withQueryTimeout(Duration max) {
    return new RowResourceVerifier<>(lookup.within(max), parameters, columns);
  }

  @Override
  public Optional<String> difference(ActivityContext context, I input, O recorded)
      throws Exception {
    return lookup.read(parameters.apply(input, recorded), 1, rows -> difference(rows, recorded));
  }

  private Optional<String> difference(ResultSet rows, O recorded) throws SQLException {
    if (!rows.next()) return Optional.of("the row is not there any more");
    List<String> differences = new ArrayList<>();
    for (Column<O> column : columns) {
      Object expected = column.recorded.apply(recorded);
      if (!isSame(rows, column.name, expected))
        differences.add(
            "column %s is %s, and the history has %s"
                .formatted(column.name, rows.getString(column.name), expected));
    }
    return differences.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", differences));
  }

  private static boolean isSame(ResultSet row, String column, Object expected) throws SQLException {
    if (row.getObject(column) == null) return expected == null;
    return switch (expected) {
      case null -> false;
      // By value: the database has its own idea of how many digits follow the point.
      case Number number ->
          row.getBigDecimal(column).compareTo(new BigDecimal(number.toString())) == 0;
      case Instant time -> row.getObject(column, OffsetDateTime.class).toInstant().equals(time);
      case Enum<?> word -> row.getString(column).equals(word.name());
      case String text -> row.getString(column).equals(text);
      default -> expected.equals(row.getObject(column, expected.getClass()));
    };
  }
}
