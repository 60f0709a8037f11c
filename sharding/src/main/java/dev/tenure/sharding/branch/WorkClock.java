package dev.tenure.sharding.branch;

import dev.tenure.workflow.Payload;
import java.util.function.LongSupplier;

/**
 * For how long the code of a run has run since its newest news. Time counts while one of its
 * threads has a carrier; the time in which it waits for one, or for the store, does not. Written by
 * the threads that move the run, read by the one that looks at it from time to time.
 */
public final class WorkClock {
  private final LongSupplier nanos;

  /** When the newest news began; 0 while all is quiet. */
  private volatile long since;

  /** Since when a thread runs; 0 while it waits. */
  private volatile long runs;

  /** How long threads ran before that, for this news. */
  private volatile long ran;

  public WorkClock(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** The code has something to do, and no thread yet. */
  public void begins() {
    since = now();
    runs = 0;
    ran = 0;
  }

  /** The next news: what the code did for the one before is over. */
  public void news() {
    long now = now();
    since = now;
    ran = 0;
    if (runs != 0) runs = now;
  }

  /** The thread that calls has its carrier. */
  public void runs() {
    waits();
    runs = now();
  }

  /** The strand goes on when its thread has a carrier, or as soon as a step gives it back. */
  void handsTo(WorkflowThread strand) {
    if (strand != null && strand.running() != null) runs();
    else waits();
  }

  /** The next thread waits for its carrier, or this one for the store. */
  public void waits() {
    long from = runs;
    if (from == 0) return;
    ran += now() - from;
    runs = 0;
  }

  /** The value with its bytes in memory. The store's time is not the code's. */
  public Payload load(Payload value) {
    if (value.keptBy().isEmpty()) return value;
    waits();
    try {
      return Payload.of(value.bytes());
    } finally {
      runs();
    }
  }

  public void quiet() {
    since = 0;
    runs = 0;
  }

  public long since() {
    return since;
  }

  /** How long the code has run for its newest news. */
  public long ranNanos() {
    long from = runs;
    return ran + (from == 0 ? 0 : Math.max(0, now() - from));
  }

  /** Never 0. */
  private long now() {
    long now = nanos.getAsLong();
    return now == 0 ? 1 : now;
  }
}
