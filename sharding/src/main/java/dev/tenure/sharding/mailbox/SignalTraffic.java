package dev.tenure.sharding.mailbox;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Which way the signals of a workflow in memory take at this moment: its owner takes one with its
 * next commit, or they are put into the inbox. Never both, or the commit would be refused for what
 * this very node accepted. For any thread.
 */
final class SignalTraffic {
  private final AtomicInteger toInbox = new AtomicInteger();
  private volatile boolean taking;

  /** Whether a signal may be put into the inbox now; {@link #stored} follows. */
  boolean mayStore() {
    toInbox.incrementAndGet();
    // Whoever begins to take one looks at the other number after it said so.
    if (!taking) return true;
    toInbox.decrementAndGet();
    return false;
  }

  /** The owner knows what became of it. */
  void stored() {
    toInbox.decrementAndGet();
  }

  /** Whether the owner may take one now; {@link #endTaking} follows. */
  boolean beginTaking() {
    taking = true;
    if (toInbox.get() == 0) return true;
    taking = false;
    return false;
  }

  void endTaking() {
    if (taking) taking = false;
  }
}
