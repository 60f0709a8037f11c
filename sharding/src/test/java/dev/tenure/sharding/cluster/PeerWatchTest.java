package dev.tenure.sharding.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.membership.RowWatch.Sighting;
import dev.tenure.sharding.cluster.PeerWatch.Findings;
import dev.tenure.sharding.cluster.PeerWatch.Peer;
import dev.tenure.sharding.cluster.PeerWatch.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** When a node takes another one out, and when it must not. */
class PeerWatchTest {
  private static final Duration LOOK = Duration.ofMillis(300);
  private static final Holder SELF = new Holder("tenure@m:1", 1);
  private static final Holder LOWER = new Holder("tenure@a:1", 2);
  private static final Holder HIGHER = new Holder("tenure@z:1", 3);
  private static final Holder HIGHEST = new Holder("tenure@zz:1", 4);
  private static final ArbiterTimes TIMES =
      new ArbiterTimes(
          Duration.ofSeconds(1),
          Duration.ofSeconds(9),
          Duration.ofSeconds(2),
          Duration.ofMillis(500),
          Duration.ofMillis(150),
          Duration.ofMillis(100));

  private long nanos = 1;
  private final PeerWatch watch = new PeerWatch(SELF, TIMES, () -> nanos);
  private final Map<Holder, Long> beats = new HashMap<>();
  private final Set<Holder> beating = new HashSet<>();
  private final Set<Holder> unreachable = new HashSet<>();
  private final Set<Holder> refusing = new HashSet<>();

  private void with(Holder... peers) {
    for (Holder peer : peers) {
      beats.put(peer, 1L);
      beating.add(peer);
    }
  }

  private Findings look() {
    for (Holder peer : beating) beats.merge(peer, 1L, Long::sum);
    List<Peer> peers = new ArrayList<>();
    for (Holder peer : beats.keySet()) peers.add(new Peer(peer, !unreachable.contains(peer)));
    watch.begin();
    return watch.judge(peers, beats, (Sighting row) -> refusing.contains(row.node()));
  }

