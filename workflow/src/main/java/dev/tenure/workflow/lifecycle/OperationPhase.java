package dev.tenure.workflow.lifecycle;

/** Where one operation stands. */
public enum OperationPhase {
  /** Not asked for yet. */
  NEW,
  /** An attempt of it runs somewhere. */
  IN_FLIGHT,
  /** Its last attempt failed, the next has its time. */
  BACKING_OFF,
  /** A message of it is on its way and not acknowledged. */
  SENDING,
  /** As sending, but the code does not wait for it any more. */
  LET_GO,
  /**
   * A child that runs, for which the parent does not wait any more, and which was asked to stop.
   */
  GIVEN_UP,
  /** It waits for time, a signal, or another workflow. */
  WAITING,
  /**
   * A message of it is recorded, and what the program asks for because of that is not: its
   * obligation stays until then.
   */
  ANSWERED,
  /** It has an outcome. It is no longer part of the state. */
  COMPLETED,
  /** It was not needed any more. It is no longer part of the state. */
  ABANDONED;

  /** What moves an operation. */
  public enum Trigger {
    ATTEMPT,
    SEND,
    WAIT,
    RECORD,
    ANSWER,
    LEAVE_OPEN,
    FAIL_ATTEMPT,
    NEXT_ATTEMPT,
    RETRY,
    REDELIVER,
    ACKNOWLEDGE,
    LET_GO,
    GIVE_UP,
    COMPLETE,
    ABANDON
  }

  public static final TransitionTable<OperationPhase, Trigger> TABLE =
      TransitionTable.of(OperationPhase.class, Trigger.class)
          .row(NEW, Trigger.ATTEMPT, IN_FLIGHT)
          .row(NEW, Trigger.SEND, SENDING)
          .row(NEW, Trigger.WAIT, WAITING)
          .row(NEW, Trigger.RECORD, COMPLETED)
          .row(IN_FLIGHT, Trigger.FAIL_ATTEMPT, BACKING_OFF)
          .row(IN_FLIGHT, Trigger.REDELIVER, IN_FLIGHT)
          .row(IN_FLIGHT, Trigger.COMPLETE, COMPLETED)
          .row(IN_FLIGHT, Trigger.ABANDON, ABANDONED)
          .row(BACKING_OFF, Trigger.NEXT_ATTEMPT, IN_FLIGHT)
          .row(BACKING_OFF, Trigger.RETRY, BACKING_OFF)
          .row(BACKING_OFF, Trigger.COMPLETE, COMPLETED)
          .row(BACKING_OFF, Trigger.ABANDON, ABANDONED)
          .row(SENDING, Trigger.ACKNOWLEDGE, WAITING)
          .row(SENDING, Trigger.COMPLETE, COMPLETED)
          .row(SENDING, Trigger.LET_GO, LET_GO)
          .row(LET_GO, Trigger.LET_GO, LET_GO)
          .row(LET_GO, Trigger.GIVE_UP, GIVEN_UP)
          .row(LET_GO, Trigger.ABANDON, ABANDONED)
          .row(GIVEN_UP, Trigger.ABANDON, ABANDONED)
          .row(WAITING, Trigger.GIVE_UP, GIVEN_UP)
          .row(WAITING, Trigger.COMPLETE, COMPLETED)
          .row(WAITING, Trigger.ABANDON, ABANDONED)
          .row(NEW, Trigger.ANSWER, ANSWERED)
          .row(IN_FLIGHT, Trigger.ANSWER, ANSWERED)
          .row(BACKING_OFF, Trigger.ANSWER, ANSWERED)
          .row(SENDING, Trigger.ANSWER, ANSWERED)
          .row(WAITING, Trigger.ANSWER, ANSWERED)
          .row(ANSWERED, Trigger.LEAVE_OPEN, WAITING)
          .row(ANSWERED, Trigger.COMPLETE, COMPLETED);

  /** Whether the owner must hold the workflow in memory because of it. */
  public boolean isInFlight() {
    return this == IN_FLIGHT || this == SENDING || this == LET_GO;
  }

  public boolean isOver() {
    return this == COMPLETED || this == ABANDONED;
  }
}
