package dev.tenure.simulation;

import dev.tenure.workflow.audit.Violation;
import java.util.Optional;

/**
 * The result of looking for one planted bug.
 *
 * @param bug its name
 * @param seed the first in which it was found, by what must name it
 */
public record Found(String bug, String what, Optional<Long> seed, String violation) {
  /** The invariant that a violation breaks, or the type of any other exception. */
  public static String name(Throwable thrown) {
    return thrown instanceof Violation violation
        ? violation.invariant()
        : thrown.getClass().getSimpleName();
  }
}
