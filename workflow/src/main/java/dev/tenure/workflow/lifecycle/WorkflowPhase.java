package dev.tenure.workflow.lifecycle;

/** Where a workflow stands, as far as it decides what may happen. */
public enum WorkflowPhase {
  /** There is none of that id. */
  NEW,
  /** Its program goes on whenever there is news. */
  LIVE,
  /** It is paused, blocked or has an incident: news are recorded, the program waits. */
  HELD,
  /** Its outcome is decided, and messages of it are still to be delivered. */
  ENDED,
  /** All messages are delivered; another start may begin a new run. */
  CLOSED;

  /** What moves a workflow. */
  public enum Trigger {
    START,
    PROGRESS,
    HOLD,
    RELEASE_ONE,
    RELEASE_LAST,
    END,
    DELIVER,
    CLOSE,
    RENEW,
    START_AGAIN
  }

  public static final TransitionTable<WorkflowPhase, Trigger> TABLE =
      TransitionTable.of(WorkflowPhase.class, Trigger.class)
          .row(NEW, Trigger.START, LIVE)
          .row(LIVE, Trigger.PROGRESS, LIVE)
          .row(LIVE, Trigger.HOLD, HELD)
          .row(LIVE, Trigger.END, ENDED)
          .row(HELD, Trigger.PROGRESS, HELD)
          .row(HELD, Trigger.HOLD, HELD)
          .row(HELD, Trigger.RELEASE_ONE, HELD)
          .row(HELD, Trigger.RELEASE_LAST, LIVE)
          .row(HELD, Trigger.END, ENDED)
          .row(NEW, Trigger.RENEW, LIVE)
          .row(LIVE, Trigger.RENEW, LIVE)
          .row(HELD, Trigger.RENEW, LIVE)
          .row(NEW, Trigger.START_AGAIN, LIVE)
          .row(ENDED, Trigger.START_AGAIN, LIVE)
          .row(CLOSED, Trigger.START_AGAIN, LIVE)
          .row(ENDED, Trigger.DELIVER, ENDED)
          .row(ENDED, Trigger.CLOSE, CLOSED);

  /** Whether the outcome is decided. */
  public boolean isOver() {
    return this == ENDED || this == CLOSED;
  }
}
