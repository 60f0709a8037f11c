package dev.tenure.simulation;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/** {@code ./tenure simulate}. */
public final class Simulate {
  private static final String USAGE =
      """
      usage: ./tenure simulate [--seeds N] [--from N] [--json] [--no-canaries]
             ./tenure simulate --seed N [--flaw NAME] --trace

        --seeds N      so many seeds, one after the other (1000)
        --from N       the first of them (0)
        --seed N       this one alone
        --trace        prints everything that happens
        --flaw NAME    with this bug planted
        --no-canaries  does not look for planted bugs
        --json         one line of JSON for each finding, the verdict last
      """;

  /** What one looks for: how many seeds it took to find each planted bug. */
  public record Found(Flaw flaw, Optional<Simulation.Report> report) {}

  private long seeds = 1_000;
  private long from;
  private Optional<Long> seed = Optional.empty();
  private Flaw flaw = Flaw.NONE;
  private boolean trace;
  private boolean json;
  private boolean canaries = true;

  private Simulate() {}

  public static void main(String[] arguments) {
    Simulate simulate = new Simulate();
    try {
      simulate.read(new ArrayDeque<>(Arrays.asList(arguments)));
    } catch (IllegalArgumentException e) {
      System.err.println("tenure: " + e.getMessage() + "\n" + USAGE);
      System.exit(2);
    }
    System.exit(simulate.run() ? 0 : 1);
  }

  private void read(Deque<String> arguments) {
    while (!arguments.isEmpty()) {
      String option = arguments.poll();
      switch (option) {
        case "--seeds" -> seeds = number(option, arguments);
        case "--from" -> from = number(option, arguments);
        case "--seed" -> seed = Optional.of(number(option, arguments));
        case "--flaw" -> flaw = Flaw.valueOf(value(option, arguments));
        case "--trace" -> trace = true;
        case "--json" -> json = true;
        case "--no-canaries" -> canaries = false;
        default -> throw new IllegalArgumentException("unknown option " + option);
      }
    }
  }

  private static String value(String option, Deque<String> arguments) {
    if (arguments.isEmpty()) throw new IllegalArgumentException(option + " needs a value");
    return arguments.poll();
  }

  private static long number(String option, Deque<String> arguments) {
    String value = value(option, arguments);
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(option + " " + value + " is no number");
    }
  }

  private boolean run() {
    if (seed.isPresent()) {
      Consumer<String> printer = trace ? System.out::println : line -> {};
      Simulation.Report report = Simulation.run(seed.get(), flaw, printer);
      tell(report);
      return report.violation().isEmpty() == (flaw == Flaw.NONE);
    }
    List<Simulation.Report> broken = violations(from, seeds);
    broken.forEach(this::tell);
    List<Found> found = canaries ? canaries(seeds) : List.of();
    found.forEach(this::tell);
    long caught = found.stream().filter(one -> one.report.isPresent()).count();
    System.out.printf(
        json
            ? "{\"simulate\":\"verdict\",\"seeds\":%d,\"violations\":%d,\"canaries_found\":%d,\"canaries\":%d}%n"
            : "%d seeds, %d violations, %d of %d planted bugs found%n",
        seeds,
        broken.size(),
        caught,
        found.size());
    return broken.isEmpty() && caught == found.size();
  }

  /** The seeds that break an invariant, of so many. */
  public static List<Simulation.Report> violations(long from, long seeds) {
    return LongStream.range(from, from + seeds)
        .parallel()
        .mapToObj(one -> Simulation.run(one, Flaw.NONE))
        .filter(report -> report.violation().isPresent())
        .toList();
  }

  /** For each planted bug, the first report of it within so many seeds. */
  public static List<Found> canaries(long seeds) {
    return Arrays.stream(Flaw.values()).filter(one -> one != Flaw.NONE).toList().parallelStream()
        .map(one -> new Found(one, first(one, seeds)))
        .toList();
  }

  private static Optional<Simulation.Report> first(Flaw flaw, long seeds) {
    return LongStream.range(0, seeds)
        .mapToObj(one -> Simulation.run(one, flaw))
        .filter(report -> report.violation().isPresent())
        // What is broken without the planted bug, too, has not found it.
        .filter(report -> Simulation.run(report.seed(), Flaw.NONE).violation().isEmpty())
        .findFirst();
  }

  private void tell(Simulation.Report report) {
    String what = report.violation().map(Throwable::toString).orElse("");
    if (json)
      System.out.printf(
          "{\"simulate\":\"seed\",\"seed\":%d,\"moves\":%d,\"violation\":%s}%n",
          report.seed(), report.moves(), what.isEmpty() ? "null" : quoted(what));
    else
      System.out.printf(
          "seed %d, %d moves, %d workflows: %s%n",
          report.seed(), report.moves(), report.workflows(), what.isEmpty() ? "whole" : what);
    if (trace) report.violation().ifPresent(thrown -> thrown.printStackTrace(System.out));
  }

  private void tell(Found found) {
    AtomicLong at = new AtomicLong(-1);
    found.report.ifPresent(report -> at.set(report.seed()));
    String what =
        found.report.flatMap(Simulation.Report::violation).map(Throwable::toString).orElse("");
    if (json)
      System.out.printf(
          "{\"simulate\":\"canary\",\"canary\":\"%s\",\"found_at_seed\":%s,\"violation\":%s}%n",
          found.flaw, at.get() < 0 ? "null" : at, what.isEmpty() ? "null" : quoted(what));
    else
      System.out.printf(
          "%s (%s): %s%n",
          found.flaw,
          found.flaw.what(),
          at.get() < 0 ? "NOT FOUND" : "found at seed " + at + ", " + what);
  }

  private static String quoted(String text) {
    return '"'
        + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n").replace("\t", " ")
        + '"';
  }
}
