package dev.tenure.workflow.operation;

import dev.tenure.workflow.collation.ActivityKind;

/** The kinds of units that programs are made of, with the digits that each sets. */
public enum OperationKind {
  /** A piece of the program's own code, run on the owner. */
  STEP(ActivityKind.WORKER),
  /** Registered code, run under limits of its own. */
  ACTIVITY(ActivityKind.WORKER),
  TIMER(ActivityKind.TIME_HOOK),
  SIGNAL_WAIT(ActivityKind.WEB_HOOK),
  /** Another workflow, whose outcome is waited for. */
  CHILD(ActivityKind.AWAIT),
  /** A message to another workflow, which is waited for until it is acknowledged. */
  MESSAGE(ActivityKind.AWAIT),
  /** A value that the program made up and that every replay must see again. */
  VALUE(ActivityKind.PASSTHROUGH),
  /** Enters an ancestor again, in a plane of its own. */
  CYCLE(ActivityKind.CYCLE);

  private final ActivityKind collation;

  OperationKind(ActivityKind collation) {
    this.collation = collation;
  }

  public ActivityKind collation() {
    return collation;
  }

  /** Whether an operation of this kind can be that activity of a graph. */
  public boolean allows(ActivityKind kind) {
    return switch (kind) {
      case WORKER -> collation == ActivityKind.WORKER;
      case TIME_HOOK, TIME_PIVOT -> collation == ActivityKind.TIME_HOOK;
      case WEB_HOOK, WEB_PIVOT -> collation == ActivityKind.WEB_HOOK;
      case AWAIT -> collation == ActivityKind.AWAIT;
      case SIGNAL, INTERRUPT_ANOTHER -> this == MESSAGE;
      case PASSTHROUGH, PIVOT -> collation == ActivityKind.PASSTHROUGH;
      case CYCLE -> collation == ActivityKind.CYCLE;
      case TRIGGER, SELF_INTERRUPT -> false;
    };
  }
}
