package dev.tenure.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Pages that say which test shows something name tests that are there. That these passed is checked
 * when all tests have run ({@code build.gradle}).
 */
class NamedTestsTest {
  private static final Path ROOT =
      Path.of(System.getProperty("tenure.build")).resolve("../..").normalize();
  private static final Pattern NAMED = Pattern.compile("`([A-Z]\\w+Test)\\.(\\w+)`");

  /** The sources of the tests, by the names of their classes. */
  private final Map<String, String> tests = new HashMap<>();

  private static List<Path> files(Path folder, String ending) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(file -> file.toString().endsWith(ending)).toList();
    }
  }

  private void readTests() throws IOException {
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path sources :
          modules.map(one -> one.resolve("src")).filter(Files::isDirectory).toList())
        for (Path file : files(sources, "Test.java"))
          tests.merge(
              file.getFileName().toString().replace(".java", ""),
              Files.readString(file),
              String::concat);
    }
  }

  private List<String> unknown(String page) throws IOException {
    if (tests.isEmpty()) readTests();
    return NAMED
        .matcher(page)
        .results()
        .filter(name -> !tests.getOrDefault(name.group(1), "").contains(" " + name.group(2) + "("))
        .map(name -> name.group(1) + "." + name.group(2))
        .toList();
  }

  private static String page(String name) throws IOException {
    return Files.readString(ROOT.resolve("docs/" + name));
  }

  @Test
  void everyPageNamesTestsThatAreThere() throws IOException {
    for (Path page : files(ROOT.resolve("docs"), ".md"))
      assertThat(unknown(Files.readString(page))).as(page.toString()).isEmpty();
  }

  @Test
  void everyFaultHasATest() throws IOException {
    List<String> rows =
        page("reliability.md")
            .lines()
            .filter(line -> line.startsWith("| ") && !line.startsWith("| ---"))
            .filter(line -> !line.startsWith("| fault |"))
            .toList();
    assertThat(rows).hasSizeGreaterThan(50);
    assertThat(rows).allMatch(row -> NAMED.matcher(row).find());
  }

  @ParameterizedTest
  @ValueSource(strings = {"NodeLossTest.nobodyWroteThis", "LossOfReasonTest.everyNodeIsLost"})
  void aTestThatIsNotThereIsFound(String wrong) throws IOException {
    assertThat(unknown(page("reliability.md") + "\n`" + wrong + "`\n")).containsExactly(wrong);
  }
}
