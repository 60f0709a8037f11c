package dev.tenure.simulation;

import java.util.concurrent.Semaphore;

/**
 * Work that waits for an answer of the store while time passes. It has a thread of its own, because
 * it waits in the middle of the engine's code; this thread and the loop's take turns, so the same
 * choices make the same life.
 */
final class SlowCall {
  private final Semaphore mayGoOn = new Semaphore(0);
  private final Semaphore mayLoop = new Semaphore(0);
  private Throwable failure;
  private boolean over;

  /** Returns when the work waits, or is over. */
  void begin(Runnable work) {
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                work.run();
              } catch (RuntimeException | Error broken) {
                failure = broken;
              } finally {
                over = true;
                mayLoop.release();
              }
            });
    await();
  }

  /** Called by the work: it goes on when the answer comes. */
  void awaitAnswer() {
    mayLoop.release();
    mayGoOn.acquireUninterruptibly();
  }

  /** The answer comes. Returns when the work waits again, or is over. */
  void answer() {
    if (over) return;
    mayGoOn.release();
    await();
  }

  boolean isOver() {
    return over;
  }

  private void await() {
    mayLoop.acquireUninterruptibly();
    switch (failure) {
      case null -> {}
      case RuntimeException broken -> throw broken;
      case Error broken -> throw broken;
      default -> throw new IllegalStateException(failure);
    }
  }
}
