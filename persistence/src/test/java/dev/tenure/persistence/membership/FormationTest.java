package dev.tenure.persistence.membership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.lease.Holder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What a starting node does, as a table of everything it may find. */
class FormationTest {
  private static final Duration WINDOW = Duration.ofSeconds(10);
  private static final Instant NOW = Instant.parse("2026-03-01T09:00:00Z");
  private static final Holder SELF = new Holder("tenure@a:1", 7);

  private static final MemberRow SELF_SEEKING = row("tenure@a:1", 7, 0, 0);
  private static final MemberRow SELF_MEMBER_OF_4 = row("tenure@a:1", 7, 4, 0);
  private static final MemberRow B_FRESH = row("tenure@b:1", 1, 4, 1);
  private static final MemberRow B_LAST_MOMENT = row("tenure@b:1", 1, 4, 9);
  private static final MemberRow B_STALE = row("tenure@b:1", 1, 4, 10);
  private static final MemberRow B_FROM_THE_FUTURE = row("tenure@b:1", 1, 4, -3600);
  private static final MemberRow B_SEEKING = row("tenure@b:1", 1, 0, 0);
  private static final MemberRow B_OF_OLDER_CLUSTER = row("tenure@b:1", 1, 3, 1);
  private static final MemberRow C_STALE = row("tenure@c:1", 1, 4, 60);
  private static final MemberRow C_FRESH = row("tenure@c:1", 1, 4, 2);
  private static final MemberRow OUR_ADDRESS_BEFORE = row("tenure@a:1", 6, 4, 1);

  record Case(
      String name,
      long generation,
      List<MemberRow> rows,
      Function<MemberRow, Duration> watched,
      Formation expected) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> cases =
      List.of(
          new Case("empty store", 0, List.of(SELF_SEEKING), never(), foundFirst(1)),
          new Case("two newcomers", 0, List.of(SELF_SEEKING, B_SEEKING), never(), foundFirst(1)),
          new Case(
              "everybody left or came back as a newcomer",
              4,
              List.of(SELF_SEEKING, B_SEEKING),
              never(),
              foundFirst(5)),
          new Case(
              "only our own address was a member",
              4,
              List.of(OUR_ADDRESS_BEFORE),
              never(),
              foundFirst(5)),
          new Case(
              "only members of a superseded cluster",
              4,
              List.of(SELF_SEEKING, B_OF_OLDER_CLUSTER),
              never(),
              foundFirst(5)),
          new Case("a live member", 4, List.of(SELF_SEEKING, B_FRESH), never(), join("tenure@b:1")),
          new Case(
              "a member just inside the window",
              4,
              List.of(SELF_SEEKING, B_LAST_MOMENT),
              never(),
              join("tenure@b:1")),
          new Case(
              "a live one and a stale one",
              4,
              List.of(SELF_SEEKING, C_STALE, B_FRESH),
              never(),
              join("tenure@b:1", "tenure@c:1")),
          new Case(
              "several live ones: the oldest first",
              4,
              List.of(SELF_SEEKING, C_FRESH, B_FRESH),
              never(),
              join("tenure@c:1", "tenure@b:1")),
          new Case(
              "a stale one, first look",
              4,
              List.of(SELF_SEEKING, B_STALE),
              never(),
              reach(10, "tenure@b:1")),
          new Case(
              "a stale one, watched for almost the window",
              4,
              List.of(SELF_SEEKING, B_STALE),
              row -> WINDOW.minusSeconds(1),
              reach(1, "tenure@b:1")),
          new Case(
              "a stale one, watched for the window",
              4,
              List.of(SELF_SEEKING, B_STALE),
              row -> WINDOW,
              new Formation.Found(5, Formation.Reason.ALL_SILENT)),
          new Case(
              "two stale ones, one of which moved while we watched",
              4,
              List.of(SELF_SEEKING, B_STALE, C_STALE),
              row -> row == C_STALE ? WINDOW : Duration.ofSeconds(2),
              reach(8, "tenure@c:1", "tenure@b:1")),
          new Case(
              "the store's clock was set back",
              4,
              List.of(SELF_SEEKING, B_FROM_THE_FUTURE),
              never(),
              reach(10, "tenure@b:1")),
          new Case(
              "the store's clock was set back, and nobody moved",
              4,
              List.of(SELF_SEEKING, B_FROM_THE_FUTURE),
              row -> WINDOW,
              new Formation.Found(5, Formation.Reason.ALL_SILENT)),
          new Case(
              "our founding whose answer was lost",
              4,
              List.of(SELF_MEMBER_OF_4),
              never(),
              new Formation.Found(4, Formation.Reason.ALREADY_FOUNDED)));

  @ParameterizedTest
  @FieldSource("cases")
  void aStartingNodeDoesWhatTheTableSays(Case given) {
    Roster roster = new Roster(given.generation, given.rows, NOW);

    assertThat(Formation.decide(roster, SELF, given.watched, WINDOW)).isEqualTo(given.expected);
  }

  private static Function<MemberRow, Duration> never() {
    return row -> Duration.ZERO;
  }

  private static Formation foundFirst(long generation) {
    return new Formation.Found(generation, Formation.Reason.NO_OTHER_MEMBER);
  }

  private static Formation join(String... nodes) {
    return new Formation.Join(4, List.of(nodes));
  }

  private static Formation reach(long seconds, String... nodes) {
    return new Formation.Reach(4, List.of(nodes), Duration.ofSeconds(seconds));
  }

  private static MemberRow row(String node, long incarnation, long generation, long secondsAgo) {
    OptionalLong member = generation == 0 ? OptionalLong.empty() : OptionalLong.of(generation);
    Instant beat = NOW.minusSeconds(secondsAgo);
    return new MemberRow(new Holder(node, incarnation), member, 5, beat.minusSeconds(100), beat);
  }
}
