package dev.tenure.simulation.mutant;

import dev.tenure.simulation.Found;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Looks for the mutants. */
public final class Mutants {

  static final List<Mutant> ALL =
      Stream.of(OwnerMutants.ALL, WakeMutants.ALL, CodeMutants.ALL, LeaseMutants.ALL)
          .flatMap(List::stream)
          .toList();

  private Mutants() {}

  /** The engine of one thread: each thread has its own. */
  private static final class Engine {
    final MutantLoader loader = new MutantLoader(ALL);
    final Method live;

    Engine() {
      try {
        live =
            loader
                .loadClass(MutantLife.class.getName())
                .getMethod("live", String.class, int.class, long.class);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }

    String live(String mutant, int oneIn, long seed) {
      try {
        return (String) live.invoke(null, mutant, oneIn, seed);
      } catch (IllegalAccessException e) {
        throw new IllegalStateException(e);
      } catch (InvocationTargetException thrown) {
        return thrown.getCause().getClass().getSimpleName() + "\n" + thrown.getCause();
      }
    }

    Found look(Mutant mutant, long seeds) {
      String other = "";
      for (long seed = 0; seed < seeds; seed++) {
        String violation = live(mutant.name(), mutant.oneIn(), seed);
        // A seed that also breaks without the mutant has not found it.
        if (violation.startsWith(mutant.invariant() + "\n") && live("", 1, seed).isEmpty())
          return new Found(
              mutant.name(),
              mutant.what(),
              Optional.of(seed),
              violation.substring(violation.indexOf('\n') + 1));
        if (!violation.isEmpty() && other.isEmpty()) other = "only: " + violation;
      }
      return new Found(mutant.name(), mutant.what(), Optional.empty(), other);
    }
  }

  /** Each mutant, looked for in so many seeds, by the invariant that must name it. */
  public static List<Found> look(long seeds) {
    return look(seeds, ALL);
  }

  /** The mutants of these names, with commas between them. */
  public static List<Found> look(long seeds, String names) {
    return look(
        seeds, ALL.stream().filter(one -> List.of(names.split(",")).contains(one.name())).toList());
  }

  private static List<Found> look(long seeds, List<Mutant> mutants) {
    int engines = Runtime.getRuntime().availableProcessors();
    ConcurrentHashMap<String, Found> found = new ConcurrentHashMap<>();
    IntStream.range(0, engines)
        .parallel()
        .forEach(
            number -> {
              Engine engine = new Engine();
              for (int i = number; i < mutants.size(); i += engines) {
                Mutant mutant = mutants.get(i);
                found.put(mutant.name(), engine.look(mutant, seeds));
              }
            });
    return mutants.stream().map(mutant -> found.get(mutant.name())).toList();
  }

  /** The mutants whose class, method or instruction is not there any more. */
  public static List<String> withoutTarget() {
    MutantLoader loader = new MutantLoader(ALL);
    for (Mutant mutant : ALL)
      try {
        loader.loadClass(mutant.className());
      } catch (ClassNotFoundException gone) {
        continue;
      }
    Set<String> planted = loader.planted();
    List<String> lost = new ArrayList<>();
    for (Mutant mutant : ALL) if (!planted.contains(mutant.name())) lost.add(mutant.toString());
    return lost;
  }
}
