package dev.tenure.workflow.owner;

import static dev.tenure.workflow.owner.OwnerPairs.REFUSED;
import static dev.tenure.workflow.owner.OwnerPairs.STANDS;
import static dev.tenure.workflow.owner.OwnerPairs.UNCERTAIN;
import static dev.tenure.workflow.owner.OwnerPairs.in;
import static dev.tenure.workflow.owner.OwnerPairs.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The life of an owner, state by state and input by input. */
class OwnerLoopTest {
  static Stream<OwnerPairs.Pair> pairs() {
    return OwnerPairs.all();
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void eachPairThatCanHappenIsHandled(OwnerPairs.Pair pair) {
    OwnerFixture owner = in(pair.from());
    pair.happens().accept(owner);
    assertThat(owner.met.get(pair.from())).contains(pair.input());
    assertThat(owner.loop.state()).isEqualTo(pair.to());
    assertThat(owner.log).containsExactlyElementsOf(pair.says());
  }

  /** What is performed last may fail, when the owner has stopped already. */
  @Test
  void aFailureAfterTheLastCommitIsNoted() {
    OwnerFixture owner = new OwnerFixture();
    owner.fresh = true;
    owner.loop.begin();
    owner.answers(
        new Next.Commit<>(
            OwnerFixture.ENTRY,
            true,
            () -> {
              throw new IllegalStateException("a defect");
            }));
    owner.loop.on("m");
    owner.loop.stop();
    STANDS.accept(owner);
    assertThat(owner.met.get(OwnerState.STOPPED)).contains(OwnerInput.FAILED);
    assertThat(owner.log)
        .containsExactly("takes m", "writes an entry", "failed: a defect", "ends", "ended");
  }

  /** What others can take up waits for a commit, and for nothing that may take longer. */
  @Test
  void whatCanBeTakenUpElsewhereWaitsForNoRecovery() {
    OwnerFixture owner = in(OwnerState.COMMITTING);
    owner.loop.on("signal");
    assertThat(owner.log).isEmpty();
    UNCERTAIN.accept(owner);
    assertThat(owner.log).containsExactly("ends", "sends elsewhere signal", "pauses");
    owner.log.clear();
    owner.loop.on("m");
    owner.loop.on("signal");
    assertThat(owner.log).containsExactly("sends elsewhere signal");
    OwnerFixture reads = in(OwnerState.RECOVERING);
    reads.loop.on("signal");
    assertThat(reads.log).containsExactly("sends elsewhere signal");
    OwnerFixture restarts = in(OwnerState.READY);
    restarts.answers(new Next.Commit<>(OwnerFixture.ENTRY, true, () -> new Next.Restart<>("anew")));
    restarts.loop.on("m");
    restarts.loop.on("signal");
    STANDS.accept(restarts);
    assertThat(restarts.log)
        .containsExactly("takes m", "writes an entry", "ends", "sends elsewhere signal", "reads");
  }

  @Test
  void thePairsAboveAreAllThatTheTableHandles() {
    Map<OwnerState, Set<OwnerInput>> walked = new EnumMap<>(OwnerState.class);
    for (OwnerState state : OwnerState.values())
      walked.put(state, EnumSet.noneOf(OwnerInput.class));
    pairs().forEach(pair -> walked.get(pair.from()).add(pair.input()));
    walked.get(OwnerState.STOPPED).add(OwnerInput.FAILED);
    for (OwnerState state : OwnerState.values())
      for (OwnerInput input : OwnerInput.values()) {
        TransitionTable.Transition one = TransitionTable.of(state, input);
        assertThat(one).as("%s in %s", input, state).isNotNull();
        boolean handled = one.action() != OwnerAction.IMPOSSIBLE;
        assertThat(walked.get(state).contains(input))
            .as("%s in %s", input, state)
            .isEqualTo(handled);
        assertThat(one.why().isEmpty()).as("%s in %s says why", input, state).isEqualTo(handled);
      }
  }

  @ParameterizedTest
  @MethodSource("states")
  void whatCannotHappenIsRefusedAndAnAnswerThatComesTooLateIsPassedOver(OwnerState state) {
    Map<OwnerInput, Consumer<OwnerFixture>> reports =
        Map.of(
            OwnerInput.COMMIT_READ,
            OwnerPairs::reads,
            OwnerInput.SNAPSHOT_READ,
            OwnerPairs::restores,
            OwnerInput.HISTORY_READ,
            owner -> owner.loop.historyRead(owner.number),
            OwnerInput.COMMIT_STANDS,
            STANDS,
            OwnerInput.COMMIT_REFUSED,
            REFUSED,
            OwnerInput.COMMIT_UNCERTAIN,
            UNCERTAIN,
            OwnerInput.JOURNAL_SILENT,
            OwnerPairs.SILENT,
            OwnerInput.PAUSE_OVER,
            owner -> owner.loop.pauseOver(owner.number),
            OwnerInput.RESTORED,
            owner -> owner.loop.restored(owner.number));
    reports.forEach(
        (input, report) -> {
          if (TransitionTable.of(state, input).action() != OwnerAction.IMPOSSIBLE) return;
          OwnerFixture owner = in(state);
          if (owner.loop.awaits(owner.number))
            assertThatThrownBy(() -> report.accept(owner))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(input + " in " + state);
          owner.number--;
          report.accept(owner);
          assertThat(owner.loop.state()).isEqualTo(state);
          assertThat(owner.log).isEmpty();
        });
  }

  static Stream<OwnerState> states() {
    return Stream.of(OwnerState.values());
  }

  // --- going round

  @Test
  void restartsWithoutACommitAreFollowedByPauses() {
    OwnerFixture owner = in(OwnerState.READY);
    owner.fresh = true;
    for (int i = 0; i < FailureCount.RESTARTS_MAX; i++) {
      message(new Next.Restart<>("again")).accept(owner);
      assertThat(owner.loop.state()).isEqualTo(OwnerState.READY);
    }
    message(new Next.Restart<>("again")).accept(owner);
    assertThat(owner.loop.state()).isEqualTo(OwnerState.PAUSING);
    owner.loop.pauseOver(owner.number);
    message(owner.commit(Next.nothing())).accept(owner);
    STANDS.accept(owner);
    message(new Next.Restart<>("again")).accept(owner);
    assertThat(owner.loop.state()).as("a commit stood").isEqualTo(OwnerState.READY);
  }

  @Test
  void whatFailsAgainAndAgainBecomesAnIncidentAndStandsUnreadableInTheEnd() {
    OwnerFixture owner = in(OwnerState.READY);
    owner.fresh = true;
    for (int i = 1; i <= 2 * FailureCount.FAILURES_MAX; i++) {
      assertThat(owner.loop.state()).isEqualTo(OwnerState.READY);
      assertThat(owner.log.contains("must raise an incident"))
          .as("after %d failures", i - 1)
          .isEqualTo(i > FailureCount.FAILURES_MAX);
      owner.fails("a defect");
      owner.loop.on("m");
      owner.loop.pauseOver(owner.number);
    }
    assertThat(owner.loop.state()).isEqualTo(OwnerState.UNREADABLE);
  }

  @Test
  void aCommitThatIsProgressEndsTheCountOfFailures() {
    OwnerFixture owner = in(OwnerState.READY);
    owner.fresh = true;
    for (int i = 0; i < 3 * FailureCount.FAILURES_MAX; i++) {
      owner.fails("a defect");
      owner.loop.on("m");
      owner.loop.pauseOver(owner.number);
      message(owner.commit(Next.nothing())).accept(owner);
      STANDS.accept(owner);
    }
    assertThat(owner.loop.state()).isEqualTo(OwnerState.READY);
    assertThat(owner.log).doesNotContain("must raise an incident");
  }

  @Test
  void aHistoryThatCannotBeReadForNoKnownReasonIsReportedAndReadAgain() {
    OwnerFixture owner = in(OwnerState.RECOVERING);
    owner.loop.historyFailed(owner.number, new IllegalStateException("strange"));
    assertThat(owner.loop.state()).isEqualTo(OwnerState.PAUSING);
    assertThat(owner.log).contains("failed: The history cannot be read.");
  }

  @Test
  void aHistoryThatCannotBeReadForNoKnownReasonStandsUnreadableInTheEnd() {
    OwnerFixture owner = in(OwnerState.RECOVERING);
    for (int i = 0; i < 2 * FailureCount.FAILURES_MAX; i++) {
      assertThat(owner.loop.state()).isEqualTo(OwnerState.RECOVERING);
      owner.loop.historyFailed(owner.number, new IllegalStateException("strange"));
      owner.loop.pauseOver(owner.number);
    }
    assertThat(owner.loop.state()).isEqualTo(OwnerState.UNREADABLE);
  }

  @Test
  void aHistoryThatCannotBeReadNowIsReadAgainForAsLongAsThatLasts() {
    OwnerFixture owner = in(OwnerState.RECOVERING);
    for (int i = 0; i < 10 * FailureCount.FAILURES_MAX; i++) {
      owner.loop.historyFailed(owner.number, new IllegalStateException("away"));
      owner.loop.pauseOver(owner.number);
    }
    assertThat(owner.loop.state()).isEqualTo(OwnerState.RECOVERING);
  }

  @Test
  void whatCannotBeReadNowIsNoFailure() {
    OwnerFixture owner = in(OwnerState.READY);
    owner.fails("away");
    owner.loop.on("m");
    assertThat(owner.loop.state()).isEqualTo(OwnerState.PAUSING);
    assertThat(owner.log).containsExactly("takes m", "ends", "pauses");
  }

  @Test
  void aCommitThatNobodyCanStoreIsAFailure() {
    OwnerFixture owner = in(OwnerState.READY);
    owner.fresh = true;
    for (int i = 0; i < FailureCount.FAILURES_MAX; i++) {
      message(owner.commit(Next.nothing())).accept(owner);
      owner.loop.commitInvalid(owner.number, new IllegalStateException("too large"));
      owner.loop.pauseOver(owner.number);
    }
    assertThat(owner.log).contains("cannot commit", "must raise an incident");
  }

  @Test
  void anOwnerThatFailsAsItEndsGivesBackWhatItKept() {
    OwnerFixture owner = in(OwnerState.COMMITTING);
    owner.endFails = new IllegalStateException("a defect");
    owner.loop.on("m");
    owner.loop.stop();
    STANDS.accept(owner);
    assertThat(owner.log)
        .containsExactly("performs", "ends", "failed: a defect", "gives back m", "ended");
  }

  @Test
  void anOwnerThatFailsAsItIsGivenUpPausesAllTheSame() {
    OwnerFixture owner = in(OwnerState.READY);
    owner.endFails = new IllegalStateException("a defect");
    message(new Next.Pause<>("later")).accept(owner);
    assertThat(owner.log).containsExactly("takes m", "ends", "failed: a defect", "pauses");
    assertThat(owner.loop.state()).isEqualTo(OwnerState.PAUSING);
  }

  @Test
  void aCommitThatIsRefusedIsNoFailure() {
    OwnerFixture owner = in(OwnerState.READY);
    owner.fresh = true;
    for (int i = 0; i < 3 * FailureCount.FAILURES_MAX; i++) {
      message(owner.commit(Next.nothing())).accept(owner);
      REFUSED.accept(owner);
      owner.loop.pauseOver(owner.number);
    }
    assertThat(owner.loop.state()).isEqualTo(OwnerState.READY);
    assertThat(owner.log).doesNotContain("must raise an incident");
  }

  @Test
  void whatIsTooMuchIsRefusedAtTheDoorWhateverTheState() {
    for (OwnerState state : OwnerState.values()) {
      if (state == OwnerState.STOPPED || state == OwnerState.LEAVING) continue;
      OwnerFixture owner = in(state);
      owner.full = true;
      owner.loop.on("m");
      assertThat(owner.log).isEmpty();
    }
  }
}
