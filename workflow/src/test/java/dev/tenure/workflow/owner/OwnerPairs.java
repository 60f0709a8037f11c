package dev.tenure.workflow.owner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** All that can happen to an owner in each of its states, and what it does about that. */
final class OwnerPairs {
  private OwnerPairs() {}

  /**
   * One pair of the table.
   *
   * @param to the state that the input leads to in the end
   * @param says what happens, as the fixture writes it down
   */
  record Pair(
      OwnerState from,
      OwnerInput input,
      Consumer<OwnerFixture> happens,
      OwnerState to,
      List<String> says) {
    @Override
    public String toString() {
      return input + " in " + from;
    }
  }

  private static Pair pair(
      OwnerState from,
      OwnerInput input,
      Consumer<OwnerFixture> happens,
      OwnerState to,
      String... says) {
    return new Pair(from, input, happens, to, List.of(says));
  }

  static Consumer<OwnerFixture> message(Next<String> answer) {
    return owner -> {
      owner.answers(answer);
      owner.loop.on("m");
    };
  }

  private static final Consumer<OwnerFixture> MESSAGE = owner -> owner.loop.on("m");
  private static final Consumer<OwnerFixture> STOP = owner -> owner.loop.stop();
  private static final Consumer<OwnerFixture> KILL = owner -> owner.loop.killed();
  static final Consumer<OwnerFixture> STANDS = owner -> owner.loop.commitStands(owner.number);
  static final Consumer<OwnerFixture> REFUSED =
      owner -> owner.loop.commitRefused(owner.number, "fenced");
  static final Consumer<OwnerFixture> UNCERTAIN = owner -> owner.loop.commitUncertain(owner.number);
  static final Consumer<OwnerFixture> SILENT = owner -> owner.loop.journalSilent(owner.number);

  /** What comes from a history that is read. */
  private static final Set<OwnerState> READS =
      Set.of(OwnerState.RECOVERING, OwnerState.UNREADABLE, OwnerState.LEAVING);

  /** An owner in that state. */
  static OwnerFixture in(OwnerState state) {
    OwnerFixture owner = new OwnerFixture();
    owner.fresh = !READS.contains(state);
    owner.loop.begin();
    switch (state) {
      case RECOVERING, READY -> {}
      case COMMITTING -> message(owner.commit(Next.nothing())).accept(owner);
      case STOPPING -> {
        message(owner.commit(Next.nothing())).accept(owner);
        owner.loop.stop();
      }
      case PAUSING -> message(new Next.Pause<>("later")).accept(owner);
      case UNREADABLE -> damaged(owner);
      case LEAVING -> SILENT.accept(owner);
      case STOPPED -> owner.loop.stop();
    }
    assertThat(owner.loop.state()).isEqualTo(state);
    owner.log.clear();
    owner.fresh = false;
    return owner;
  }

  private static void damaged(OwnerFixture owner) {
    owner.damage = Optional.of("a hole");
    owner.loop.historyFailed(owner.number, new IllegalStateException("a hole"));
    owner.damage = Optional.empty();
  }

  static Stream<Pair> all() {
    return Stream.of(
            recovering(),
            ready(),
            committing(),
            stopping(),
            pausing(),
            unreadable(),
            leaving(),
            stopped())
        .flatMap(pairs -> pairs);
  }

