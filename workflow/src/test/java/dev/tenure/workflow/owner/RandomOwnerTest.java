package dev.tenure.workflow.owner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.owner.RandomOwner.Asked;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Every call of the loop in every state, in an order that chance decides. */
class RandomOwnerTest {
  private static final int SEEDS = 1_000;
  private static final int CALLS = 150;

  private final Map<OwnerState, Set<OwnerInput>> met = new EnumMap<>(OwnerState.class);

  @Test
  void noMessageIsLostOrOvertaken() {
    for (int seed = 0; seed < SEEDS; seed++)
      try {
        live(new RandomOwner(new SplittableRandom(seed)));
      } catch (AssertionError | RuntimeException failure) {
        throw new AssertionError("seed " + seed, failure);
      }
    for (OwnerState state : OwnerState.values())
      for (OwnerInput input : OwnerInput.values())
        if (TransitionTable.of(state, input).action() != OwnerAction.IMPOSSIBLE)
          assertThat(met.get(state)).as("met in " + state).contains(input);
  }

  private void live(RandomOwner owner) {
    List<Long> numbers = new ArrayList<>();
    owner.loop.begin();
    for (int call = 0; call < CALLS; call++) {
      numbers.add(owner.number);
      call(owner, numbers);
    }
    end(owner);
    owner.assertNothingIsLeft();
    owner.met.forEach(
        (state, inputs) ->
            met.computeIfAbsent(state, s -> EnumSet.noneOf(OwnerInput.class)).addAll(inputs));
  }

  private static void call(RandomOwner owner, List<Long> numbers) {
    int choice = owner.random.nextInt(100);
    if (choice < 35) owner.loop.on(++owner.sent);
    else if (choice < 45) owner.loop.on(RandomOwner.CODE);
    else if (choice < 55) late(owner, numbers.get(owner.random.nextInt(numbers.size())));
    else if (choice == 55 || choice == 60 && owner.loop.state() == OwnerState.COMMITTING)
      owner.loop.stop();
    else if (choice < 58 && owner.loop.state() == OwnerState.STOPPING) owner.loop.killed();
    else if (choice == 56 && owner.random.nextInt(4) == 0) owner.loop.killed();
    else if (owner.wantsToLeave && choice < 60) owner.loop.stop();
    else answer(owner);
  }

  /** An answer to what the loop waits for no more changes nothing. */
  private static void late(RandomOwner owner, long number) {
    if (owner.loop.awaits(number)) return;
    OwnerState state = owner.loop.state();
    int ended = owner.ended.size();
    Asked asked = owner.asked;
    owner.loop.entryRead(number, OwnerFixture.ENTRY);
    owner.loop.snapshotRead(number, OwnerFixture.SNAPSHOT);
    owner.loop.historyRead(number);
    owner.loop.historyFailed(number, new IllegalStateException("damaged"));
    owner.loop.commitStands(number);
    owner.loop.commitRefused(number, "fenced");
    owner.loop.commitInvalid(number, new IllegalStateException("too large"));
    owner.loop.commitUncertain(number);
    owner.loop.journalSilent(number);
    owner.loop.pauseOver(number);
    owner.loop.restored(number);
    owner.loop.unneeded(number);
    assertThat(owner.loop.state()).isEqualTo(state);
    assertThat(owner.ended).hasSize(ended);
    assertThat(owner.asked).isEqualTo(asked);
  }

  private static void answer(RandomOwner owner) {
    Asked asked = owner.asked;
    long number = owner.number;
    // What the owner gave up meanwhile is answered late.
    if (!owner.loop.awaits(number)) {
      owner.asked = Asked.NOTHING;
      late(owner, number);
      return;
    }
    int how = owner.random.nextInt(20);
    if (asked == Asked.READ && how < 10) {
      if (how == 0) owner.loop.snapshotRead(number, OwnerFixture.SNAPSHOT);
      else owner.loop.entryRead(number, OwnerFixture.ENTRY);
      return;
    }
    if (asked == Asked.STAND_IN && how > 2) {
      if (how == 3) owner.loop.unneeded(number);
      return;
    }
    owner.asked = Asked.NOTHING;
    switch (asked) {
      case NOTHING -> {}
      case READ -> {
        if (how == 10) owner.loop.journalSilent(number);
        else if (how == 11) owner.loop.historyFailed(number, new IllegalStateException("away"));
        else if (how == 12) owner.loop.historyFailed(number, new IllegalStateException("damaged"));
        else if (how == 13) owner.loop.historyFailed(number, new IllegalStateException("strange"));
        else owner.loop.historyRead(number);
      }
      case WRITE -> {
        if (how == 0) owner.loop.commitRefused(number, "fenced");
        else if (how == 1) owner.loop.commitUncertain(number);
        else if (how == 2) owner.loop.journalSilent(number);
        else if (how == 3) owner.loop.commitInvalid(number, new IllegalStateException("too large"));
        else owner.loop.commitStands(number);
      }
      case PAUSE -> owner.loop.pauseOver(number);
      case STAND_IN -> owner.loop.restored(number);
    }
  }

  private static void end(RandomOwner owner) {
    owner.loop.stop();
    owner.loop.stop();
    if (owner.loop.state() == OwnerState.STOPPING) {
      owner.asked = Asked.NOTHING;
      owner.loop.commitStands(owner.number);
    }
    assertThat(owner.loop.state()).isEqualTo(OwnerState.STOPPED);
    owner.loop.on(++owner.sent);
  }
}
