package dev.tenure.sharding.mailbox;

import dev.tenure.workflow.kernel.WorkflowState;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What an owner knows of its inbox. From this it computes a position for the workflow's row: no
 * signal up to it concerns an open wait. The row must not name a later position (I8): the newest
 * commit may begin a wait for a signal that was accepted before, and when the node dies after that
 * commit, no other node would wake the workflow.
 */
public final class SeenSignals {
  /** For each name, the newest position that the last read found, or the current one has found. */
  private Map<String, Long> known = new HashMap<>(4);

  /** The same for the current read. */
  private Map<String, Long> current = new HashMap<>(4);

  private boolean isRead;
  private long newest;

  /**
   * Set when the run began in the place of another one: the newest position that the other run had
   * consumed. The workflow's counter of signals also counts those that the other run left, and
   * neither the history nor the inbox says how many these are.
   */
  private OptionalLong leftBehind = OptionalLong.empty();

  /** A read of the inbox begins. */
  public void readBegins() {
    current = new HashMap<>(4);
  }

  /** The owner knows of this signal, from a read or from the node that accepted it. */
  public void saw(String name, long position) {
    // A signal that was given back may stand before others of its name.
    current.merge(name, position, Math::max);
    known.merge(name, position, Math::max);
    newest = Math.max(newest, position);
  }

  /** The read of the inbox has ended: only the signals that it found are in the inbox. */
  public void readEnds() {
    known = current;
    isRead = true;
  }

  /** The workflow is new with its first commit: no signal was accepted before. */
  public void workflowBegins() {
    isRead = true;
  }

  /**
   * The run begins in the place of another one.
   *
   * @param consumed the newest position that was consumed before
   */
  public void startedAgain(long consumed) {
    // An owner that read the inbox while the other run was open has seen the signals that it left.
    if (!isRead) leftBehind = OptionalLong.of(consumed);
  }

  private boolean mayBeMore(WorkflowState state) {
    return leftBehind.isPresent() && last(state) <= leftBehind.getAsLong();
  }

  private long last(WorkflowState state) {
    return Math.max(newest, state.newestSignal());
  }

  /** Whether a signal of that name may be in the inbox, as far as this owner knows. */
  boolean mayWait(String name, WorkflowState state) {
    Long last = known.get(name);
    return !isRead || state.mayWaitInInbox(name, last == null ? Long.MIN_VALUE : last);
  }

  /** The position behind all accepted signals; empty when the owner may not know all of them. */
  OptionalLong next(WorkflowState state) {
    return isRead && !mayBeMore(state) ? OptionalLong.of(last(state) + 1) : OptionalLong.empty();
  }

  /** The position up to which the inbox is empty; no value when a signal may be in it. */
  public OptionalLong emptyUpTo(WorkflowState state) {
    if (!isRead || mayBeMore(state) || state.hasReturnedSignals()) return OptionalLong.empty();
    for (String name : known.keySet()) if (mayWait(name, state)) return OptionalLong.empty();
    return OptionalLong.of(last(state));
  }

  /**
   * No signal up to the returned position concerns an open wait. Signals behind it keep the
   * workflow due.
   */
  public long settled(WorkflowState state) {
    long settled = last(state);
    for (String name : state.awaitedSignals()) {
      // Before the first read: the previous owner may have left signals that no wait wanted then.
      if (!isRead) return 0;
      Long last = known.get(name);
      if (state.mayWaitInInbox(name, last == null ? Long.MIN_VALUE : last))
        settled = Math.min(settled, last == null ? 0 : last - 1);
    }
    return settled;
  }
}
