package dev.tenure.node.command.remote;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/** The ids of workflows: as they were given, or from standard input, a line each. */
final class Ids {
  static final String STDIN = "-";

  private Ids() {}

  static List<String> of(List<String> given) {
    List<String> ids =
        given.stream().flatMap(id -> id.equals(STDIN) ? lines() : Stream.of(id)).toList();
    if (ids.stream().anyMatch(String::isEmpty)) throw new CommandError("an id is not empty");
    return ids;
  }

  private static Stream<String> lines() {
    try {
      // All of them before the first is used: who writes them may be reading what changes.
      return new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
          .readAllAsString()
          .lines()
          .filter(line -> !line.isBlank());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
