package dev.tenure.node.command.remote;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/**
 * The ids of workflows: as they were given, or from standard input, a line each. An id may hold
 * anything, also the end of a line with another's id after it: what would not come back as it was
 * goes as a JSON string.
 */
final class Ids {
  static final String STDIN = "-";
  private static final String QUOTE = "\"";

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
          .filter(line -> !line.isBlank())
          .map(Ids::read);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As it is written for another command's standard input. */
  static String line(String id) {
    boolean asItIs =
        Output.harmless(id).equals(id)
            && id.strip().equals(id)
            && id.indexOf('\n') < 0
            && !id.startsWith(QUOTE)
            && !id.equals(STDIN);
    return asItIs ? id : Output.harmlessJson(JsonNodeFactory.instance.textNode(id).toString());
  }

  private static String read(String line) {
    if (!line.startsWith(QUOTE)) return line;
    try {
      return Value.JSON.readValue(line, String.class);
    } catch (JsonProcessingException e) {
      throw new CommandError(
          "%s is neither an id nor a JSON string: %s".formatted(line, e.getOriginalMessage()));
    }
  }
}
