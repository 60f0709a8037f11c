package dev.tenure.node.command.remote;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What is printed: tables for people, JSON for programs, one document a line. */
public final class Output {
  public enum Form {
    table,
    json
  }

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORM",
      defaultValue = "table",
      description = "${COMPLETION-CANDIDATES}; JSON is one document a line (default: table).")
  private Form form;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  public boolean isJson() {
    return form == Form.json;
  }

  /** From now on JSON, whatever was asked for. */
  public void json() {
    form = Form.json;
  }

  /** One document: as it came, or as lines for people. */
  public void say(JsonNode document, String forPeople) {
    line(isJson() ? document.toString() : forPeople);
  }

  public void line(String text) {
    out().println(isJson() ? harmlessJson(text) : harmless(text));
    out().flush();
  }

  /** Rows of cells below their heads, as wide as they need to be. */
  public void table(List<String> heads, List<List<String>> rows) {
    List<List<String>> all = new ArrayList<>();
    all.add(heads);
    rows.forEach(row -> all.add(row.stream().map(Output::cell).toList()));
    int[] widths =
        IntStream.range(0, heads.size())
            .map(i -> all.stream().mapToInt(row -> row.get(i).length()).max().orElse(0))
            .toArray();
    for (List<String> row : all) {
      out()
          .println(
              IntStream.range(0, widths.length)
                  .mapToObj(i -> row.get(i) + " ".repeat(widths[i] - row.get(i).length()))
                  .collect(Collectors.joining("  "))
                  .stripTrailing());
    }
    out().flush();
  }

  /** What is in a cell must not look like another row. */
  private static String cell(String text) {
    return harmless(text).replace("\n", "\\u{a}");
  }

  /** A workflow's id may hold anything: a terminal must not take it for an order. */
  public static String harmless(String text) {
    return replaced(text, c -> "\\u{%x}".formatted(c));
  }

  /** The same in JSON, where an escape is the same text: they occur in strings only. */
  static String harmlessJson(String json) {
    return replaced(
        json,
        c -> {
          StringBuilder escapes = new StringBuilder();
          for (char unit : Character.toChars(c)) escapes.append("\\u%04x".formatted((int) unit));
          return escapes.toString();
        });
  }

  private static String replaced(String text, IntFunction<String> escape) {
    StringBuilder visible = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> {
              boolean order =
                  Character.isISOControl(c) && c != '\n'
                      || Character.getType(c) == Character.FORMAT
                      || Character.getType(c) == Character.SURROGATE;
              if (order) visible.append(escape.apply(c));
              else visible.appendCodePoint(c);
            });
    return visible.toString();
  }
}
