package dev.tenure.simulation.mutant;

import java.util.SplittableRandom;

/**
 * Whether the mutant that is active acts at this moment. Its class is loaded together with the
 * engine that it changes, and one life at a time is lived there.
 */
public final class Strikes {
  private static String active = "";
  private static int oneIn = 1;
  private static SplittableRandom random = new SplittableRandom(0);

  private Strikes() {}

  static synchronized void begin(String mutant, int times, long seed) {
    oneIn = times;
    active = mutant;
    random = new SplittableRandom(seed);
  }

  /** Called by the code that a mutant was written into. */
  public static synchronized boolean strikes(String mutant) {
    return mutant.equals(active) && random.nextInt(oneIn) == 0;
  }
}
