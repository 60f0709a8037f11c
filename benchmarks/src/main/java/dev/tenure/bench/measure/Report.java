package dev.tenure.bench.measure;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;

/** Prints results as they come: as JSON lines for machines, aligned pairs for people. */
public final class Report {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int DIGITS = 4;

  private final String bench;
  private final boolean json;
  private final PrintStream out = System.out;

  public Report(String bench, boolean json) {
    this.bench = bench;
    this.json = json;
  }

  public void line(String path, Map<String, ? extends Object> figures) {
    line("path", path, figures);
  }

  /** A line of something else than a path. */
  public void line(String kind, String name, Map<String, ? extends Object> figures) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("bench", bench);
    all.put(kind, name);
    figures.forEach((figure, value) -> all.put(figure, rounded(value)));
    out.println(json ? toJson(all) : toText(all));
    out.flush();
  }

  private static Object rounded(Object value) {
    if (!(value instanceof Double d)) return value;
    if (d.isNaN() || d.isInfinite()) return null;
    BigDecimal exact = BigDecimal.valueOf(d);
    int integerDigits = exact.precision() - exact.scale();
    return exact.round(new MathContext(Math.max(DIGITS, integerDigits)));
  }

  private static String toJson(Map<String, Object> all) {
    try {
      return JSON.writeValueAsString(all);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String toText(Map<String, Object> all) {
    StringJoiner text = new StringJoiner("  ");
    all.forEach((name, value) -> text.add(name + "=" + plain(value)));
    return text.toString();
  }

  private static Object plain(Object value) {
    return value instanceof BigDecimal number ? number.toPlainString() : value;
  }
}
