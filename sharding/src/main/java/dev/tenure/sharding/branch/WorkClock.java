package dev.tenure.sharding.branch;

import dev.tenure.workflow.Payload;
import java.util.function.LongSupplier;

/**
 * Measures how long the code of a run has run since its newest news. Time counts while one of its
 * threads has a carrier; time in which that thread waits for a carrier, or for the store, does not.
 * Written by the threads of the run, read by the one that checks from time to time.
 */
public final class WorkClock {
  private final LongSupplier nanos;

  /** When the newest news began; 0 while no code runs. */
  private volatile long since;

  /** Since when a thread runs; 0 while it waits. */
  private volatile long runs;

  /** How long threads have run for this news before that. */
  private volatile long ran;

  public WorkClock(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** The code has news, and no thread runs yet. */
  public void begins() {
    since = now();
    runs = 0;
    ran = 0;
  }

  /** The next news: the time for the one before is over. */
  public void news() {
    long now = now();
    since = now;
    ran = 0;
    if (runs != 0) runs = now;
  }

  /** The calling thread has its carrier. */
  public void runs() {
    waits();
    runs = now();
  }

  /** This thread goes on once it has a carrier, or once a step that runs on it has ended. */
  void handsTo(WorkflowThread thread) {
    if (thread != null && thread.running() != null) runs();
    else waits();
  }

  /** The next thread waits for its carrier, or the calling one for the store. */
  public void waits() {
    long from = runs;
    if (from == 0) return;
    ran += now() - from;
    runs = 0;
  }

  /** The value with its bytes in memory. Time in which the store is asked does not count. */
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