  private static Stream<Pair> recovering() {
    OwnerState state = OwnerState.RECOVERING;
    return Stream.of(
        pair(state, OwnerInput.MESSAGE, MESSAGE, state),
        pair(state, OwnerInput.COMMIT_READ, OwnerPairs::reads, state, "folds an entry"),
        pair(state, OwnerInput.SNAPSHOT_READ, OwnerPairs::restores, state, "restores a snapshot"),
        pair(
            state,
            OwnerInput.HISTORY_READ,
            MESSAGE.andThen(owner -> owner.loop.historyRead(owner.number)),
            OwnerState.READY,
            "begins 1",
            "takes m"),
        pair(
            state,
            OwnerInput.HISTORY_UNREACHABLE,
            owner -> owner.loop.historyFailed(owner.number, new IllegalStateException("away")),
            OwnerState.PAUSING,
            "ends",
            "pauses"),
        pair(
            state,
            OwnerInput.HISTORY_DAMAGED,
            MESSAGE.andThen(OwnerPairs::damaged),
            OwnerState.UNREADABLE,
            "ends",
            "stands in for m"),
        pair(
            state,
            OwnerInput.FAILED,
            owner -> {
              owner.foldFails = new IllegalStateException("cannot fold");
              reads(owner);
              reads(owner);
              owner.loop.historyRead(owner.number);
            },
            OwnerState.PAUSING,
            "failed: cannot fold",
            "ends",
            "pauses"),
        pair(
            state,
            OwnerInput.NO_TENURE,
            owner -> {
              owner.loop.historyFailed(owner.number, new IllegalStateException("away"));
              owner.loop.on("m");
              owner.tenure = false;
              owner.log.clear();
              owner.loop.pauseOver(owner.number);
            },
            OwnerState.LEAVING,
            "gives back m",
            "lets go"),
        pair(
            state,
            OwnerInput.JOURNAL_SILENT,
            MESSAGE.andThen(SILENT),
            OwnerState.LEAVING,
            "ends",
            "gives back m",
            "lets go"),
        pair(
            state,
            OwnerInput.FRESH,
            owner -> {
              owner.loop.historyFailed(owner.number, new IllegalStateException("away"));
              owner.fresh = true;
              owner.log.clear();
              owner.loop.pauseOver(owner.number);
            },
            OwnerState.READY),
        pair(
            state,
            OwnerInput.BEYOND_HELP,
            owner -> {
              for (int i = 0; i < 2 * FailureCount.FAILURES_MAX; i++) {
                owner.foldFails = new IllegalStateException("cannot fold");
                reads(owner);
                owner.loop.historyRead(owner.number);
                owner.loop.pauseOver(owner.number);
              }
              owner.log.removeIf(one -> !one.startsWith("stands"));
              owner.loop.on("m");
            },
            OwnerState.UNREADABLE,
            "stands in for m"),
        pair(state, OwnerInput.STOP, STOP, OwnerState.STOPPED, "ends", "ended"),
        pair(state, OwnerInput.KILLED, KILL, OwnerState.STOPPED, "ends", "ended"));
  }

  static void reads(OwnerFixture owner) {
    owner.loop.entryRead(owner.number, OwnerFixture.ENTRY);
  }

  static void restores(OwnerFixture owner) {
    owner.loop.snapshotRead(owner.number, OwnerFixture.SNAPSHOT);
  }

  private static Stream<Pair> ready() {
    OwnerState state = OwnerState.READY;
    return Stream.of(
        pair(state, OwnerInput.MESSAGE, MESSAGE, state, "takes m"),
        pair(
            state,
            OwnerInput.WANTS_COMMIT,
            owner -> message(owner.commit(Next.nothing())).accept(owner),
            OwnerState.COMMITTING,
            "takes m",
            "writes an entry"),
        pair(
            state,
            OwnerInput.WANTS_RESTART,
            message(new Next.Restart<>("the code begins again")),
            OwnerState.RECOVERING,
            "takes m",
            "ends",
            "reads"),
        pair(
            state,
            OwnerInput.WANTS_PAUSE,
            message(new Next.Pause<>("later")),
            OwnerState.PAUSING,
            "takes m",
            "ends",
            "pauses"),
        pair(
            state,
            OwnerInput.WANTS_TO_LEAVE,
            message(Next.leave()),
            state,
            "takes m",
            "asks to leave"),
        pair(
            state,
            OwnerInput.RUN_FOLLOWS,
            message(Next.carryOver()),
            state,
            "takes m",
            "carries over",
            "begins 2"),
        pair(
            state,
            OwnerInput.FAILED,
            owner -> {
              owner.fails("a defect");
              owner.loop.on("m");
            },
            OwnerState.PAUSING,
            "takes m",
            "failed: a defect",
            "ends",
            "pauses"),
        pair(state, OwnerInput.STOP, STOP, OwnerState.STOPPED, "ends", "ended"),
        pair(state, OwnerInput.KILLED, KILL, OwnerState.STOPPED, "ends", "ended"));
  }

