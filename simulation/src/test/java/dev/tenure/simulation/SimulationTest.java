package dev.tenure.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.host.OwnerLimits;
import dev.tenure.simulation.mutant.Coverage;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.KernelLimits;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What the simulation promises; {@code ./tenure simulate --seed N --trace} lives one seed again.
 */
class SimulationTest {
  private static final int SEEDS = 1_000;
  private static final Path PLANS = Path.of(System.getProperty("tenure.build", "build"), "plans");

  /**
   * Only graphs have these, and the simulation lives code; the lives of {@link GraphLivesTest} have
   * them.
   */
  private static final Set<String> OF_GRAPHS = Set.of("Reentered", "Spawned", "Published");

  private static Coverage lived;

  @BeforeAll
  static void liveThemAll() {
    lived = Coverage.of(SEEDS, PLANS);
  }

  @Test
  void noSeedBreaksAnInvariant() {
    assertThat(lived.violations()).isEmpty();
  }

  /** Grows with the interface: what is new is lived, or says in {@link ApiList} why it is not. */
  @Test
  void theSeedsCallEveryMethodOfTheInterface() {
    Set<String> called =
        lived.calls().stream().map(ApiList::called).collect(Collectors.toCollection(TreeSet::new));
    Set<String> missing = ApiList.toBeCalled();
    missing.removeAll(called);

    assertThat(missing).isEmpty();
  }

  /** An exception that is not one any more is taken out. */
  @Test
  void noExceptionIsCalledAllTheSame() {
    Set<String> excepted = ApiList.excepted();
    assertThat(ApiList.all()).containsAll(excepted);
    assertThat(ApiList.lostTypes()).isEmpty();
    excepted.retainAll(lived.calls().stream().map(ApiList::called).collect(Collectors.toSet()));

    assertThat(excepted).isEmpty();
  }

  @Test
  void theSeedsContainEveryEventOfCode() {
    assertThat(lived.events())
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(Event.class.getDeclaredClasses())
                .filter(Class::isRecord)
                .filter(Event.class::isAssignableFrom)
                .map(Class::getSimpleName)
                .filter(name -> !OF_GRAPHS.contains(name))
                .toList());
  }

  @Test
  void everyFaultStrikes() {
    assertThat(lived.faults())
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(Fault.values()).map(Fault::toString).toList());
  }

  /**
   * No answer, no decision and no call of the store shows these: {@code PendingMessagesTest} and
   * {@code IncomingResultsTest} have them.
   */
  private static final Set<String> UNSEEN = Set.of("urgent", "resultBytesPerCommit");

  /** By the names of their settings; what is refused or put off there breaks no invariant. */
  @Test
  void everyLimitIsReached() {
    Set<String> names = new TreeSet<>();
    for (Class<?> limits : List.of(OwnerLimits.class, KernelLimits.class))
      for (RecordComponent one : limits.getRecordComponents()) names.add(one.getName());
    names.removeAll(UNSEEN);

    assertThat(lived.limits()).as("lives that came to each").containsOnlyKeys(names);
  }

  /** Each by what must name it. */
  @Test
  void everyPlantedBugIsFound() {
    List<Found> found = Simulate.canaries(SEEDS);

    assertThat(found).hasSizeGreaterThanOrEqualTo(30);
    assertThat(found).filteredOn(one -> one.seed().isEmpty()).isEmpty();
  }

  @Test
  void aSeedIsTheSameEachTime() {
    for (long seed = 0; seed < 25; seed++) assertThat(lived(seed)).isEqualTo(lived(seed));
  }

  private static List<String> lived(long seed) {
    List<String> lines = new ArrayList<>();
    Simulation.run(seed, Flaw.NONE, lines::add);
    assertThat(lines).hasSizeGreaterThan(100);
    return lines;
  }

  @Test
  void aPlanIsTheLifeThatItWasTakenFrom() {
    for (long seed = 0; seed < 10; seed++) {
      Plan plan = Plan.of(Simulation.run(seed, Flaw.NONE).plan().toJson());
      List<String> again = new ArrayList<>();
      Simulation.run(plan, Flaw.NONE, again::add);

      assertThat(again).isEqualTo(lived(seed));
    }
  }

  @Test
  void whatIsMeantToGoWrongDoes() {
    String all = "";
    for (long seed = 0; seed < 10; seed++) all += String.join("\n", lived(seed));

    assertThat(all).contains("CRASH of", "LOST ", "DOUBLED ", "LEASE of", "has lost shard", "CALM");
    assertThat(all).contains("SNAPSHOT of", "recovers with a snapshot");
  }

  /** Lives in which something was found once. */
  @Test
  void whatWasFoundStaysMended() throws IOException {
    try (Stream<Path> plans = Files.list(Path.of("src", "test", "resources", "plans"))) {
      for (Path plan : plans.toList())
        assertThat(Simulation.run(Simulate.read(plan), Flaw.NONE, line -> {}).violation())
            .as(plan.toString())
            .isEmpty();
    }
  }
}
