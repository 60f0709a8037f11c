package dev.tenure.sharding.task;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The polls of one queue for the same activities, in the order in which they came. Guarded by the
 * lock of the {@link Polls} that they belong to.
 *
 * <p>When the queue has work, the first of them takes. Only when it got something the next two
 * take, then the next four: one task that comes costs a call for one poll, not for all that wait.
 */
final class Line {
  /** Polls that take at once because the queue has work. */
  private static final int STEP_MAX = 64;

  final PolledQueue queue;

  /** All when empty. */
  final Set<String> activities;

  private final LinkedHashSet<Poll> waiting = new LinkedHashSet<>();

  /** Polls that are not answered, those that take among them. */
  int open;

  /** Whether there may be work of which no take of this line knows. */
  private boolean hasWork;

  private int step = 1;
  private int taking;
  private int gotSome;

  Line(PolledQueue queue, Set<String> activities) {
    this.queue = queue;
    this.activities = activities;
  }

  /** Whether a poll waits here that would get whatever one of these would. */
  boolean knowsNothingFor(Set<String> others) {
    boolean covers = activities.isEmpty() || !others.isEmpty() && activities.containsAll(others);
    return covers && !hasWork && taking == 0 && !waiting.isEmpty();
  }

  boolean hasWaiting() {
    return !waiting.isEmpty();
  }

  List<Poll> waiting() {
    return List.copyOf(waiting);
  }

  void add(Poll poll) {
    if (poll.isCalled) waiting.addFirst(poll);
    else waiting.addLast(poll);
  }

  void remove(Poll poll) {
    waiting.remove(poll);
  }

  void noteWork() {
    hasWork = true;
  }

  /**
   * Those that are to take now; empty when there is no work, or others of the line take already.
   */
  List<Poll> next() {
    if (!hasWork || taking > 0 || waiting.isEmpty()) return List.of();
    hasWork = false;
    List<Poll> called = new ArrayList<>(step);
    while (called.size() < step && !waiting.isEmpty()) called.add(waiting.removeFirst());
    for (Poll poll : called) poll.isCalled = true;
    taking = called.size();
    gotSome = 0;
    step = called.size();
    return called;
  }

  /**
   * A poll of this line has taken.
   *
   * @param got whether there was something for it
   * @param all whether it got as much as it wanted: then there may be more
   */
  void took(Poll poll, boolean got, boolean all) {
    if (all) hasWork = true;
    if (!poll.isCalled) return;
    poll.isCalled = false;
    if (got) gotSome++;
    if (--taking > 0) return;
    if (gotSome < step) {
      step = 1;
      return;
    }
    hasWork = true;
    step = Math.min(2 * step, STEP_MAX);
  }
}
