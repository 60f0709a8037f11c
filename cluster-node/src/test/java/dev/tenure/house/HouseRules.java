package dev.tenure.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.lang.ArchRule;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What may be used from where, over the modules' packages. The packages are given, so that the same
 * rules can be turned on code that breaks them on purpose.
 */
final class HouseRules {
  /** Which other modules each module may use. One that is missing here fails the house test. */
  static final Map<String, Set<String>> MAY_USE = mayUse();

  /** They look at the whole from outside. */
  static final Set<String> MAY_USE_ALL =
      Set.of("benchmarks", "chaos-tests", "examples", "simulation");

  /** The engine: time, chance and identity come in from outside, so that a test can turn them. */
  private static final List<String> ENGINE = List.of("workflow", "persistence", "sharding");

  private static Map<String, Set<String>> mayUse() {
    Map<String, Set<String>> allowed = new LinkedHashMap<>();
    allowed.put("workflow", Set.of());
    allowed.put("persistence", Set.of("workflow"));
    allowed.put("sharding", Set.of("workflow", "persistence"));
    allowed.put("http-gateway", Set.of("workflow", "persistence", "sharding"));
    allowed.put(
        "cluster-node", Set.of("workflow", "persistence", "sharding", "http-gateway", "client"));
    allowed.put("client", Set.of());
    allowed.put("activities", Set.of("workflow"));
    allowed.put("testkit", Set.of("workflow", "persistence", "sharding"));
    return allowed;
  }

  private final Map<String, String> packages;

  /**
   * @param packages the root package of each module that exists
   */
  HouseRules(Map<String, String> packages) {
    this.packages = packages;
  }

  /** Dependencies point one way. */
  ArchRule direction(String module) {
    String[] forbidden =
        packages.keySet().stream()
            .filter(other -> !other.equals(module) && !MAY_USE.get(module).contains(other))
            .map(other -> packages.get(other) + "..")
            .toArray(String[]::new);
    return noClasses()
        .that()
        .resideInAPackage(packages.get(module) + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(forbidden)
        .as(module + " uses only " + MAY_USE.get(module))
        .allowEmptyShould(true);
  }

  /** The decision core is data in, data out. */
  ArchRule pureCore() {
    return noClasses()
        .that()
        .resideInAPackage(of("workflow"))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.apache.pekko..",
            "scala..",
            "java.sql..",
            "javax.sql..",
            "java.net..",
            "java.nio.file..",
            "java.util.concurrent..")
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(Thread.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(java.time.Clock.class)
        .as("the workflow core knows no actors, database, network, clock or threads")
        .allowEmptyShould(true);
  }

  /** Nobody reads a clock or rolls a die in passing. */
  ArchRule noHiddenInputs() {
    return noClasses()
        .that()
        .resideInAnyPackage(ENGINE.stream().map(this::of).toArray(String[]::new))
        .should()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(java.time.LocalDateTime.class, "now")
        .orShould()
        .callMethod(java.time.Clock.class, "systemUTC")
        .orShould()
        .callMethod(java.time.Clock.class, "systemDefaultZone")
        .orShould()
        .callMethod(java.time.InstantSource.class, "system")
        .orShould()
        .callMethod(Math.class, "random")
        .orShould()
        .callMethod(UUID.class, "randomUUID")
        .orShould()
        .callMethod(ThreadLocalRandom.class, "current")
        .orShould()
        .callConstructor(Random.class)
        .as("the engine is given its clock, its chance and its identifiers")
        .allowEmptyShould(true);
  }

  /** Packages are concepts, never layers. */
  ArchRule noLayers() {
    return noClasses()
        .that()
        .resideInAnyPackage(
            packages.values().stream().map(root -> root + "..").toArray(String[]::new))
        .should()
        .resideInAnyPackage(
            "..impl..", "..util..", "..utils..", "..dto..", "..common..", "..helper..")
        .as("no package is named after a layer");
  }

  /**
   * A storage can be replaced: all SQL stands in its adapter, and no connection leaves it. What
   * looks into an application's own database is no part of the storage.
   */
  ArchRule sqlStaysInItsAdapter() {
    String root = packages.get("persistence");
    String ofApplications = packages.getOrDefault("activities", "no.such.module") + ".row..";
    return noClasses()
        .that()
        .resideInAnyPackage(
            packages.values().stream().map(each -> each + "..").toArray(String[]::new))
        .and()
        .resideOutsideOfPackages(root + ".postgres..", root + ".embedded..", ofApplications)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.sql..", "javax.sql..", "org.postgresql..", "com.zaxxer..")
        .as("SQL and connections stay in the adapter of PostgreSQL");
  }

  /** What a package is about can be read without all the others. */
  ArchRule noCyclesOfPackages(String module) {
    return slices()
        .matching(packages.get(module) + ".(*)..")
        .should()
        .beFreeOfCycles()
        .as("no cycle of packages in " + module);
  }

  private String of(String module) {
    return packages.getOrDefault(module, "no.such.module") + "..";
  }
}
