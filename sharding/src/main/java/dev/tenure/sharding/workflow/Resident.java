package dev.tenure.sharding.workflow;

import dev.tenure.sharding.code.CodeProgram;
import dev.tenure.workflow.kernel.Wake;
import dev.tenure.workflow.kernel.WorkflowState;
import java.util.function.Consumer;

/** What the looks at a workflow in memory see of it, and whom they tell. */
final class Resident implements Residents.Resident {
  private static final long NEVER = Long.MAX_VALUE;

  private final Consumer<Message> owner;
  private final long codeLimitNanos;
  private final long restLimitMs;
  private volatile CodeProgram program;
  private volatile long dueMs = NEVER;
  private volatile long restsSinceMs = NEVER;

  Resident(Consumer<Message> owner, WorkflowSettings settings) {
    this.owner = owner;
    this.codeLimitNanos = settings.codeLimit().toNanos();
    this.restLimitMs = settings.restLimit().toMillis();
  }

  /** The owner has come to rest, or moves. */
  void update(WorkflowState state, CodeProgram code, boolean quiet, long nowMs) {
    program = code;
    // A timer must not come early: what is due within a millisecond is due at its end.
    dueMs =
        !state.exists() ? NEVER : state.nextDue().map(due -> due.toEpochMilli() + 1).orElse(NEVER);
    boolean rests = quiet && (!state.exists() || !(state.wakeAt() instanceof Wake.Now));
    if (!rests) restsSinceMs = NEVER;
    else if (restsSinceMs == NEVER) restsSinceMs = nowMs;
  }

  @Override
  public void look(long nowMs, boolean crowded) {
    CodeProgram code = program;
    if (code != null && code.holdup(codeLimitNanos).isPresent())
      owner.accept(new Message.Overdue(code));
    if (nowMs >= dueMs) {
      dueMs = NEVER;
      owner.accept(Message.Due.DUE);
    }
    long since = restsSinceMs;
    if (since != NEVER && (crowded || nowMs - since >= restLimitMs)) {
      restsSinceMs = NEVER;
      owner.accept(Message.Idle.IDLE);
    }
  }

  @Override
  public boolean rests() {
    return restsSinceMs != NEVER;
  }
}
