package dev.tenure.sharding.mailbox;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * For one workflow in memory, keeps this node from accepting signals in two ways at once: the owner
 * takes one signal with its next commit, or signals are put into the inbox. If the node did both at
 * once, the commit would be refused because of a signal that this node itself accepted. Used on any
 * thread.
 */
final class SignalTraffic {
  private final AtomicInteger toInbox = new AtomicInteger();
  private volatile boolean taking;

  /** Whether a signal may be put into the inbox now; {@link #stored} follows. */
  boolean mayStore() {
    toInbox.incrementAndGet();
    // {@code beginTaking} sets its flag first and then reads this counter, so one of the two sees
    // the other.
    if (!taking) return true;
    toInbox.decrementAndGet();
    return false;
  }

  /** The owner knows whether the signal was accepted. */
  void stored() {
    toInbox.decrementAndGet();
  }

  /** Whether the owner may take a signal now; {@link #endTaking} follows. */
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
