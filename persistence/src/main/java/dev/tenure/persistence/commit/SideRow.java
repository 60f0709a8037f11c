package dev.tenure.persistence.commit;

import java.util.List;

/** One row of a {@link SideWrite}: stored if, and only if, the commit it belongs to is. */
public record SideRow(SideWrite kind, List<Object> values) {
  public SideRow {
    if (values.size() != kind.columnTypes().size()) {
      throw new InvalidCommitError(
          kind.name() + " has " + kind.columnTypes().size() + " columns, not " + values.size());
    }
    for (Object value : values) {
      if (value instanceof String text) StoredText.requireCharacters(kind.name(), text);
    }
  }

  public static SideRow of(SideWrite kind, Object... values) {
    return new SideRow(kind, java.util.Arrays.asList(values));
  }
}
