package dev.tenure.workflow.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

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
  void theLivesKnowEveryEventAndAllThatHappensToOwners() {
    Set<Class<?>> seen = new HashSet<>();
    Set<MemoryJournal.Fate> fates = EnumSet.noneOf(MemoryJournal.Fate.class);
    int departures = 0;
    int carriedOver = 0;
    for (long seed = 0; seed < LIVES; seed++) {
      Universe universe = new Universe(Kernel.standard(), seed, Course.FAULTY);
      universe.live();
      for (Shell shell : universe.shells()) {
        shell.events().forEach(event -> seen.add(event.getClass()));
        fates.addAll(shell.journal.met);
        departures += shell.journal.departures;
        carriedOver += shell.carriedOver;
      }
    }
    Set<Class<?>> all = new HashSet<>();
    collect(Event.class, all);
    // Only what is copied from another history has them.
    all.removeAll(
        List.of(
            Event.Forked.class,
            Event.SourceChildStarted.class,
            Event.SourceSignalNotReceived.class));
    assertThat(seen).isEqualTo(all);
    assertThat(fates).containsOnly(MemoryJournal.Fate.values());
    assertThat(departures).as("owners that left the memory").isGreaterThan(LIVES);
    assertThat(carriedOver).as("runs that followed in the same owner").isGreaterThan(LIVES / 10);
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
