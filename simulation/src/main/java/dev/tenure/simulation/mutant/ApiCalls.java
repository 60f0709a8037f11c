package dev.tenure.simulation.mutant;

import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/** What the simulation called of the engine's interface. */
public final class ApiCalls {
  private static final Set<String> MADE = ConcurrentHashMap.newKeySet();

  private ApiCalls() {}

  /** Called before each such call, by the code that {@link CallLoader} wrote in. */
  public static void made(String call) {
    MADE.add(call);
  }

  static Set<String> all() {
    return new TreeSet<>(MADE);
  }
}
