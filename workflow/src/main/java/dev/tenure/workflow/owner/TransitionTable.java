package dev.tenure.workflow.owner;

import static dev.tenure.workflow.owner.OwnerState.COMMITTING;
import static dev.tenure.workflow.owner.OwnerState.LEAVING;
import static dev.tenure.workflow.owner.OwnerState.PAUSING;
import static dev.tenure.workflow.owner.OwnerState.READY;
import static dev.tenure.workflow.owner.OwnerState.RECOVERING;
import static dev.tenure.workflow.owner.OwnerState.STOPPED;
import static dev.tenure.workflow.owner.OwnerState.STOPPING;
import static dev.tenure.workflow.owner.OwnerState.UNREADABLE;

import java.util.EnumMap;
import java.util.Map;

/** What an owner does for each state and each input. */
final class TransitionTable {
  /**
   * @param to the state in which the action leaves the owner, unless what it does is an input again
   * @param why it cannot happen, when it cannot
   */
  record Transition(OwnerAction action, OwnerState to, String why) {}

  /** Only what was asked for in this state is reported in it; older reports have an old number. */
  private static final String NOT_ASKED = "the owner has not asked for it in this state";

  private static final String NOT_AT_WORK = "the decider is not at work in this state";

  private static final String BEFORE = "it is reported only while the owner takes the workflow up";

  private static final Map<OwnerState, Map<OwnerInput, Transition>> TABLE =
      new EnumMap<>(OwnerState.class);

