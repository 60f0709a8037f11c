package dev.tenure.workflow.lifecycle;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A lifecycle as a table: from where, by what, to where. What is not in the table cannot happen,
 * and the diagram in the documentation is drawn from it.
 */
public final class TransitionTable<P extends Enum<P>, T extends Enum<T>> {

  public record Row<P, T>(P from, T trigger, P to) {}

  private final Map<P, Map<T, P>> next;
  private final List<Row<P, T>> rows;
  private final Class<T> triggers;

  private TransitionTable(Class<P> phases, Class<T> triggers) {
    this.next = new EnumMap<>(phases);
    this.rows = new ArrayList<>();
    this.triggers = triggers;
  }

  public static <P extends Enum<P>, T extends Enum<T>> TransitionTable<P, T> of(
      Class<P> phases, Class<T> triggers) {
    return new TransitionTable<>(phases, triggers);
  }

  TransitionTable<P, T> row(P from, T trigger, P to) {
    P before = next.computeIfAbsent(from, phase -> new EnumMap<>(triggers)).put(trigger, to);
    if (before != null)
      throw new IllegalArgumentException("Two rows for " + from + " by " + trigger + ".");
    rows.add(new Row<>(from, trigger, to));
    return this;
  }

  public List<Row<P, T>> rows() {
    return List.copyOf(rows);
  }

  /** Where the trigger leads, empty where it must not come. */
  public Optional<P> next(P from, T trigger) {
    Map<T, P> row = next.get(from);
    return row == null ? Optional.empty() : Optional.ofNullable(row.get(trigger));
  }

  /** Where the trigger leads; a history in which it comes where it must not is damaged. */
  public P require(P from, T trigger, Object whose) {
    Map<T, P> row = next.get(from);
    P to = row == null ? null : row.get(trigger);
    if (to == null)
      throw new ImpossibleHistoryError(
          "%s came to %s, which is %s. Do not go on with it; look into its history."
              .formatted(trigger, whose, from));
    return to;
  }

  /** As a state diagram in Mermaid's notation. */
  public String diagram() {
    StringBuilder diagram = new StringBuilder("stateDiagram-v2\n");
    for (Row<P, T> row : rows)
      diagram.append("  %s --> %s: %s%n".formatted(row.from, row.to, words(row.trigger)));
    return diagram.toString().replace("\r\n", "\n");
  }

  private static String words(Enum<?> constant) {
    return constant.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
  }
}
