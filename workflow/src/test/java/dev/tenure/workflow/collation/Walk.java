package dev.tenure.workflow.collation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.collation.Mark.AlreadyRecorded;
import dev.tenure.workflow.collation.Mark.Recorded;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A progression as a table: {@code operation | activity | GUID | semaphore | next}, one row per
 * commit. An arrival ({@code leg1}, {@code leg2}) brings a new message, {@code again} the same one;
 * every other row is run, and must leave the integers and the next decision that it shows.
 */
final class Walk {
  private final ActivityKind kind;
  private Transition at;

  private Walk(ActivityKind kind) {
    this.kind = kind;
  }

  static void check(ActivityKind kind, String table) {
    check(kind, table.lines().map(Walk::cells).toList());
  }

  static void check(ActivityKind kind, List<String[]> rows) {
    assertThat(rows).isNotEmpty();
    Walk walk = new Walk(kind);
    rows.forEach(walk::row);
  }

  static String[] cells(String line) {
    return Arrays.stream(line.split("\\|", -1))
        .map(cell -> cell.replace("`", "").trim())
        .toArray(String[]::new);
  }

  private void row(String[] cells) {
    String described = kind + " " + Arrays.toString(cells);
    assertThat(cells).as(described).hasSize(5);
    if (at == null)
      at =
          new Transition(
              kind,
              Leg.LEG1,
              new ActivityLedger(Long.parseLong(cells[1])),
              Optional.empty(),
              JobSemaphore.of(Long.parseLong(cells[3])));
    Transition before = at;
    at = run(cells[0], described);
    assertThat(at.activity().toString()).as(described).isEqualTo(cells[1]);
    assertThat(at.guid().map(GuidLedger::toString).orElse("")).as(described).isEqualTo(cells[2]);
    assertThat(at.semaphore().open()).as(described).isEqualTo(Long.parseLong(cells[3]));
    assertThat(at.next().toString()).as(described).isEqualTo(cells[4]);
    assertThat(at.activity().value()).isGreaterThanOrEqualTo(before.activity().value()); // I9
  }

  private Transition run(String operation, String described) {
    String[] words = operation.split(" ");
    return switch (words[0]) {
      case "leg1", "leg2" ->
          new Transition(
              kind,
              Leg.valueOf(words[0].toUpperCase(java.util.Locale.ROOT)),
              at.activity(),
              Optional.empty(),
              at.semaphore());
      case "again" -> at;
      case "enter" -> recorded(at.enter(), described);
      case "completeLeg1" -> recorded(at.completeLeg1(), described);
      case "work" -> recorded(at.work(), described);
      case "spawn" -> recorded(at.spawn(Integer.parseInt(words[1])), described);
      case "spawnOpen" ->
          recorded(at.spawn(Integer.parseInt(words[1]), Parent.STAYS_OPEN), described);
      case "completeJob" -> recorded(at.completeJob(), described);
      case "enterAgain" -> unchanged(at.enter(), described);
      default -> throw new AssertionError("What is '" + operation + "'? " + described);
    };
  }

  private static Transition recorded(Mark<Transition> mark, String described) {
    assertThat(mark).as(described).isInstanceOf(Recorded.class);
    return mark.orThrow();
  }

  private static Transition unchanged(Mark<Transition> mark, String described) {
    assertThat(mark).as(described).isInstanceOf(AlreadyRecorded.class);
    return mark.orThrow();
  }
}
