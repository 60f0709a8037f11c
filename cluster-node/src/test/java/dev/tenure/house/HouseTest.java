package dev.tenure.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules of the house, and for each rule a canary: code that breaks it and must be found. */
class HouseTest {
  private static final SourceScan SOURCES =
      new SourceScan(Path.of(System.getProperty("tenure.build")).resolve("../..").normalize());

  private static final JavaClasses PRODUCTION =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("fixtures"))
          .importPackages("dev.tenure");
  private static final HouseRules RULES = new HouseRules(packagesOfModules());

  private static final JavaClasses CANARIES =
      new ClassFileImporter().importPackages("dev.tenure.house.canary");
  private static final HouseRules CANARY_RULES =
      new HouseRules(
          Map.of(
              "workflow", "dev.tenure.house.canary.workflow",
              "persistence", "dev.tenure.house.canary.persistence",
              "sharding", "dev.tenure.house.canary.sharding"));

  @Test
  void everyModuleHasItsPlaceInTheHouse() {
    List<String> homeless =
        SOURCES.modules().stream()
            .filter(module -> !HouseRules.MAY_USE.containsKey(module))
            .filter(module -> !HouseRules.MAY_USE_ALL.contains(module))
            .toList();
    assertThat(homeless).as("modules without a row in HouseRules.MAY_USE").isEmpty();
    assertThat(SOURCES.modules()).contains("persistence", "sharding", "cluster-node");
  }

  @Test
  void everyModuleHasOnePackageOfItsOwn() {
    for (String module : SOURCES.modules()) {
      assertThat(SOURCES.packages(module)).as(module).hasSizeLessThanOrEqualTo(1);
    }
    assertThat(packagesOfModules().values()).doesNotHaveDuplicates();
  }

  static Stream<String> modules() {
    return packagesOfModules().keySet().stream();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("modules")
  void dependenciesPointOneWay(String module) {
    RULES.direction(module).check(PRODUCTION);
  }

  @Test
  void theCoreIsPure() {
    RULES.pureCore().check(PRODUCTION);
  }

  @Test
  void theEngineIsGivenItsClockAndItsChance() {
    RULES.noHiddenInputs().check(PRODUCTION);
  }

  @Test
  void packagesAreConcepts() {
    RULES.noLayers().check(PRODUCTION);
  }

  @Test
  void sqlStaysInItsAdapter() {
    RULES.sqlStaysInItsAdapter().check(PRODUCTION);
  }

  @Test
  void thePackagesOfPersistenceFormNoCycle() {
    RULES.noCyclesOfPackages("persistence").check(PRODUCTION);
  }

  @Test
  void thePackagesOfShardingFormNoCycle() {
    RULES.noCyclesOfPackages("sharding").check(PRODUCTION);
  }

  /** Errors may be public, because callers catch them, and types that a configuration names. */
  @Test
  void whatOnlyPersistenceNeedsIsNotPublic() {
    assertThat(SOURCES.publicForNobody("persistence")).isEmpty();
  }

  @Test
  void testsDoNotSleep() {
    assertThat(SOURCES.sleepsInTests()).isEmpty();
  }

  @Test
  void filesAreShort() {
    assertThat(SOURCES.longFiles()).isEmpty();
  }

  @Test
  void theRulesAreAppliedToWhatIsThere() {
    assertThat(PRODUCTION.stream().map(c -> c.getPackageName()))
        .anyMatch(name -> name.startsWith("dev.tenure.persistence"))
        .anyMatch(name -> name.startsWith("dev.tenure.sharding"))
        .noneMatch(name -> name.startsWith("dev.tenure.house"));
  }

  @Test
  void everyRuleFindsItsCanary() {
    expectFound(CANARY_RULES.direction("persistence"), "Upwards");
    expectFound(CANARY_RULES.pureCore(), "Impure");
    expectFound(CANARY_RULES.noHiddenInputs(), "Clockwatcher");
    expectFound(CANARY_RULES.noLayers(), "Helper");
    expectFound(CANARY_RULES.sqlStaysInItsAdapter(), "Connected");
    expectFound(CANARY_RULES.noCyclesOfPackages("persistence"), "Cycle detected");
  }

  @Test
  void theScansFindTheirCanaries(@TempDir Path root) throws IOException {
    Path tests = Files.createDirectories(root.resolve("module/src/test/java"));
    Files.createFile(root.resolve("module/build.gradle"));
    SourceScan scan = new SourceScan(root);
    Files.writeString(tests.resolve("Short.java"), "x\n".repeat(SourceScan.LINES_MAX));
    assertThat(scan.longFiles()).isEmpty();
    assertThat(scan.sleepsInTests()).isEmpty();

    Files.writeString(
        tests.resolve("Long.java"), "import x;\n" + "x\n".repeat(SourceScan.LINES_MAX));
    // Taken apart, or the scan would find this very file.
    Files.writeString(tests.resolve("Sleepy.java"), "Thread" + ".sleep(5);");
    Files.writeString(tests.resolve("Drowsy.java"), "TimeUnit.SECONDS" + ".sleep(5);");
    assertThat(scan.longFiles()).containsExactly("module/src/test/java/Long.java");
    assertThat(scan.sleepsInTests())
        .containsExactlyInAnyOrder(
            "module/src/test/java/Sleepy.java", "module/src/test/java/Drowsy.java");
  }

  @Test
  void theScanForPublicTypesFindsItsCanary(@TempDir Path root) throws IOException {
    Path house = Files.createDirectories(root.resolve("house/src/main/java/dev/tenure/house/room"));
    Path street = Files.createDirectories(root.resolve("street/src/main/java/dev/tenure/street"));
    Files.createFile(root.resolve("house/build.gradle"));
    Files.createFile(root.resolve("street/build.gradle"));
    Files.writeString(house.resolve("Door.java"), "public final class Door { Chair chair; }");
    Files.writeString(house.resolve("Chair.java"), "public record Chair() {}");
    Files.writeString(house.resolve("NoEntryError.java"), "public class NoEntryError {}");
    Files.writeString(street.resolve("Guest.java"), "import dev.tenure.house.room.Door;");
    assertThat(new SourceScan(root).publicForNobody("house")).containsExactly("Chair");
  }

  private static void expectFound(ArchRule rule, String canary) {
    assertThat(rule.evaluate(CANARIES).getFailureReport().toString())
        .as(rule.getDescription())
        .contains(canary);
  }

  /** The package of each module that the rules know and that has sources. */
  private static Map<String, String> packagesOfModules() {
    Map<String, String> packages = new TreeMap<>();
    for (String module : SOURCES.modules()) {
      if (!HouseRules.MAY_USE.containsKey(module)) continue;
      SOURCES.packages(module).stream().findFirst().ifPresent(p -> packages.put(module, p));
    }
    return packages;
  }
}
