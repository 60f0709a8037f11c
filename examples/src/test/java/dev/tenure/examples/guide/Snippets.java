package dev.tenure.examples.guide;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Java in the documentation, and where it comes from. A comment before each block names a
 * source file of this module; every stretch of the block, between lines that only say {@code …},
 * stands in that file, line by line, however far it is indented there.
 */
record Snippets(Path sources) {
  private static final Pattern BLOCK =
      Pattern.compile("(?:<!-- ([\\w/.]+) -->\\s*)?```java\\n(.*?)```", Pattern.DOTALL);
  private static final String ELLIPSIS = "…";

  /** What is wrong with the Java on a page; empty when nothing is. */
  List<String> problems(String page) {
    List<String> problems = new ArrayList<>();
    Matcher block = BLOCK.matcher(page);
    while (block.find()) problem(block.group(1), block.group(2)).ifPresent(problems::add);
    return problems;
  }

  static int count(String page) {
    return (int) BLOCK.matcher(page).results().count();
  }

  private Optional<String> problem(String name, String code) {
    String shown = code.lines().findFirst().orElse("");
    if (name == null) return Optional.of("no source is named for the block that begins " + shown);
    Path file = sources.resolve(name);
    if (!Files.exists(file)) return Optional.of(name + " does not exist");
    List<String> source = stripped(read(file));
    int from = 0;
    for (List<String> stretch : stretches(stripped(code))) {
      int at = find(stretch, source, from);
      if (at < 0)
        return Optional.of(name + " does not contain this:\n" + String.join("\n", stretch));
      from = at + stretch.size();
    }
    return Optional.empty();
  }

  private static List<List<String>> stretches(List<String> lines) {
    List<List<String>> all = new ArrayList<>(List.of(new ArrayList<>()));
    for (String line : lines) {
      if (line.equals(ELLIPSIS)) all.add(new ArrayList<>());
      else all.getLast().add(line);
    }
    all.removeIf(List::isEmpty);
    return all;
  }

  private static int find(List<String> stretch, List<String> source, int from) {
    for (int at = from; at + stretch.size() <= source.size(); at++) {
      if (source.subList(at, at + stretch.size()).equals(stretch)) return at;
    }
    return -1;
  }

  // Blank lines and indentation are a matter of the page.
  private static List<String> stripped(String text) {
    return Arrays.stream(text.split("\n")).map(String::strip).filter(l -> !l.isEmpty()).toList();
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
