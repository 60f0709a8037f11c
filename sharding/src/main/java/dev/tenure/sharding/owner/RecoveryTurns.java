package dev.tenure.sharding.owner;

import java.util.LinkedHashSet;
import java.util.SequencedSet;

/**
 * Which owners of a node may read their history now. After a node was lost, ten thousand begin at
 * once: a read that waits here costs the storage nothing, and is not given up. Turns come in the
 * order in which they were asked for.
 */
public final class RecoveryTurns {
  private final int max;
  private final SequencedSet<Turn> waiting = new LinkedHashSet<>();
  private int running;

  /**
   * @param max turns at once
   */
  public RecoveryTurns(int max) {
    this.max = max;
  }

  /** The turn of one owner: it waits, has come, or is over. */
  public final class Turn {
    private final Runnable comes;
    private boolean running;
    private boolean over;

    private Turn(Runnable comes) {
      this.comes = comes;
    }

    /** Whether it has come, and is not over. */
    public boolean isRunning() {
      synchronized (RecoveryTurns.this) {
        return running;
      }
    }

    /** The next one follows. Does nothing when it is over already. */
    public void end() {
      Turn next;
      synchronized (RecoveryTurns.this) {
        if (over) return;
        over = true;
        if (!running) {
          waiting.remove(this);
          return;
        }
        running = false;
        RecoveryTurns.this.running--;
        next = waiting.isEmpty() ? null : begin(waiting.removeFirst());
      }
      if (next != null) next.comes.run();
    }
  }

  /**
   * Asks for a turn, which is to be ended whatever becomes of it.
   *
   * @param comes called when the turn comes later, on the thread of whoever ended the one before;
   *     not called when it has come at once
   */
  public synchronized Turn take(Runnable comes) {
    Turn turn = new Turn(comes);
    if (running < max) begin(turn);
    else waiting.add(turn);
    return turn;
  }

  /** How many wait. */
  public synchronized int waiting() {
    return waiting.size();
  }

  private Turn begin(Turn turn) {
    turn.running = true;
    running++;
    return turn;
  }
}
