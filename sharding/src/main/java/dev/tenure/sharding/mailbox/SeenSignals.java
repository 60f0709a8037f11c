package dev.tenure.sharding.mailbox;

import dev.tenure.workflow.kernel.WorkflowState;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What an owner knows of its inbox, so that the workflow's row can say up to where nothing in it
 * concerns the waits that are open. A row that says more than that is slept over (I8): the wait for
 * a signal that was accepted before may begin in the very commit after which the node dies.
 */
public final class SeenSignals {
  /** By name, the newest position that stood in the inbox at the last look, or does at this one. */
  private Map<String, Long> known = new HashMap<>(4);

  /** The same, of the look that is under way. */
  private Map<String, Long> now = new HashMap<>(4);

  private boolean looked;
  private long newest;

  public void begins() {
    now = new HashMap<>(4);
  }

  public void saw(String name, long position) {
    now.put(name, position);
    known.merge(name, position, Math::max);
    newest = Math.max(newest, position);
  }

  public void ends() {
    known = now;
    looked = true;
  }

  /** The workflow's row is new with its first commit: nothing was accepted before. */
  public void begins(WorkflowState first) {
    looked = true;
  }

  /** Whether one of that name may stand in the inbox, of all that this owner knows of. */
  boolean mayWait(String name, WorkflowState state) {
    Long last = known.get(name);
    return !looked || state.mayWaitInInbox(name, last == null ? Long.MIN_VALUE : last);
  }

  /** The position behind all that it knows of; empty before it knows of all. */
  OptionalLong next(WorkflowState state) {
    return looked
        ? OptionalLong.of(Math.max(newest, state.newestSignal()) + 1)
        : OptionalLong.empty();
  }

  /** Up to where nothing at all stands in the inbox, as far as it knows; empty if something may. */
  public OptionalLong emptyUpTo(WorkflowState state) {
    if (!looked || state.hasReturnedSignals()) return OptionalLong.empty();
    for (String name : known.keySet()) if (mayWait(name, state)) return OptionalLong.empty();
    return OptionalLong.of(Math.max(newest, state.newestSignal()));
  }

  /**
   * Of the position that is returned, and all before it, nothing is left in the inbox that an open
   * wait would take. Signals behind it keep the workflow due.
   */
  public long settled(WorkflowState state) {
    long settled = Math.max(newest, state.newestSignal());
    for (String name : state.awaitedSignals()) {
      // Taken over from an owner that may have left some for whom nobody waited then.
      if (!looked) return 0;
      Long last = known.get(name);
      if (state.mayWaitInInbox(name, last == null ? Long.MIN_VALUE : last))
        settled = Math.min(settled, last == null ? 0 : last - 1);
    }
    return settled;
  }
}
