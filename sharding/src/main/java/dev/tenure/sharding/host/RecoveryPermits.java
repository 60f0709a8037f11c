package dev.tenure.sharding.host;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;

/**
 * Which owners of a node may read their history now. After a node was lost, ten thousand begin at
 * once: a read that waits here costs the storage nothing, and is not given up. Permits are given in
 * the order in which they were asked for.
 *
 * <p>A history stays in memory until the code has gone through it. While those that were read have
 * too many bytes, none is read besides them; and the larger histories were of late, the fewer are
 * read at once, because the size of the next one is not known.
 */
public final class RecoveryPermits {
  /** With a heap of so many bytes one history more is read at once. */
  private static final long HEAP_PER_READ = 4L * 1024 * 1024;

  /** The part of the heap that histories may take. */
  private static final int HEAP_PART = 8;

  /** So many are read at once until it is known how large they are. */
  private static final int AT_FIRST = 32;

  /** Also of the largest, so that one that is slow to come does not hold up all others. */
  private static final int LEAST = 8;

  /** The newest history makes up this part of the size that is expected of the next one. */
  private static final int NEWEST_PART = 8;

  private final int max;
  private final long bytesMax;
  private final SequencedSet<Permit> waiting = new LinkedHashSet<>();
  private int running;
  private long bytesHeld;
  private long bytesExpected;

  /**
   * @param max permits at once
   * @param bytesMax with so many bytes in memory no history is read besides
   */
  public RecoveryPermits(int max, long bytesMax) {
    this.max = max;
    this.bytesMax = bytesMax;
    this.bytesExpected = bytesMax / AT_FIRST;
  }

  /**
   * @param max permits at once, however much memory there is
   */
  public static RecoveryPermits with(int max, long heapBytes) {
    int many = Math.clamp(heapBytes / HEAP_PER_READ, Math.min(LEAST, max), max);
    return new RecoveryPermits(many, heapBytes / HEAP_PART);
  }

  /** The permit of one owner: waiting, given or ended. */
  public final class Permit {
    private final Runnable comes;
    private boolean running;
    private boolean over;
    private long bytes;

    private Permit(Runnable comes) {
      this.comes = comes;
    }

    /** Whether it is given, and has not ended. */
    public boolean isRunning() {
      synchronized (RecoveryPermits.this) {
        return running;
      }
    }

    /** A part of the history has come. */
    public void read(long more) {
      synchronized (RecoveryPermits.this) {
        if (over) return;
        bytes += more;
        bytesHeld += more;
      }
    }

    /** All of the history has come, and is in memory until {@link #end}. Others may read. */
    public void wasRead() {
      synchronized (RecoveryPermits.this) {
        if (!stops()) return;
        bytesExpected += (bytes - bytesExpected) / NEWEST_PART;
      }
      next();
    }

    /** The history is needed no more. Does nothing the second time. */
    public void end() {
      synchronized (RecoveryPermits.this) {
        if (over) return;
        over = true;
        waiting.remove(this);
        bytesHeld -= bytes;
        stops();
      }
      next();
    }

    private boolean stops() {
      if (!running) return false;
      running = false;
      RecoveryPermits.this.running--;
      return true;
    }
  }

  /**
   * Asks for a permit, which the caller must end in any case.
   *
   * @param comes called when the permit is given later, on the thread that made room for it; not
   *     called when it has come at once
   */
  public synchronized Permit take(Runnable comes) {
    Permit permit = new Permit(comes);
    if (waiting.isEmpty() && isRoom()) begin(permit);
    else waiting.add(permit);
    return permit;
  }

  /** How many owners wait. */
  public synchronized int waiting() {
    return waiting.size();
  }

  private boolean isRoom() {
    long many = Math.clamp(bytesMax / Math.max(1, bytesExpected), Math.min(LEAST, max), max);
    return running < many && bytesHeld < bytesMax;
  }

  private void next() {
    List<Permit> given = new ArrayList<>();
    synchronized (this) {
      while (!waiting.isEmpty() && isRoom()) given.add(begin(waiting.removeFirst()));
    }
    given.forEach(permit -> permit.comes.run());
  }

  private Permit begin(Permit permit) {
    permit.running = true;
    running++;
    return permit;
  }
}
