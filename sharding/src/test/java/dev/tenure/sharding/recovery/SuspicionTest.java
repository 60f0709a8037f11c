package dev.tenure.sharding.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.recovery.Recovery;
import dev.tenure.workflow.WorkflowId;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the one that takes its nodes down is found among all that were there. */
class SuspicionTest {
  private static Recovery of(int number, int losses, int alone, OptionalInt company) {
    return new Recovery(new WorkflowId("w-" + number), 1, 1, losses, alone, company);
  }

  @Test
  void oneLossIsNobodysFault() {
    assertThat(Suspicion.of(of(1, 1, 0, OptionalInt.empty()))).isEqualTo(Suspicion.NONE);
    assertThat(Suspicion.of(of(1, 2, 0, OptionalInt.empty()))).isEqualTo(Suspicion.SUSPECT);
    assertThat(Suspicion.of(of(1, 3, 1, OptionalInt.of(1)))).isEqualTo(Suspicion.SUSPECT);
    assertThat(Suspicion.of(of(1, 4, 2, OptionalInt.of(1)))).isEqualTo(Suspicion.CONVICTED);
    assertThat(Suspicion.of(of(1, Suspicion.LOSSES_MAX, 0, OptionalInt.empty())))
        .isEqualTo(Suspicion.CONVICTED);
  }

  /** The search, with the store's arithmetic: none of the innocent ever makes progress. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 40, 3_000})
  void eachLossHalvesTheSuspects(int all) {
    Random random = new Random(all);
    int poison = random.nextInt(all);
    List<Recovery> known = new ArrayList<>();
    for (int i = 0; i < all; i++) known.add(of(i, 2, 0, OptionalInt.empty()));
    int losses = 0;
    while (known.stream().noneMatch(one -> Suspicion.of(one) == Suspicion.CONVICTED)) {
      Suspects suspects = new Suspects(id -> 1);
      suspects.begin(1, known);
      List<Recovery> group = List.of();
      int outlived = 0;
      while (group.stream().noneMatch(one -> one.workflow().value().equals("w-" + poison))) {
        outlived += group.size();
        group = suspects.next(Suspicion.groupSize(outlived), shard -> true);
        group.forEach(suspects::tries);
      }
      losses++;
      List<Recovery> after = new ArrayList<>();
      for (Recovery one : known) {
        int size = group.size();
        boolean tried = group.contains(one);
        int company = Math.min(one.company().orElse(Integer.MAX_VALUE), size);
        after.add(
            new Recovery(
                one.workflow(),
                1,
                one.epoch(),
                one.losses() + 1,
                one.alone() + (tried && size == 1 ? 1 : 0),
                tried ? OptionalInt.of(company) : one.company()));
      }
      known = after;
    }
    assertThat(known)
        .filteredOn(one -> Suspicion.of(one) == Suspicion.CONVICTED)
        .extracting(one -> one.workflow().value())
        .containsExactly("w-" + poison);
    assertThat(losses).isLessThanOrEqualTo(Suspicion.LOSSES_MAX - 2);
  }

  @Test
  void whoMadeProgressIsNoSuspectAndWhoseShardIsGoneIsNotTried() {
    Suspects suspects = new Suspects(id -> 1);
    Recovery one = of(1, 2, 0, OptionalInt.empty());
    suspects.begin(1, List.of(one));
    assertThat(suspects.leave(one.workflow())).isEqualTo(Suspects.Leave.WAIT);
    assertThat(suspects.next(1, shard -> false)).isEmpty();
    suspects.tries(one);
    assertThat(suspects.leave(one.workflow())).isEqualTo(Suspects.Leave.GO_ON);
    assertThat(suspects.isKnown(one.workflow())).isTrue();
    suspects.progressed(one.workflow(), one.epoch());
    assertThat(suspects.isKnown(one.workflow())).isFalse();
    suspects.begin(1, List.of(of(1, 4, 2, OptionalInt.of(1))));
    assertThat(suspects.leave(one.workflow())).isEqualTo(Suspects.Leave.STAND_STILL);
    suspects.begin(1, List.of());
    assertThat(suspects.leave(one.workflow())).isEqualTo(Suspects.Leave.GO_ON);
  }

  /** Of an earlier tenure of the same node, whose commit was counted before the loss. */
  @Test
  void anOwnerThatHearsLateClearsNothingOfALaterTenure() {
    Suspects suspects = new Suspects(id -> 1);
    Recovery one = of(1, 2, 0, OptionalInt.empty());
    suspects.begin(1, List.of(one));

    suspects.progressed(one.workflow(), one.epoch() - 1);

    assertThat(suspects.isKnown(one.workflow())).isTrue();
  }
}
