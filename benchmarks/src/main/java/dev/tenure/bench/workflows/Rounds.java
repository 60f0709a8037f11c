package dev.tenure.bench.workflows;

import dev.tenure.bench.commits.EmptyActors;
import dev.tenure.bench.measure.BenchServer;
import dev.tenure.bench.measure.Options;
import dev.tenure.bench.measure.Report;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Measures the work and its baseline in turns, so that other load of the machine affects both. */
public final class Rounds {
  private static final int WRITERS = 256;

  private final BenchServer server;
  private final Options options;
  private final Report report;
  private final Map<String, List<Map<String, Object>>> measured = new LinkedHashMap<>();

  public Rounds(BenchServer server, Options options, Report report) {
    this.server = server;
    this.options = options;
    this.report = report;
  }

  /** Measures once, and prints it. */
  public void measure(String path, Supplier<Map<String, Object>> measurement) {
    Map<String, Object> figures = measurement.get();
    report.line(path, figures);
    measured.computeIfAbsent(path, name -> new ArrayList<>()).add(figures);
  }

  /** The baseline: actors that store and do nothing else. */
  void measureEmptyActors() {
    measure(
        "empty-actors", () -> EmptyActors.measure(server, WRITERS, options.pipeline(), options));
  }

  /** The mean of a figure over the rounds. */
  public double mean(String path, String figure) {
    return measured.get(path).stream()
        .mapToDouble(figures -> ((Number) figures.get(figure)).doubleValue())
        .average()
        .orElseThrow();
  }

  double emptyActorsPerSecond() {
    return mean("empty-actors", "commits_per_s");
  }

  /** Puts the mean of figures into a verdict. */
  public void into(Map<String, Object> verdict, String path, String... figures) {
    for (String figure : figures) verdict.put(figure, mean(path, figure));
  }

  public void verdict(Map<String, Object> figures) {
    report.line("verdict", figures);
  }
}
