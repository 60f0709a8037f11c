package dev.tenure.sharding.task;

import dev.tenure.persistence.task.TakenTask;
import dev.tenure.persistence.task.Tasks;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The polls of a node that are not answered: which wait, and which take. Each method returns what
 * is to be done then, outside of the lock.
 */
final class Polls {
  private static final int LIMITED_MAX = 1_000;

  private final TaskDesk.Limits limits;
  private final Map<String, PolledQueue> queues = new HashMap<>();
  private final Set<Poll> open = new HashSet<>();

  /**
   * Queues with tasks whose resources have a limit of calls at once, as this desk has seen: the end
   * of one call may let another one begin. The one seen last stands last.
   */
  private final LinkedHashSet<String> limited = new LinkedHashSet<>();

  private boolean closed;

  Polls(TaskDesk.Limits limits) {
    this.limits = limits;
  }

  /**
   * A new poll. It is over at once when the desk closes.
   *
   * @param mayWait whether it need not take when others have just found nothing
   */
  synchronized Poll add(String queue, Tasks.Poll request, long until, boolean mayWait) {
    if (closed) {
      Poll refused = new Poll(new PolledQueue(queue).line(request.activities()), request, until);
      refused.isOver = true;
      return refused;
    }
    if (open.size() >= limits.polls())
      throw new TaskDeskBusyError("POLLS_MAX", limits.polls(), "polls that wait for tasks");
    PolledQueue polled = queues.computeIfAbsent(queue, PolledQueue::new);
    if (polled.open >= limits.pollsOfQueue())
      throw new TaskDeskBusyError(
          "QUEUE_POLLS_MAX", limits.pollsOfQueue(), "polls that wait for tasks of this queue");
    Line line = polled.line(request.activities());
    Poll poll = new Poll(line, request, until);
    open.add(poll);
    polled.open++;
    line.open++;
    if (mayWait && polled.hasNothingFor(request.activities())) line.add(poll);
    else poll.isTaking = true;
    return poll;
  }

  /** These queues may have work. Returns the polls that are to take. */
  synchronized List<Poll> noteWork(Collection<String> names) {
    List<Poll> called = new ArrayList<>();
    for (String name : names) {
      PolledQueue queue = queues.get(name);
      if (queue == null) continue;
      for (Line line : queue.lines()) {
        line.noteWork();
        called.addAll(next(line));
      }
    }
    return called;
  }

  private List<Poll> next(Line line) {
    if (closed) return List.of();
    List<Poll> called = line.next();
    for (Poll poll : called) poll.isTaking = true;
    return called;
  }

  /**
   * What follows from a take.
   *
   * @param isOver whether the poll is over now, and gets what was taken
   * @param called the polls that are to take next
   */
  record Taken(boolean isOver, List<Poll> called) {}

  /** A poll has taken, and waits on when it got nothing and has time. */
  synchronized Taken took(Poll poll, List<TakenTask> tasks, long now) {
    poll.isTaking = false;
    boolean got = !tasks.isEmpty();
    if (tasks.stream().anyMatch(one -> one.offer().queueing().atOnceMax().isPresent()))
      noteLimited(poll.line.queue.name);
    boolean ends = !poll.isOver && (got || closed || poll.until - now <= 0);
    // A poll that its line had called stands in front again.
    if (ends) end(poll);
    else if (!poll.isOver) poll.line.add(poll);
    poll.line.took(poll, got, tasks.size() >= poll.request.max());
    return new Taken(ends, next(poll.line));
  }

  private void noteLimited(String queue) {
    limited.addLast(queue);
    if (limited.size() > LIMITED_MAX) limited.removeFirst();
  }

  /** The take of a poll failed. Returns whether the poll is to be told. */
  synchronized Taken failed(Poll poll) {
    poll.isTaking = false;
    boolean ends = end(poll);
    poll.line.took(poll, false, false);
    return new Taken(ends, List.of());
  }

  /** Takes the poll off, whatever it does. Returns false when it was over. */
  synchronized boolean end(Poll poll) {
    if (poll.isOver) return false;
    poll.isOver = true;
    open.remove(poll);
    poll.line.remove(poll);
    PolledQueue queue = poll.line.queue;
    queue.answered(poll.line);
    if (queue.open == 0) queues.remove(queue.name, queue);
    return true;
  }

  /** Ends the polls that wait and whose time is over by now, and returns them. */
  synchronized List<Poll> endWaiting(long now) {
    return endAll(poll -> !poll.isTaking && poll.until - now <= 0);
  }

  /** Ends the polls whose take is not answered, long after their time. */
  synchronized List<Poll> endTaking(long until) {
    return endAll(poll -> poll.isTaking && poll.until - until <= 0);
  }

  /** Takes no more polls, and ends those that wait. */
  synchronized List<Poll> close() {
    closed = true;
    return endAll(poll -> !poll.isTaking);
  }

  private List<Poll> endAll(Predicate<Poll> which) {
    List<Poll> found = open.stream().filter(which).toList();
    found.forEach(this::end);
    return found;
  }

  synchronized boolean isEmpty() {
    return open.isEmpty();
  }

  /** The queues whose polls wait. */
  synchronized Set<String> waitedFor() {
    return names(PolledQueue::hasWaiting);
  }

  /** Those among them in which the end of a call may let another one begin. */
  synchronized Set<String> waitedForLimited() {
    return names(queue -> limited.contains(queue.name) && queue.hasWaiting());
  }

  private Set<String> names(Predicate<PolledQueue> which) {
    return queues.values().stream()
        .filter(which)
        .map(queue -> queue.name)
        .collect(Collectors.toSet());
  }

  /** Polls that are not answered. */
  synchronized int size() {
    return open.size();
  }
}
