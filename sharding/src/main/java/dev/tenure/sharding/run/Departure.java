package dev.tenure.sharding.run;

import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.sharding.commit.HistoryWriter;
import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.mailbox.Inbox;
import dev.tenure.sharding.message.Message;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.lifecycle.WorkflowPhase;
import dev.tenure.workflow.owner.Next;
import java.util.List;

/**
 * How an owner leaves the memory of its node when nothing has moved for a while: it looks at the
 * inbox once more, and has the workflow's row say when it is due.
 */
final class Departure {
  private final Host host;
  private final HistoryWriter chronicle;
  private final Residency rest;
  private final Inbox inbox;
  private final CodeRun code;
  private final Decisions decisions;

  /** The inbox is being looked at, and nothing else has come since. */
  private boolean isUnderWay;

  Departure(
      Host host,
      HistoryWriter chronicle,
      Residency rest,
      Inbox inbox,
      CodeRun code,
      Decisions decisions) {
    this.host = host;
    this.chronicle = chronicle;
    this.rest = rest;
    this.inbox = inbox;
    this.code = code;
    this.decisions = decisions;
  }

  /** Any message but a page of the inbox is a reason to stay. */
  void comes(Message message) {
    isUnderWay = isUnderWay && message instanceof Message.InboxPage;
  }

  /** The look at the inbox has found nothing: whether it was the last thing to wait for. */
  boolean hasLooked() {
    boolean was = isUnderWay;
    isUnderWay = false;
    return was;
  }

  /**
   * Nothing has moved for a while.
   *
   * @param isWanted whether the owner still has something to do or to answer
   */
  Next<JournalEntry> idle(boolean isWanted) {
    WorkflowState state = chronicle.state();
    if (!rest.wouldRest(state, isWanted)) return Next.nothing();
    if (!state.exists() || state.phase() == WorkflowPhase.CLOSED) return Next.leave();
    isUnderWay = true;
    // What was accepted and not heard of must not be slept over.
    inbox.look();
    return Next.nothing();
  }

  /** Nothing new is in the inbox; its row says when it is due, also after signals moved that. */
  Next<JournalEntry> leave() {
    if (!chronicle.isBehind()) return Next.leave();
    if (!code.leavesTheTurn()) return Next.nothing();
    var entry = chronicle.next(chronicle.encode(List.of()), List.of(), false, host.clock.instant());
    return new Next.Commit<>(
        entry,
        false,
        () -> {
          chronicle.stands();
          decisions.quiet(List.of());
          return Next.leave();
        });
  }
}