  private static Stream<Pair> committing() {
    OwnerState state = OwnerState.COMMITTING;
    return Stream.of(
        pair(state, OwnerInput.MESSAGE, MESSAGE, state),
        pair(
            state,
            OwnerInput.COMMIT_STANDS,
            MESSAGE.andThen(STANDS),
            OwnerState.READY,
            "performs",
            "goes on",
            "takes m"),
        pair(state, OwnerInput.COMMIT_REFUSED, REFUSED, OwnerState.PAUSING, "ends", "pauses"),
        pair(state, OwnerInput.COMMIT_UNCERTAIN, UNCERTAIN, OwnerState.PAUSING, "ends", "pauses"),
        pair(state, OwnerInput.JOURNAL_SILENT, SILENT, OwnerState.PAUSING, "ends", "pauses"),
        pair(state, OwnerInput.STOP, STOP, OwnerState.STOPPING),
        pair(state, OwnerInput.KILLED, KILL, OwnerState.STOPPED, "ends", "ended"));
  }

  private static Stream<Pair> stopping() {
    OwnerState state = OwnerState.STOPPING;
    return Stream.of(
        pair(state, OwnerInput.MESSAGE, MESSAGE, state),
        pair(
            state,
            OwnerInput.COMMIT_STANDS,
            MESSAGE.andThen(STANDS),
            OwnerState.STOPPED,
            "performs",
            "ends",
            "gives back m",
            "ended"),
        pair(state, OwnerInput.COMMIT_REFUSED, REFUSED, OwnerState.STOPPED, "ends", "ended"),
        pair(state, OwnerInput.COMMIT_UNCERTAIN, UNCERTAIN, OwnerState.STOPPED, "ends", "ended"),
        pair(
            state,
            OwnerInput.JOURNAL_SILENT,
            MESSAGE.andThen(SILENT),
            OwnerState.STOPPED,
            "ends",
            "gives back m",
            "ended"),
        pair(state, OwnerInput.STOP, STOP, state),
        pair(state, OwnerInput.KILLED, KILL, OwnerState.STOPPED, "ends", "ended"));
  }

  private static Stream<Pair> pausing() {
    OwnerState state = OwnerState.PAUSING;
    return Stream.of(
        pair(state, OwnerInput.MESSAGE, MESSAGE, state),
        pair(
            state,
            OwnerInput.PAUSE_OVER,
            owner -> owner.loop.pauseOver(owner.number),
            OwnerState.RECOVERING,
            "reads"),
        pair(
            state,
            OwnerInput.STOP,
            MESSAGE.andThen(STOP),
            OwnerState.STOPPED,
            "gives back m",
            "ended"),
        pair(state, OwnerInput.KILLED, KILL, OwnerState.STOPPED, "ended"));
  }

  private static Stream<Pair> unreadable() {
    OwnerState state = OwnerState.UNREADABLE;
    return Stream.of(
        pair(state, OwnerInput.MESSAGE, MESSAGE, state, "stands in for m"),
        pair(
            state,
            OwnerInput.FAILED,
            owner -> {
              owner.standInFails = new IllegalStateException("a defect");
              owner.loop.on("m");
            },
            state,
            "failed: a defect"),
        pair(
            state,
            OwnerInput.WANTS_TO_LEAVE,
            owner -> owner.loop.unneeded(owner.number),
            state,
            "asks to leave"),
        pair(
            state,
            OwnerInput.RESTORED,
            owner -> owner.loop.restored(owner.number),
            OwnerState.RECOVERING,
            "reads"),
        pair(state, OwnerInput.STOP, STOP, OwnerState.STOPPED, "ended"),
        pair(state, OwnerInput.KILLED, KILL, OwnerState.STOPPED, "ended"));
  }

  private static Stream<Pair> leaving() {
    OwnerState state = OwnerState.LEAVING;
    return Stream.of(
        pair(state, OwnerInput.MESSAGE, MESSAGE, state, "gives back m"),
        pair(state, OwnerInput.STOP, STOP, OwnerState.STOPPED, "ended"),
        pair(state, OwnerInput.KILLED, KILL, OwnerState.STOPPED, "ended"));
  }

  private static Stream<Pair> stopped() {
    OwnerState state = OwnerState.STOPPED;
    return Stream.of(
        pair(state, OwnerInput.MESSAGE, MESSAGE, state, "gives back m"),
        pair(state, OwnerInput.STOP, STOP, state),
        pair(state, OwnerInput.KILLED, KILL, state));
  }
}