  static {
    for (OwnerState state : OwnerState.values()) TABLE.put(state, new EnumMap<>(OwnerInput.class));

    on(OwnerInput.MESSAGE)
        .in(RECOVERING, OwnerAction.KEEP, RECOVERING)
        .in(READY, OwnerAction.TAKE_UP, READY)
        .in(COMMITTING, OwnerAction.KEEP, COMMITTING)
        .in(STOPPING, OwnerAction.KEEP, STOPPING)
        .in(PAUSING, OwnerAction.KEEP, PAUSING)
        .in(UNREADABLE, OwnerAction.STAND_IN, UNREADABLE)
        .in(LEAVING, OwnerAction.HAND_ON, LEAVING)
        .in(STOPPED, OwnerAction.HAND_ON, STOPPED);

    on(OwnerInput.NO_TENURE).in(RECOVERING, OwnerAction.LET_GO, LEAVING).elsewhere(BEFORE);
    on(OwnerInput.BEYOND_HELP).in(RECOVERING, OwnerAction.STAND_FOR, UNREADABLE).elsewhere(BEFORE);
    on(OwnerInput.FRESH).in(RECOVERING, OwnerAction.AWAIT_START, READY).elsewhere(BEFORE);
    on(OwnerInput.COMMIT_READ).in(RECOVERING, OwnerAction.FOLD, RECOVERING).elsewhere(NOT_ASKED);
    on(OwnerInput.SNAPSHOT_READ)
        .in(RECOVERING, OwnerAction.RESTORE, RECOVERING)
        .elsewhere(NOT_ASKED);
    on(OwnerInput.HISTORY_READ).in(RECOVERING, OwnerAction.BEGIN, READY).elsewhere(NOT_ASKED);
    on(OwnerInput.HISTORY_UNREACHABLE)
        .in(RECOVERING, OwnerAction.PAUSE, PAUSING)
        .elsewhere(NOT_ASKED);
    on(OwnerInput.HISTORY_DAMAGED)
        .in(RECOVERING, OwnerAction.STAND_FOR, UNREADABLE)
        .elsewhere(NOT_ASKED);

    on(OwnerInput.WANTS_COMMIT).in(READY, OwnerAction.WRITE, COMMITTING).elsewhere(NOT_AT_WORK);
    on(OwnerInput.WANTS_RESTART).in(READY, OwnerAction.RECOVER, RECOVERING).elsewhere(NOT_AT_WORK);
    on(OwnerInput.WANTS_PAUSE).in(READY, OwnerAction.PAUSE, PAUSING).elsewhere(NOT_AT_WORK);
    on(OwnerInput.WANTS_TO_LEAVE)
        .in(READY, OwnerAction.ASK_TO_LEAVE, READY)
        .in(UNREADABLE, OwnerAction.ASK_TO_LEAVE, UNREADABLE)
        .elsewhere(NOT_AT_WORK);
    on(OwnerInput.RUN_FOLLOWS).in(READY, OwnerAction.CARRY_OVER, READY).elsewhere(NOT_AT_WORK);
    on(OwnerInput.FAILED)
        .in(RECOVERING, OwnerAction.FAIL, PAUSING)
        .in(READY, OwnerAction.FAIL, PAUSING)
        .in(UNREADABLE, OwnerAction.NOTE_FAILURE, UNREADABLE)
        .in(STOPPED, OwnerAction.NOTE_FAILURE, STOPPED)
        .elsewhere(NOT_AT_WORK);

    on(OwnerInput.COMMIT_STANDS)
        .in(COMMITTING, OwnerAction.PERFORM, READY)
        .in(STOPPING, OwnerAction.PERFORM_LAST, STOPPED)
        .elsewhere(NOT_ASKED);
    on(OwnerInput.COMMIT_REFUSED)
        .in(COMMITTING, OwnerAction.PAUSE, PAUSING)
        .in(STOPPING, OwnerAction.END, STOPPED)
        .elsewhere(NOT_ASKED);
    on(OwnerInput.COMMIT_UNCERTAIN)
        .in(COMMITTING, OwnerAction.PAUSE, PAUSING)
        .in(STOPPING, OwnerAction.END, STOPPED)
        .elsewhere(NOT_ASKED);

    // Another actor reads again: answers to a read that was given up cannot be told from others.
    on(OwnerInput.JOURNAL_SILENT)
        .in(RECOVERING, OwnerAction.LET_GO, LEAVING)
        .in(COMMITTING, OwnerAction.PAUSE, PAUSING)
        .in(STOPPING, OwnerAction.END, STOPPED)
        .elsewhere(NOT_ASKED);

    on(OwnerInput.PAUSE_OVER).in(PAUSING, OwnerAction.RECOVER, RECOVERING).elsewhere(NOT_ASKED);
    on(OwnerInput.RESTORED).in(UNREADABLE, OwnerAction.RECOVER, RECOVERING).elsewhere(NOT_ASKED);

    on(OwnerInput.STOP)
        .in(RECOVERING, OwnerAction.END, STOPPED)
        .in(READY, OwnerAction.END, STOPPED)
        .in(COMMITTING, OwnerAction.AWAIT_COMMIT, STOPPING)
        .in(STOPPING, OwnerAction.IGNORE, STOPPING)
        .in(PAUSING, OwnerAction.END, STOPPED)
        .in(UNREADABLE, OwnerAction.END, STOPPED)
        .in(LEAVING, OwnerAction.END, STOPPED)
        .in(STOPPED, OwnerAction.IGNORE, STOPPED);
    on(OwnerInput.KILLED)
        .in(RECOVERING, OwnerAction.END, STOPPED)
        .in(READY, OwnerAction.END, STOPPED)
        .in(COMMITTING, OwnerAction.END, STOPPED)
        .in(STOPPING, OwnerAction.END, STOPPED)
        .in(PAUSING, OwnerAction.END, STOPPED)
        .in(UNREADABLE, OwnerAction.END, STOPPED)
        .in(LEAVING, OwnerAction.END, STOPPED)
        .in(STOPPED, OwnerAction.IGNORE, STOPPED);
  }

  private TransitionTable() {}

  static Transition of(OwnerState state, OwnerInput input) {
    return TABLE.get(state).get(input);
  }

  private record Row(OwnerInput input) {
    Row in(OwnerState state, OwnerAction action, OwnerState to) {
      TABLE.get(state).put(input, new Transition(action, to, ""));
      return this;
    }

    void elsewhere(String why) {
      for (OwnerState state : OwnerState.values())
        TABLE.get(state).putIfAbsent(input, new Transition(OwnerAction.IMPOSSIBLE, state, why));
    }
  }

  private static Row on(OwnerInput input) {
    return new Row(input);
  }
}
