package dev.tenure.simulation.mutant;

import dev.tenure.simulation.Flaw;
import dev.tenure.simulation.Found;
import dev.tenure.simulation.Simulation;

/** Lives a seed in the engine that it was loaded with; called from outside of that. */
public final class MutantLife {
  private MutantLife() {}

  /** The invariant that a life breaks and how, in two lines; nothing when it is whole. */
  public static String live(String mutant, int oneIn, long seed) {
    Strikes.begin(mutant, oneIn, seed);
    try {
      return Simulation.run(seed, Flaw.NONE)
          .violation()
          .map(broken -> Found.name(broken) + "\n" + broken)
          .orElse("");
    } finally {
      Strikes.begin("", 1, 0);
    }
  }
}
