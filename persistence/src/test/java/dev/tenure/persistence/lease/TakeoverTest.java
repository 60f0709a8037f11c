package dev.tenure.persistence.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.lease.Takeover.Reason;
import dev.tenure.persistence.lease.Takeover.Take;
import dev.tenure.persistence.lease.Takeover.Wait;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TakeoverTest {
  private static final Instant NOW = Instant.parse("2026-03-01T09:00:00Z");
  private static final Duration MOMENT = Duration.ofNanos(1_000); // the database's smallest
  private static final Holder CLAIMANT = new Holder("nora:7355", 1);
  private static final Holder OTHER = new Holder("olaf:7355", 2);
  private static final Holder EARLIER_SELF = new Holder("nora:7355", 0);
  private static final Membership OTHER_IS_GONE = OTHER::equals;
  private static final Membership ALL_ARE_GONE = holder -> true;

  private record Row(
      String situation, Optional<Lease> stored, Membership members, Takeover expected) {
    @Override
    public String toString() {
      return situation;
    }
  }

  private static final List<Row> TABLE =
      List.of(
          row("no row", Optional.empty(), Membership.UNKNOWN, new Take(Reason.NEVER_HELD)),
          row("no row, all gone", Optional.empty(), ALL_ARE_GONE, new Take(Reason.NEVER_HELD)),
          row("released", lease(null, 0), Membership.UNKNOWN, new Take(Reason.RELEASED)),
          row("released, due later", lease(null, 60), ALL_ARE_GONE, new Take(Reason.RELEASED)),
          row("own, running", lease(CLAIMANT, 60), Membership.UNKNOWN, new Take(Reason.OWN)),
          row("own, expired", lease(CLAIMANT, -60), Membership.UNKNOWN, new Take(Reason.OWN)),
          row("own, called gone", lease(CLAIMANT, 60), ALL_ARE_GONE, new Take(Reason.OWN)),
          row("expired", lease(OTHER, -60), Membership.UNKNOWN, new Take(Reason.EXPIRED)),
          row("expires now", lease(OTHER, 0), Membership.UNKNOWN, new Take(Reason.EXPIRED)),
          row("expired and gone", lease(OTHER, -1), OTHER_IS_GONE, new Take(Reason.EXPIRED)),
          row("gone", lease(OTHER, 60), OTHER_IS_GONE, new Take(Reason.HOLDER_GONE)),
          row("held", lease(OTHER, 60), Membership.UNKNOWN, wait(OTHER, Duration.ofMinutes(1))),
          row(
              "held by the same address's earlier process",
              lease(EARLIER_SELF, 60),
              OTHER_IS_GONE,
              wait(EARLIER_SELF, Duration.ofMinutes(1))),
          row(
              "held for a moment more",
              Optional.of(new Lease(1, 5, Optional.of(OTHER), NOW.plus(MOMENT))),
              Membership.UNKNOWN,
              wait(OTHER, MOMENT)));

  private static Row row(
      String what, Optional<Lease> stored, Membership members, Takeover expected) {
    return new Row(what, stored, members, expected);
  }

  private static Optional<Lease> lease(Holder holder, int expiresInSeconds) {
    Instant expiresAt = NOW.plusSeconds(expiresInSeconds);
    return Optional.of(new Lease(1, 5, Optional.ofNullable(holder), expiresAt));
  }

  private static Takeover wait(Holder holder, Duration atMost) {
    return new Wait(holder, atMost);
  }

  static List<Row> table() {
    return TABLE;
  }

  @ParameterizedTest
  @MethodSource("table")
  void isDecidedByTheTable(Row row) {
    assertThat(Takeover.decide(row.stored(), CLAIMANT, row.members(), NOW))
        .isEqualTo(row.expected());
  }

  @Test
  void everyReasonIsInTheTable() {
    Set<Reason> seen =
        TABLE.stream()
            .map(Row::expected)
            .filter(Take.class::isInstance)
            .map(takeover -> ((Take) takeover).reason())
            .collect(Collectors.toSet());
    assertThat(seen).isEqualTo(EnumSet.allOf(Reason.class));
  }
}
