package dev.tenure.simulation.mutant;

import dev.tenure.simulation.Simulate;
import dev.tenure.simulation.Simulation;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.LongStream;

/**
 * What so many lives contained.
 *
 * @param violations of the broken ones, which are written down as plans
 * @param calls of the engine's methods by the simulation
 * @param events that were stored
 * @param faults that struck
 * @param limits that were reached, and in how many lives
 */
public record Coverage(
    List<String> violations,
    Set<String> calls,
    Set<String> events,
    Set<String> faults,
    Map<String, Integer> limits) {

  /** Lives so many seeds in an engine that notes what is called of it. */
  @SuppressWarnings("unchecked")
  public static Coverage of(long seeds, Path plans) {
    try {
      Object lists =
          new CallLoader()
              .loadClass(Coverage.class.getName())
              .getMethod("live", long.class, Path.class)
              .invoke(null, seeds, plans);
      List<Object> all = (List<Object>) lists;
      return new Coverage(
          (List<String>) all.get(0),
          (Set<String>) all.get(1),
          (Set<String>) all.get(2),
          (Set<String>) all.get(3),
          (Map<String, Integer>) all.get(4));
    } catch (InvocationTargetException thrown) {
      throw new IllegalStateException(thrown.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Called in the engine that was loaded afresh; its types are not those of the caller. */
  public static List<Object> live(long seeds, Path plans) {
    ConcurrentLinkedQueue<String> violations = new ConcurrentLinkedQueue<>();
    Set<String> events = new TreeSet<>();
    Set<String> faults = new TreeSet<>();
    Map<String, Integer> limits = new TreeMap<>();
    LongStream.range(0, seeds)
        .parallel()
        .mapToObj(Simulation::run)
        .forEach(
            report -> {
              if (report.violation().isPresent())
                violations.add(report + ", its plan: " + Simulate.write(report, plans));
              synchronized (events) {
                events.addAll(report.lived().events());
                report.lived().faults().forEach(fault -> faults.add(fault.toString()));
                report.lived().limits().forEach(one -> limits.merge(one, 1, Integer::sum));
              }
            });
    return List.of(List.copyOf(violations), ApiCalls.all(), events, faults, limits);
  }
}
