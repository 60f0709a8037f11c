package dev.tenure.workflow.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** I1–I4, I7–I11, I13, I14, I17 in random lives. {@code TENURE_SEED=n} lives one of them again. */
class UniverseTest {
  private static final int LIVES = 1_500;

  @Test
  void noLifeBreaksAnInvariant() {
    Optional<Long> given = Optional.ofNullable(System.getenv("TENURE_SEED")).map(Long::valueOf);
    long seed = given.orElseGet(System::nanoTime);
    System.out.println("UniverseTest: TENURE_SEED=" + seed);
    int lives =
        given.isPresent()
            ? 1
            : Integer.parseInt(System.getenv().getOrDefault("TENURE_LIVES", "" + LIVES));
    for (int life = 0; life < lives; life++)
      new Universe(Kernel.standard(), seed + life, Course.FAULTY).live();
  }

  /** What was broken once, and in which life it showed. */
  @ParameterizedTest
  @ValueSource(longs = {8929443764728L /* an owner of an incident never sent what was open */})
  void whatBrokeOnceHolds(long seed) {
    new Universe(Kernel.standard(), seed, Course.FAULTY).live();
  }

  @Test
  void restartingAfterEveryCommitChangesNoOutcome() {
    int crashes = 0;
    for (long seed = 0; seed < LIVES; seed++) {
      Universe calm = new Universe(Kernel.standard(), seed, Course.CALM);
      calm.live();
      Universe restarting = new Universe(Kernel.standard(), seed, Course.RESTARTING);
      restarting.live();
      assertThat(restarting.outcomes()).as("seed " + seed).isEqualTo(calm.outcomes());
      crashes += restarting.crashes;
    }
    assertThat(crashes).as("owners that died").isGreaterThan(LIVES);
  }

  /** Random lives that never get somewhere prove nothing about it. */
  @Test
  void theLivesKnowEveryEvent() {
    Set<Class<?>> seen = new HashSet<>();
    for (long seed = 0; seed < LIVES; seed++) {
      Universe universe = new Universe(Kernel.standard(), seed, Course.FAULTY);
      universe.live();
      universe
          .shells()
          .forEach(shell -> shell.events().forEach(event -> seen.add(event.getClass())));
    }
    Set<Class<?>> all = new HashSet<>();
    collect(Event.class, all);
    // Only what is copied from another history has them.
    all.removeAll(List.of(Event.Forked.class, Event.SourceChildStarted.class));
    assertThat(seen).isEqualTo(all);
  }

  private static void collect(Class<?> type, Set<Class<?>> leaves) {
    if (type.isSealed())
      for (Class<?> permitted : type.getPermittedSubclasses()) collect(permitted, leaves);
    else leaves.add(type);
  }

  /** A checker that finds nothing must be shown to find something. */
  @Test
  void everyPlantedBugIsFound() {
    Map<String, String> found = new TreeMap<>();
    Canaries.all().forEach((bug, broken) -> found.put(bug, firstFailure(broken)));
    assertThat(found)
        .allSatisfy((bug, failure) -> assertThat(failure).as(bug).containsPattern("\\bI\\d+\\b"));
  }

  private static String firstFailure(Kernel broken) {
    for (long seed = 0; seed < LIVES; seed++) {
      try {
        new Universe(broken, seed, Course.FAULTY).live();
      } catch (AssertionError found) {
        return String.valueOf(found.getCause() == null ? found : found.getCause());
      }
    }
    return "survived";
  }
}
