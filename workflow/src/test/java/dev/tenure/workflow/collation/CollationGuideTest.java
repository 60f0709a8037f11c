package dev.tenure.workflow.collation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The guide to the integers says what the code does. */
class CollationGuideTest {

  private static Path docs() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("settings.gradle"))) folder = folder.getParent();
    return folder.resolve("docs");
  }

  private static String guide() throws IOException {
    return Files.readString(docs().resolve("collation.md"));
  }

  @Test
  void theWalkedExamplesHappen() throws IOException {
    List<ActivityKind> walked = new ArrayList<>();
    for (String section : guide().split("\n## ")) {
      List<String[]> rows =
          section
              .lines()
              .filter(line -> line.startsWith("|") && line.matches(".*\\d{15}.*"))
              .map(line -> Arrays.copyOfRange(Walk.cells(line), 2, 7))
              .toList();
      if (rows.isEmpty()) continue;
      ActivityKind kind = ActivityKind.valueOf(section.split("`")[1]);
      Walk.check(kind, rows);
      walked.add(kind);
    }
    assertThat(walked).containsExactly(ActivityKind.WORKER, ActivityKind.PIVOT);
  }

  @Test
  void everyDigitIsListedWithItsWeight() throws IOException {
    Set<Marker> listed = EnumSet.noneOf(Marker.class);
    Pattern row = Pattern.compile("(?m)^\\| `([A-Z0-9_]+)` \\| ([0-9 ]+) \\|$");
    for (MatchResult found : row.matcher(guide()).results().toList()) {
      Marker marker = Marker.valueOf(found.group(1));
      assertThat(Long.parseLong(found.group(2).replace(" ", ""))).isEqualTo(marker.weight());
      listed.add(marker);
    }
    assertThat(listed).isEqualTo(EnumSet.complementOf(EnumSet.of(Marker.SEED)));
  }

  @Test
  void theLayoutsShowLedgersThatCanBe() throws IOException {
    List<String> layouts =
        Pattern.compile("```\n([0-9 ]+)\n")
            .matcher(guide())
            .results()
            .map(m -> m.group(1))
            .toList();
    assertThat(layouts).hasSize(2);
    ActivityLedger activity = new ActivityLedger(Long.parseLong(layouts.get(0).replace(" ", "")));
    assertThat(activity.standing()).isEqualTo(ActivityLedger.Standing.FINALIZED);
    GuidLedger guid = new GuidLedger(Long.parseLong(layouts.get(1).replace(" ", "")));
    assertThat(guid.standing()).isEqualTo(GuidLedger.Standing.COMPLETED);
  }

  /** The page is written from the table; TENURE_WRITE_DOCS=1 writes it. */
  @Test
  void theReentryPageIsTheTable() throws IOException {
    Path page = docs().resolve("collation-reentry.md");
    String written = reentryPage();
    if ("1".equals(System.getenv("TENURE_WRITE_DOCS"))) Files.writeString(page, written);
    assertThat(Files.readString(page))
        .as("run this test with TENURE_WRITE_DOCS=1 to write %s", page.getFileName())
        .isEqualTo(written);
  }

  private static String reentryPage() {
    StringBuilder page =
        new StringBuilder(
            """
            # What a message finds to do

            Written from `ReentryTable`. The first row that fits decides, for a first delivery and for every later one;
            `never` is a combination that no sequence of commits can reach, and is reported instead of resumed.

            | entered by | job | activity | message | decision | because |
            | --- | --- | --- | --- | --- | --- |
            """);
    for (ReentryTable.Row row : ReentryTable.ROWS)
      page.append("| ")
          .append(named(row.entries(), Entry.values().length))
          .append(" | ")
          .append(named(row.jobs(), ReentryTable.Job.values().length))
          .append(" | ")
          .append(named(row.activities(), ActivityLedger.Standing.values().length))
          .append(" | ")
          .append(named(row.guids(), GuidLedger.Standing.values().length))
          .append(" | ")
          .append(row.decision().map(decision -> "**" + decision + "**").orElse("never"))
          .append(" | ")
          .append(row.because())
          .append(" |\n");
    return page.toString();
  }

  private static <E extends Enum<E>> String named(Set<E> values, int all) {
    if (values.size() == all) return "any";
    return values.stream().sorted().map(Enum::name).collect(Collectors.joining(", "));
  }
}
