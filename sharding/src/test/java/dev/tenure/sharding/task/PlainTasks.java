package dev.tenure.sharding.task;

import dev.tenure.persistence.task.TakenTask;
import dev.tenure.persistence.task.TaskId;
import dev.tenure.persistence.task.TaskOffer;
import dev.tenure.persistence.task.TaskStanding;
import dev.tenure.persistence.task.TaskToken;
import dev.tenure.persistence.task.Tasks;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.operation.ActivityCall.Queueing;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Queues in memory, as simple as can be, that count how often they are asked. */
class PlainTasks implements Tasks {
  static final Instant UNTIL = Instant.parse("2026-03-01T09:00:00Z");

  private final Map<String, Deque<TaskOffer>> queues = new HashMap<>();
  final Map<TaskId, TakenTask> taken = new LinkedHashMap<>();
  final List<Report> reports = new ArrayList<>();
  final Deque<Expired> expired = new ArrayDeque<>();
  int takes;
  int looks;
  int expiries;
  int calls;
  RuntimeException failure;

  static TaskOffer task(String name, String queue) {
    return task(name, queue, "send", Optional.empty());
  }

  static TaskOffer task(String name, String queue, String activity, Optional<Integer> atOnce) {
    return new TaskOffer(
        new TaskId(WorkflowId.of(name), "run/send#1"),
        1,
        1,
        activity,
        Optional.empty(),
        true,
        new Queueing(queue, 0, "", Duration.ofSeconds(30), "", atOnce, Optional.empty()),
        Payload.NONE,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private void fail() {
    if (failure != null) throw failure;
  }

  @Override
  public synchronized List<List<TakenTask>> take(String queue, List<Poll> polls, Secrets secrets) {
    calls++;
    takes += polls.size();
    fail();
    List<List<TakenTask>> all = new ArrayList<>();
    for (Poll poll : polls) {
      List<TakenTask> some = new ArrayList<>();
      for (TaskOffer offer : List.copyOf(queues.getOrDefault(queue, new ArrayDeque<>()))) {
        boolean fits = poll.activities().isEmpty() || poll.activities().contains(offer.activity());
        if (!fits || some.size() == poll.max()) continue;
        queues.get(queue).remove(offer);
        TaskToken token = new TaskToken(offer.id(), offer.attempt(), 1, secrets.next());
        some.add(new TakenTask(offer, token, UNTIL, Optional.empty()));
        taken.put(offer.id(), some.getLast());
      }
      all.add(some);
    }
    return all;
  }

  @Override
  public synchronized List<Heard> hear(List<Report> all) {
    calls++;
    fail();
    List<Heard> heard = new ArrayList<>();
    for (Report report : all) {
      reports.add(report);
      TakenTask has = taken.get(report.token().id());
      if (has == null || !has.token().secret().equals(report.token().secret())) {
        heard.add(new Heard.Rejected(Heard.Why.GONE));
        continue;
      }
      if (!(report instanceof Report.Alive)) taken.remove(report.token().id());
      if (report instanceof Report.Returned) offer(has.offer());
      heard.add(report instanceof Report.Alive ? new Heard.Until(UNTIL) : new Heard.Recorded());
    }
    return heard;
  }

  @Override
  public synchronized void offer(TaskOffer offer) {
    queues.computeIfAbsent(offer.queueing().queue(), key -> new ArrayDeque<>()).add(offer);
  }

  @Override
  public synchronized Expired expire(int limit) {
    expiries++;
    fail();
    return expired.isEmpty() ? new Expired(List.of(), Set.of()) : expired.poll();
  }

  @Override
  public synchronized Set<String> withWork(Set<String> asked) {
    looks++;
    fail();
    Set<String> found = new HashSet<>();
    for (String queue : asked)
      if (!queues.getOrDefault(queue, new ArrayDeque<>()).isEmpty()) found.add(queue);
    return found;
  }

  @Override
  public List<Optional<TaskStanding>> standing(List<TaskId> ids) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean offerAgain(TaskId id, TaskStanding.Lost found) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<TaskStanding> endLost(TaskId id, TaskStanding.Lost found, Outcome conclusion) {
    throw new UnsupportedOperationException();
  }

  @Override
  public QueueView view(String queue, int keys) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<String> queues(int limit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<Long> position(TaskId id) {
    throw new UnsupportedOperationException();
  }
}
