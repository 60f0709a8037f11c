package dev.tenure.http.events;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A place in a history: after this event.
 *
 * @param version of its commit, from 1; 0 is before everything
 * @param index of the event in it
 */
record Position(long version, int index) {
  static final Position START = new Position(0, 0);

  private static final Pattern WRITTEN = Pattern.compile("([0-9]{1,18})\\.([0-9]{1,9})");

  /** Empty when this API did not write the text. */
  static Optional<Position> parse(String text) {
    Matcher parts = WRITTEN.matcher(text);
    if (!parts.matches()) return Optional.empty();
    return Optional.of(
        new Position(Long.parseLong(parts.group(1)), Integer.parseInt(parts.group(2))));
  }

  boolean isAfter(Position other) {
    return version != other.version ? version > other.version : index > other.index;
  }

  @Override
  public String toString() {
    return version + "." + index;
  }
}