  /** Looks every 300 ms; the last findings. */
  private Findings lookFor(Duration time) {
    Findings last = look();
    for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plus(LOOK)) {
      nanos += LOOK.toNanos();
      last = look();
    }
    return last;
  }

  @Test
  void membersThatBeatAndAreReachedStayForEver() {
    with(LOWER, HIGHER);
    Findings findings = lookFor(Duration.ofMinutes(1));
    assertThat(findings.out()).isEmpty();
    assertThat(findings.suspects()).isEmpty();
    assertThat(findings.quiet()).isEmpty();
  }

  @Test
  void aRefusalAloneProvesNothing() {
    with(LOWER);
    refusing.add(LOWER);
    assertThat(lookFor(Duration.ofSeconds(30)).out()).isEmpty();
  }

  @Test
  void aMemberWhoseRowStandsStillIsSuspectedAndGoneWhenItsAddressRefuses() {
    with(LOWER, HIGHER);
    lookFor(Duration.ofSeconds(3));
    beating.remove(LOWER);

    Findings findings = lookFor(Duration.ofMillis(900));
    assertThat(findings.suspects()).isEmpty();
    findings = lookFor(Duration.ofMillis(300));
    assertThat(findings.suspects()).containsExactly(new Sighting(LOWER, beats.get(LOWER)));
    assertThat(findings.out()).isEmpty();

    refusing.add(LOWER);
    assertThat(look().out()).containsExactly(Map.entry(LOWER, Reason.GONE));
  }

  @Test
  void aMemberThatIsSilentForLongGoesAlthoughItIsReached() {
    with(LOWER, HIGHER);
    lookFor(Duration.ofSeconds(3));
    beating.remove(LOWER);

    assertThat(lookFor(Duration.ofMillis(8_700)).out()).isEmpty();
    assertThat(lookFor(Duration.ofMillis(600)).out())
        .containsExactly(Map.entry(LOWER, Reason.SILENT));
  }

  @Test
  void aMemberWithoutARowGoesToo() {
    with(LOWER, HIGHER);
    List<Peer> peers = List.of(new Peer(LOWER, true), new Peer(HIGHER, true));
    Findings last = new Findings(Map.of(), Set.of(), Set.of());
    for (int i = 0; i < 40; i++) {
      nanos += LOOK.toNanos();
      watch.begin();
      last = watch.judge(peers, Map.of(HIGHER, (long) i), row -> false);
    }
    assertThat(last.out()).containsExactly(Map.entry(LOWER, Reason.SILENT));
  }

  @Test
  void anOutageOfTheStoreIsNoEvidence() {
    with(LOWER, HIGHER);
    lookFor(Duration.ofSeconds(3));
    beating.clear();
    lookFor(Duration.ofSeconds(6));
    watch.failed();
    nanos += Duration.ofSeconds(2).toNanos();
    assertThat(lookFor(Duration.ofSeconds(6)).out()).isEmpty();
  }

  @Test
  void aPauseOfThisNodeIsNoEvidence() {
    with(LOWER, HIGHER);
    lookFor(Duration.ofSeconds(3));
    beating.clear();
    nanos += Duration.ofMinutes(1).toNanos();
    unreachable.addAll(Set.of(LOWER, HIGHER));
    assertThat(look().out()).isEmpty();
    unreachable.clear();
    assertThat(lookFor(Duration.ofMillis(600)).out()).isEmpty();
  }

  @Test
  void aMemberThatIsQuietForSomeBeatsLeadsNothing() {
    with(LOWER, HIGHER);
    lookFor(Duration.ofSeconds(3));
    beating.remove(LOWER);
    Findings findings = lookFor(Duration.ofMillis(3_300));
    assertThat(findings.quiet()).containsExactly(LOWER);
    assertThat(findings.out()).isEmpty();
  }

  @Test
  void aMemberThatIsNeitherReachedNorBeatsGoesAsUnreachable() {
    with(LOWER, HIGHER);
    lookFor(Duration.ofSeconds(3));
    beating.remove(HIGHER);
    unreachable.add(HIGHER);
    assertThat(lookFor(Duration.ofMillis(1_800)).out()).isEmpty();
    assertThat(lookFor(Duration.ofMillis(300)).out())
        .containsExactly(Map.entry(HIGHER, Reason.UNREACHABLE));
  }

  @Test
  void aDeadMemberIsNotWaitedForByTheSmallerSide() {
    with(LOWER, HIGHER);
    lookFor(Duration.ofSeconds(3));
    beating.clear();
    lookFor(Duration.ofMillis(1_200));
    // The detector takes longer than some beats to see what the rows show.
    unreachable.addAll(Set.of(LOWER, HIGHER));
    assertThat(lookFor(Duration.ofMillis(1_800)).out()).isEmpty();
    assertThat(lookFor(Duration.ofMillis(300)).out())
        .isEqualTo(Map.of(LOWER, Reason.UNREACHABLE, HIGHER, Reason.UNREACHABLE));
  }

  @Test
  void theLargerSideOfACutDecidesFirst() {
    with(LOWER, HIGHER, HIGHEST);
    lookFor(Duration.ofSeconds(3));
    unreachable.add(LOWER);
    assertThat(lookFor(Duration.ofMillis(1_800)).out()).isEmpty();
    assertThat(lookFor(Duration.ofMillis(300)).out()).containsOnlyKeys(LOWER);
  }

  @Test
  void theSmallerSideWaitsAndThenDecidesToo() {
    with(LOWER, HIGHER);
    lookFor(Duration.ofSeconds(3));
    unreachable.addAll(Set.of(LOWER, HIGHER));
    assertThat(lookFor(Duration.ofMillis(2_400)).out()).isEmpty();
    assertThat(lookFor(Duration.ofMillis(300)).out())
        .isEqualTo(Map.of(LOWER, Reason.UNREACHABLE, HIGHER, Reason.UNREACHABLE));
  }

  @Test
  void ofTwoHalvesTheOneWithTheLowestAddressDecidesFirst() {
    with(LOWER);
    lookFor(Duration.ofSeconds(3));
    unreachable.add(LOWER);
    assertThat(lookFor(Duration.ofMillis(2_400)).out()).as("it is higher").isEmpty();
    assertThat(lookFor(Duration.ofMillis(300)).out()).containsOnlyKeys(LOWER);
  }

  @Test
  void theOtherSideIsTakenOutAsAWhole() {
    with(LOWER, HIGHER, HIGHEST);
    lookFor(Duration.ofSeconds(3));
    unreachable.add(HIGHER);
    lookFor(Duration.ofMillis(1_200));
    // Seen a moment later: alone, the node that is left there might take this one out.
    unreachable.add(HIGHEST);
    assertThat(lookFor(Duration.ofMillis(1_500)).out()).isEmpty();
    assertThat(lookFor(Duration.ofMillis(600)).out()).containsOnlyKeys(HIGHER, HIGHEST);
  }

  @Test
  void aMemberThatIsReachedAgainStays() {
    with(LOWER, HIGHER);
    lookFor(Duration.ofSeconds(3));
    for (int i = 0; i < 20; i++) {
      unreachable.add(LOWER);
      assertThat(lookFor(Duration.ofMillis(1_200)).out()).isEmpty();
      unreachable.clear();
      assertThat(look().out()).isEmpty();
    }
  }
}
