package dev.tenure.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page on the architecture shows the house as it is. */
class ArchitecturePageTest {
  private static final Path ROOT =
      Path.of(System.getProperty("tenure.build")).resolve("../..").normalize();
  private static final Path FILE = ROOT.resolve("docs/architecture.md");
  private static final PageNames NAMES = new PageNames(ROOT);

  /** A walk: its heading, its numbered list, and how many hand-overs the page says it has. */
  private static final Pattern WALK = Pattern.compile("(?ms)^### (.+?)$(.+?)^Hand-overs: (\\d+)");

  private static String page() throws IOException {
    return Files.readString(FILE);
  }

  @Test
  void whatItNamesIsThere() throws IOException {
    assertThat(NAMES.unknown(page())).isEmpty();
    assertThat(PageNames.named(page())).as("names that were looked up").hasSizeGreaterThan(100);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "workflow",
        "persistence",
        "sharding",
        "http-gateway",
        "cluster-node",
        "activities",
        "testkit",
        "simulation"
      })
  void itNamesEveryRoom(String module) throws IOException {
    assertThat(NAMES.rooms(module)).isNotEmpty();
    assertThat(PageNames.named(page())).containsAll(NAMES.rooms(module));
  }

  @Test
  void itNamesEveryTable() throws IOException {
    assertThat(NAMES.tables()).contains("event_journal", "shard_lease");
    for (String table : NAMES.tables()) assertThat(page()).contains("\n| `" + table + "` |");
  }

  @Test
  void itCountsTheHandOversThatItMarks() throws IOException {
    List<String> walks = new ArrayList<>();
    Matcher walk = WALK.matcher(page());
    while (walk.find()) {
      walks.add(walk.group(1));
      assertThat(marks(walk.group(2))).as(walk.group(1)).isEqualTo(walk.group(3));
    }
    assertThat(walks).containsExactly("A start", "A step", "A signal", "A recovery");
  }

  private static String marks(String walk) {
    return String.valueOf(
        Pattern.compile("(?m)^\\d+\\. \\*\\*⇒\\*\\*").matcher(walk).results().count());
  }

  @Test
  void itsLinksLeadSomewhere() throws IOException {
    List<String> broken =
        Pattern.compile("\\]\\(([^)#:]+)(?:#[^)]*)?\\)")
            .matcher(page())
            .results()
            .map(link -> link.group(1))
            .filter(target -> !Files.exists(FILE.resolveSibling(target)))
            .toList();
    assertThat(broken).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "OwnerLoops",
        "Message.Advance",
        "sharding.landlord",
        "dev.tenure.landlord",
        "event_journey",
        "docs/architecture.txt",
        "DAYDREAMING",
        "whoever owns it"
      })
  void aNameOfNothingIsFoundOnThePage(String wrong) throws IOException {
    assertThat(NAMES.unknown(page() + "\n`" + wrong + "`\n")).containsExactly(wrong);
  }

  @Test
  void namesAreLookedUpInTheSources(@TempDir Path root) throws IOException {
    Path room = Files.createDirectories(root.resolve("house/src/main/java/dev/tenure/house/room"));
    Path sql = Files.createDirectories(root.resolve("house/src/main/resources"));
    Files.createFile(root.resolve("house/build.gradle"));
    Files.writeString(room.resolve("Door.java"), "final class Door { record Key() {} }");
    Files.writeString(room.resolve("Light.java"), "enum Light { ON, OFF }");
    Files.writeString(sql.resolve("V1__furniture.sql"), "CREATE TABLE arm_chair (legs integer);");
    PageNames names = new PageNames(root);

    assertThat(names.rooms("house")).isEqualTo(Set.of("house.room"));
    assertThat(names.tables()).isEqualTo(Set.of("arm_chair"));
    assertThat(
            names.unknown(
                "`Door`, `Door.Key`, `OFF`, `house.room`, `arm_chair`, `house`, `house/src/main`"))
        .isEmpty();
    assertThat(names.unknown("`Door.Lock`, `Key`, `DIM`, `house.cellar`, `sofa_bed`, `attic/box`"))
        .hasSize(6);
    assertThat(names.unknown("```\n`Cellar`\n```\n")).isEmpty();
  }
}
