package dev.tenure.persistence.journal;

/**
 * Which of Pekko's serializers reads the payload of a row, and with which manifest. One column says
 * both. Nearly every row is an entry of a workflow: of those the column has the manifest alone.
 */
public record PayloadForm(int serializer, String manifest) {
  /** The serializer of entries: never given to another one. */
  public static final int ENTRIES = 740_001;

  private static final char SEPARATOR = ':';

  /** No manifest of an entry has a separator in it. */
  public String column() {
    return serializer == ENTRIES ? manifest : serializer + String.valueOf(SEPARATOR) + manifest;
  }

  public static PayloadForm ofColumn(String column) {
    int separator = column.indexOf(SEPARATOR);
    try {
      if (separator > 0)
        return new PayloadForm(
            Integer.parseInt(column.substring(0, separator)), column.substring(separator + 1));
    } catch (NumberFormatException e) {
      // Falls through: the serializer of entries refuses what is no manifest of its own.
    }
    return new PayloadForm(ENTRIES, column);
  }
}
