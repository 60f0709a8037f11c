package dev.tenure.sharding.run;

import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.sharding.commit.HistoryWriter;
import dev.tenure.sharding.effect.EffectRunner;
import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.mailbox.Inbox;
import dev.tenure.sharding.message.Message;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.lifecycle.WorkflowPhase;
import dev.tenure.workflow.owner.Next;
import java.util.List;

/**
 * Lets an owner leave the memory of its node when its workflow has rested: reads the inbox once
 * more, and writes into the workflow's row when it is due.
 */
final class Departure {
  private final Host host;
  private final HistoryWriter history;
  private final Residency residency;
  private final EffectRunner effects;
  private final Inbox inbox;
  private final CodeRun code;
  private final Decisions decisions;

  /** The inbox is being read for this, and no other message has come since. */
  private boolean isUnderWay;

  Departure(
      Host host,
      HistoryWriter history,
      Residency residency,
      EffectRunner effects,
      Inbox inbox,
      CodeRun code,
      Decisions decisions) {
    this.host = host;
    this.history = history;
    this.residency = residency;
    this.effects = effects;
    this.inbox = inbox;
    this.code = code;
    this.decisions = decisions;
  }

  /** The owner stays when any message but a page of the inbox arrives. */
  void comes(Message message) {
    isUnderWay = isUnderWay && message instanceof Message.InboxPage;
  }

  /** The inbox was read and is empty: whether the owner can leave now. */
  boolean hasLooked() {
    boolean was = isUnderWay;
    isUnderWay = false;
    return was;
  }

  /**
   * The workflow has rested for long enough.
   *
   * @param isWanted whether the owner still has something to do or to answer
   */
  Next<JournalEntry> idle(boolean isWanted) {
    WorkflowState state = history.state();
    if (!residency.wouldRest(state, isWanted)) return Next.nothing();
    if (effects.isProving(state)) {
      // Nobody tells the owner when that ends without news for it.
      residency.restsAnew();
      return Next.nothing();
    }
    if (!state.exists() || state.phase() == WorkflowPhase.CLOSED) return Next.leave();
    isUnderWay = true;
    // A signal may have been accepted without the owner hearing of it.
    inbox.look();
    return Next.nothing();
  }

  /**
   * Leaves. If the workflow's row does not say all that the owner knows of its inbox, a commit
   * writes it first.
   */
  Next<JournalEntry> leave() {
    if (!history.isBehind()) return Next.leave();
    if (!code.leavesTheTurn()) return Next.nothing();
    var entry = history.next(history.encode(List.of()), List.of(), false, host.clock.instant());
    return new Next.Commit<>(
        entry,
        false,
        () -> {
          history.stands();
          decisions.quiet(List.of());
          return Next.leave();
        });
  }
}
