package dev.tenure.persistence.merging;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * What waits in a merging queue, and which of its threads may make the next call. Each request
 * belongs to a lane and each lane has a thread.
 *
 * <p>While few requests wait, one call at a time takes what waits in all lanes: the calls are as
 * large as they can be. The threads take turns, so that the next call is under way while the
 * answers of the last one are given. While more wait than {@code spreadAbove}, each thread takes
 * what waits in its own lane, and as many calls as there are lanes are under way at once. A call
 * for all lanes and a call for one are never under way together, so two calls at once never carry
 * requests of one lane.
 */
final class Lanes<T> {
  /** So many answers take longer than it takes to wake a thread. */
  private static final int ANSWERS_WORTH_A_THREAD = 8;

  private final int waitingMax;
  private final int spreadAbove;

  private final ReentrantLock lock = new ReentrantLock();
  // All that follows is guarded by the lock.
  private final List<Lane<T>> lanes = new ArrayList<>();
  private int waiting;
  private int calls;
  private boolean callForAll;
  private boolean closed;

  /**
   * The lane from which the next call for all takes first. Another one each time, because one lane
   * may have more waiting than a call takes.
   */
  private int first;

  /** A thread that was woken, or has few answers to give, makes the next call for all lanes. */
  private int expected;

  private static final class Lane<T> {
    private final Deque<T> waiting = new ArrayDeque<>();
    private final Condition mayCall;
    private boolean idle;
    private boolean expected;

    private Lane(Condition mayCall) {
      this.mayCall = mayCall;
    }
  }

  /**
   * @param waitingMax of each lane
   */
  Lanes(int count, int waitingMax, int spreadAbove) {
    this.waitingMax = waitingMax;
    this.spreadAbove = spreadAbove;
    for (int i = 0; i < count; i++) lanes.add(new Lane<>(lock.newCondition()));
  }

  int count() {
    return lanes.size();
  }

  /** False when the lane is full, or closed. */
  boolean offer(int lane, T request) {
    lock.lock();
    try {
      Deque<T> queue = lanes.get(lane).waiting;
      if (closed || queue.size() >= waitingMax) return false;
      queue.add(request);
      waiting++;
      wakeCallers();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** One idle thread for all lanes, or the idle threads of the lanes in which something waits. */
  private void wakeCallers() {
    if (waiting == 0 || callForAll) return;
    boolean spread = isSpread();
    if (!spread && (calls > 0 || expected > 0)) return;
    for (Lane<T> lane : lanes) {
      if (!lane.idle || spread && lane.waiting.isEmpty()) continue;
      lane.idle = false;
      expect(lane);
      lane.mayCall.signal();
      if (!spread) return;
    }
  }

  private void expect(Lane<T> lane) {
    if (lane.expected) return;
    lane.expected = true;
    expected++;
  }

  private void arrived(Lane<T> lane) {
    if (!lane.expected) return;
    lane.expected = false;
    expected--;
  }

  private boolean isSpread() {
    return waiting > spreadAbove;
  }

  /**
   * Waits until the lane's thread may make a call, and begins it: what waits, in the order of each
   * lane, as far as it fits. Empty when the lanes are closed and nothing waits any more.
   *
   * @param fits asked for each in its order; behind one that does not, all of its lane wait
   */
  List<T> begin(int lane, int max, Predicate<T> fits) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      Lane<T> own = lanes.get(lane);
      arrived(own);
      while (!mayBegin(own)) {
        if (closed && waiting == 0) return List.of();
        own.idle = true;
        try {
          own.mayCall.await();
        } finally {
          own.idle = false;
          arrived(own);
        }
      }
      callForAll = !isSpread();
      calls++;
      return take(own, max, fits, true);
    } finally {
      lock.unlock();
    }
  }

  /**
   * What waits by now and fits, for the call that this lane's thread has under way. Waits for
   * nothing.
   */
  List<T> more(int lane, int max, Predicate<T> fits) {
    lock.lock();
    try {
      return take(lanes.get(lane), max, fits, false);
    } finally {
      lock.unlock();
    }
  }

  /**
   * @param one at least, also when it does not fit
   */
  private List<T> take(Lane<T> own, int max, Predicate<T> fits, boolean one) {
    List<T> taken = new ArrayList<>(Math.min(waiting, max));
    if (callForAll) {
      for (int i = 0; i < count(); i++)
        take(lanes.get((first + i) % count()), max, fits, one, taken);
      first = (first + 1) % count();
    } else take(own, max, fits, one, taken);
    waiting -= taken.size();
    return taken;
  }

  private boolean mayBegin(Lane<T> own) {
    if (waiting == 0 || callForAll) return false;
    return isSpread() ? !own.waiting.isEmpty() : calls == 0;
  }

  private static <T> void take(
      Lane<T> lane, int max, Predicate<T> fits, boolean one, List<T> taken) {
    while (!lane.waiting.isEmpty() && taken.size() < max) {
      // The first of a call is always taken.
      boolean isFirst = one && taken.isEmpty();
      if (!fits.test(lane.waiting.getFirst()) && !isFirst) return;
      taken.add(lane.waiting.removeFirst());
    }
  }

  /**
   * The storage has answered a call; the next may begin. The lane's thread gives so many answers
   * now, and then comes back to {@link #begin}.
   */
  void end(int lane, int answers) {
    lock.lock();
    try {
      calls--;
      callForAll = false;
      if (answers < ANSWERS_WORTH_A_THREAD) expect(lanes.get(lane));
      if (closed && waiting == 0) wakeAll();
      else wakeCallers();
    } finally {
      lock.unlock();
    }
  }

  /** Takes no more. */
  void close() {
    lock.lock();
    try {
      closed = true;
      wakeAll();
    } finally {
      lock.unlock();
    }
  }

  private void wakeAll() {
    for (Lane<T> lane : lanes) lane.mayCall.signalAll();
  }

  /** Takes no more, and returns what waits: no call will carry it. */
  List<T> abandon() {
    lock.lock();
    try {
      closed = true;
      List<T> rest = new ArrayList<>(waiting);
      for (Lane<T> lane : lanes) {
        rest.addAll(lane.waiting);
        lane.waiting.clear();
      }
      waiting = 0;
      wakeAll();
      return rest;
    } finally {
      lock.unlock();
    }
  }
}
