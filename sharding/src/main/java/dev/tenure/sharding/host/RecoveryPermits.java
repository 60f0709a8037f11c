package dev.tenure.sharding.host;

import java.util.LinkedHashSet;
import java.util.SequencedSet;

/**
 * Which owners of a node may read their history now. After a node was lost, ten thousand begin at
 * once: a read that waits here costs the storage nothing, and is not given up. Permits are given in
 * the order in which they were asked for.
 */
public final class RecoveryPermits {
  private final int max;
  private final SequencedSet<Permit> waiting = new LinkedHashSet<>();
  private int running;

  /**
   * @param max permits at once
   */
  public RecoveryPermits(int max) {
    this.max = max;
  }

  /** The permit of one owner: waiting, given or ended. */
  public final class Permit {
    private final Runnable comes;
    private boolean running;
    private boolean over;

    private Permit(Runnable comes) {
      this.comes = comes;
    }

    /** Whether it is given, and has not ended. */
    public boolean isRunning() {
      synchronized (RecoveryPermits.this) {
        return running;
      }
    }

    /** Ends it, and gives the next one. Does nothing the second time. */
    public void end() {
      Permit next;
      synchronized (RecoveryPermits.this) {
        if (over) return;
        over = true;
        if (!running) {
          waiting.remove(this);
          return;
        }
        running = false;
        RecoveryPermits.this.running--;
        next = waiting.isEmpty() ? null : begin(waiting.removeFirst());
      }
      if (next != null) next.comes.run();
    }
  }

  /**
   * Asks for a permit, which the caller must end in any case.
   *
   * @param comes called when the permit is given later, on the thread that ended the one before;
   *     not called when it has come at once
   */
  public synchronized Permit take(Runnable comes) {
    Permit permit = new Permit(comes);
    if (running < max) begin(permit);
    else waiting.add(permit);
    return permit;
  }

  /** How many owners wait. */
  public synchronized int waiting() {
    return waiting.size();
  }

  private Permit begin(Permit permit) {
    permit.running = true;
    running++;
    return permit;
  }
}
