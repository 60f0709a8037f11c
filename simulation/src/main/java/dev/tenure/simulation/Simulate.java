package dev.tenure.simulation;

import dev.tenure.simulation.mutant.Mutants;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/** {@code ./tenure simulate}. */
public final class Simulate {
  private static final String USAGE =
      """
      usage: ./tenure simulate [--seeds N] [--from N] [--json] [--no-canaries | --mutants]
             ./tenure simulate --seed N | --plan FILE [--flaw NAME] [--calm] [--trace]

        --seeds N      so many seeds, one after the other (1000)
        --from N       the first of them (0)
        --seed N       this one alone
        --plan FILE    the life that a file describes
        --plans FOLDER where the plans of broken lives are written (build/plans)
        --calm         with --seed: its programs without any trouble
        --trace        prints everything that happens
        --flaw NAME    with this bug planted
        --mutants      looks for the mutants alone
        --mutant NAMES looks for these alone (A,B,C)
        --no-canaries  does not look for planted bugs
        --json         one line of JSON for each finding, the verdict last
      """;

  private long seeds = 1_000;
  private long from;
  private Optional<Long> seed = Optional.empty();
  private Optional<Path> plan = Optional.empty();
  private Path plans = Path.of("build", "plans");
  private Flaw flaw = Flaw.NONE;
  private boolean calm;
  private boolean trace;
  private boolean json;
  private boolean canaries = true;
  private boolean mutantsOnly;
  private Optional<String> mutant = Optional.empty();

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
        case "--plan" -> plan = Optional.of(Path.of(value(option, arguments)));
        case "--plans" -> plans = Path.of(value(option, arguments));
        case "--flaw" -> flaw = Flaw.valueOf(value(option, arguments));
        case "--calm" -> calm = true;
        case "--trace" -> trace = true;
        case "--json" -> json = true;
        case "--mutants" -> mutantsOnly = true;
        case "--mutant" -> {
          mutantsOnly = true;
          mutant = Optional.of(value(option, arguments));
        }
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
    if (seed.isPresent() || plan.isPresent()) {
      Consumer<String> printer = trace ? System.out::println : line -> {};
      Simulation.Report report =
          plan.isPresent()
              ? Simulation.run(read(plan.get()), flaw, printer)
              : calm
                  ? Simulation.calm(seed.get(), printer)
                  : Simulation.run(seed.get(), flaw, printer);
      tell(report);
      return report.violation().isEmpty() == (flaw == Flaw.NONE);
    }
    List<Simulation.Report> broken = mutantsOnly ? List.of() : violations(from, seeds);
    broken.forEach(this::tell);
    List<Found> found = new ArrayList<>();
    if (canaries) {
      if (!mutantsOnly) found.addAll(canaries(seeds));
      found.addAll(
          mutant.map(one -> Mutants.look(seeds, one)).orElseGet(() -> Mutants.look(seeds)));
    }
    found.forEach(this::tell);
    long caught = found.stream().filter(one -> one.seed().isPresent()).count();
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

  /** A life that was written down. */
  public static Plan read(Path file) {
    try {
      return Plan.of(Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes a life down, so that it can be lived again after the generator has changed. */
  public static Path write(Simulation.Report report, Path folder) {
    try {
      Files.createDirectories(folder);
      return Files.writeString(
          folder.resolve("seed-" + report.seed() + ".json"), report.plan().toJson() + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The seeds that break an invariant, of so many. */
  public static List<Simulation.Report> violations(long from, long seeds) {
    return LongStream.range(from, from + seeds)
        .parallel()
        .mapToObj(one -> Simulation.run(one, Flaw.NONE))
        .filter(report -> report.violation().isPresent())
        .toList();
  }

  /** Each planted bug, looked for in so many seeds. */
  public static List<Found> canaries(long seeds) {
    return Arrays.stream(Flaw.values()).filter(one -> one != Flaw.NONE).toList().parallelStream()
        .map(one -> first(one, seeds))
        .toList();
  }

  private static Found first(Flaw flaw, long seeds) {
    Optional<Simulation.Report> found =
        LongStream.range(0, seeds)
            .mapToObj(one -> Simulation.run(one, flaw))
            .filter(report -> report.violation().filter(flaw::isNamedBy).isPresent())
            // A seed that also breaks without the planted bug has not found the bug.
            .filter(report -> Simulation.run(report.seed(), Flaw.NONE).violation().isEmpty())
            .findFirst();
    return new Found(
        flaw.name(),
        flaw.what(),
        found.map(Simulation.Report::seed),
        found.flatMap(Simulation.Report::violation).map(Throwable::toString).orElse(""));
  }

  private void tell(Simulation.Report report) {
    String what = report.violation().map(Throwable::toString).orElse("");
    String file =
        what.isEmpty() || flaw != Flaw.NONE || plan.isPresent()
            ? ""
            : write(report, plans).toString();
    if (json)
      System.out.printf(
          "{\"simulate\":\"seed\",\"seed\":%d,\"moves\":%d,\"violation\":%s,\"plan\":%s}%n",
          report.seed(),
          report.moves(),
          what.isEmpty() ? "null" : quoted(what),
          file.isEmpty() ? "null" : quoted(file));
    else System.out.println(report + (file.isEmpty() ? "" : "\nits plan: " + file));
    if (trace) report.violation().ifPresent(thrown -> thrown.printStackTrace(System.out));
  }

  private void tell(Found found) {
    if (json)
      System.out.printf(
          "{\"simulate\":\"canary\",\"canary\":\"%s\",\"found_at_seed\":%s,\"violation\":%s}%n",
          found.bug(),
          found.seed().map(Object::toString).orElse("null"),
          found.violation().isEmpty() ? "null" : quoted(found.violation()));
    else
      System.out.printf(
          "%s (%s): %s%n",
          found.bug(),
          found.what(),
          found.seed().isEmpty()
              ? "NOT FOUND " + found.violation()
              : "found at seed " + found.seed().get() + ", " + found.violation());
  }

  private static String quoted(String text) {
    return '"'
        + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n").replace("\t", " ")
        + '"';
  }
}
