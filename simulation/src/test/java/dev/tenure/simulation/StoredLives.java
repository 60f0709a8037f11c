package dev.tenure.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.audit.Violation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** The lives of many seeds, and all that happened in them. */
final class StoredLives {
  private final Set<String> events = new HashSet<>();
  private final Set<Object> faults = new HashSet<>();

  /** Lives seeds from 0 on, of which none may break an invariant. */
  static StoredLives sound(int seeds, StoredKind kind) {
    StoredLives lives = new StoredLives();
    List<String> broken = new ArrayList<>();
    for (long seed = 0; seed < seeds; seed++)
      try {
        Simulation.Lived lived = StoredLife.live(seed, kind, line -> {});
        lives.events.addAll(lived.events());
        lives.faults.addAll(lived.faults());
      } catch (RuntimeException | AssertionError | StackOverflowError violation) {
        broken.add("seed " + seed + ": " + violation);
      }
    assertThat(broken).isEmpty();
    return lives;
  }

  /** What was found in lives of a kind with a planted bug. */
  static List<String> found(int seeds, Supplier<StoredKind> flawed) {
    List<String> found = new ArrayList<>();
    for (long seed = 0; seed < seeds; seed++)
      try {
        StoredLife.live(seed, flawed.get(), line -> {});
      } catch (Violation violation) {
        found.add(violation.toString());
      }
    return found;
  }

  /** The kinds of events that were committed. */
  Set<String> events() {
    return events;
  }

  /** Else these lives were too easy. */
  void requireTroubled() {
    assertThat(faults)
        .contains(
            Fault.NODE_DIES,
            Fault.NODE_DIES_OF_A_COMMIT,
            Fault.SHARD_MOVES,
            Fault.COMMIT_UNHEARD,
            Fault.ANSWER_NEVER,
            Fault.OLD_CODE);
  }
}
