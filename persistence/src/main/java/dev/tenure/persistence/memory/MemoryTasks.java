package dev.tenure.persistence.memory;

import dev.tenure.persistence.activity.ActivityEffect;
import dev.tenure.persistence.task.HeldTask;
import dev.tenure.persistence.task.HeldTask.Expiry;
import dev.tenure.persistence.task.HeldTask.Ruling;
import dev.tenure.persistence.task.Lane;
import dev.tenure.persistence.task.TakenTask;
import dev.tenure.persistence.task.Taking;
import dev.tenure.persistence.task.TaskId;
import dev.tenure.persistence.task.TaskLimits;
import dev.tenure.persistence.task.TaskOffer;
import dev.tenure.persistence.task.TaskStanding;
import dev.tenure.persistence.task.TaskState;
import dev.tenure.persistence.task.TaskToken;
import dev.tenure.persistence.task.Tasks;
import dev.tenure.persistence.task.Turn;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.operation.Outcome;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The tasks of a storage inside one process. */
final class MemoryTasks implements Tasks {
  private static final Comparator<MemoryTask> OLDEST_FIRST =
      Comparator.comparing(kept -> kept.number);

  private final Object lock;
  private final InstantSource clock;
  private final MemoryWorkflows workflows;
  private final MemoryPayloads payloads;
  private final MemoryActivityRecords records;
  private final Map<TaskId, MemoryTask> tasks = new LinkedHashMap<>();
  private final Map<String, List<Turn>> turns = new HashMap<>();
  private final Map<String, Instant> fullAt = new HashMap<>();
  private long lastNumber;

  /**
   * @param lock what the storage holds while it commits
   */
  MemoryTasks(
      Object lock,
      InstantSource clock,
      MemoryWorkflows workflows,
      MemoryPayloads payloads,
      MemoryActivityRecords records) {
    this.lock = lock;
    this.payloads = payloads;
    this.clock = clock;
    this.workflows = workflows;
    this.records = records;
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }

  /** Called with the lock held, as all that commits change. */
  void accept(TaskOffer offer) {
    keep(offer, payloads.referredTo(offer.id().workflow(), offer.input()));
  }

  /** As {@link #accept}, for an attempt that waits for a proof. */
  void holdBack(TaskOffer offer) {
    keep(offer, payloads.referredTo(offer.id().workflow(), offer.input()))
        .ifPresent(kept -> kept.task = kept.task.heldBack());
  }

  /** The new task; empty when there is one of the same attempt, or of a later one. */
  private Optional<MemoryTask> keep(TaskOffer offered, Payload input) {
    TaskOffer offer = offered.with(input);
    MemoryTask there = tasks.get(offer.id());
    if (there != null && there.offer.attempt() >= offer.attempt()) return Optional.empty();
    Optional<Payload> details = there == null ? Optional.empty() : there.details;
    MemoryTask kept = new MemoryTask(offer, ++lastNumber, now(), details);
    tasks.put(offer.id(), kept);
    return Optional.of(kept);
  }

  void remove(TaskId id) {
    tasks.remove(id);
  }

  void removeAll(WorkflowId id) {
    tasks.values().removeIf(kept -> kept.workflow().equals(id));
  }

  /** An outcome that the owner has not taken, or a lost worker, keeps the workflow due. */
  void await(WorkflowId id) {
    Predicate<MemoryTask> look = kept -> kept.is(TaskState.DONE) || kept.is(TaskState.LOST);
    if (tasks.values().stream().filter(kept -> kept.workflow().equals(id)).anyMatch(look))
      workflows.makeDue(id);
  }

  /** Called with the lock held. */
  void takeForTold(TaskId id) {
    MemoryTask kept = tasks.get(id);
    if (kept != null && kept.is(TaskState.DONE))
      kept.task = kept.task.after(new Expiry.Untaken(), now());
  }

  private Stream<MemoryTask> waiting(String queue) {
    return tasks.values().stream().filter(kept -> kept.isOf(queue) && kept.is(TaskState.WAITING));
  }

  @Override
  public List<List<TakenTask>> take(String queue, List<Poll> polls, Secrets secrets) {
    Taking.requireValid(polls);
    synchronized (lock) {
      Instant now = now();
      Map<Long, MemoryTask> byNumber = new TreeMap<>();
      waiting(queue)
          .filter(kept -> kept.offer.deadline().filter(end -> !end.isAfter(now)).isEmpty())
          .forEach(kept -> byNumber.put(kept.number, kept));
      List<Turn> before = turns.getOrDefault(queue, List.of());
      List<Lane> lanes = lanes(byNumber.values().stream(), before, now, Taking.wanted(polls));
      Taking.Choice choice = Taking.choose(lanes, false, polls);
      turns.put(queue, Taking.merged(before, choice.turns()));
      begin(choice.picks(), now);
      List<List<TakenTask>> taken = new ArrayList<>();
      for (int i = 0; i < polls.size(); i++) taken.add(new ArrayList<>());
      for (Taking.Pick pick : choice.picks()) {
        MemoryTask kept = byNumber.get(pick.number());
        taken.get(pick.poll()).add(take(kept, polls.get(pick.poll()).worker(), secrets, now));
      }
      return taken;
    }
  }

  /** By priority, then in the order of the keys' turns. */
  private List<Lane> lanes(Stream<MemoryTask> waiting, List<Turn> before, Instant now, int max) {
    Map<Integer, Turn> last = new HashMap<>();
    for (Turn turn : before) last.put(turn.priority(), turn);
    Map<Lane, List<Long>> found = new LinkedHashMap<>();
    waiting
        .sorted(OLDEST_FIRST)
        .forEach(
            kept -> {
              TaskLimits limits = TaskLimits.of(kept.offer);
              Lane lane = Lane.found(kept.priority(), kept.key(), kept.offer.activity(), limits);
              found.computeIfAbsent(lane, one -> new ArrayList<>()).add(kept.number);
            });
    Predicate<Lane> hadItsTurn =
        lane -> {
          Turn turn = last.get(lane.priority());
          return turn != null && lane.fairnessKey().compareTo(turn.fairnessKey()) <= 0;
        };
    return found.entrySet().stream()
        .sorted(
            Comparator.comparing(
                Map.Entry::getKey,
                Comparator.comparing(Lane::priority, Comparator.reverseOrder())
                    .thenComparing(hadItsTurn::test)
                    .thenComparing(Lane::fairnessKey)))
        .map(
            lane ->
                lane.getKey().withRoom(room(lane.getKey(), now, max)).with(lane.getValue(), false))
        .toList();
  }

  private int room(Lane lane, Instant now, int max) {
    String scope = lane.limits().scope();
    long taken =
        tasks.values().stream()
            .filter(kept -> kept.is(TaskState.TAKEN) || kept.is(TaskState.LOST))
            .filter(kept -> !scope.isEmpty() && TaskLimits.of(kept.offer).scope().equals(scope))
            .count();
    Instant full = fullAt.getOrDefault(scope, Instant.EPOCH);
    return lane.limits().room(new TaskLimits.Use(taken, full), now, max);
  }

  private void begin(List<Taking.Pick> picks, Instant now) {
    Map<String, TaskLimits> limits = new HashMap<>();
    for (Taking.Pick pick : picks) limits.put(pick.lane().limits().scope(), pick.lane().limits());
    Taking.begunByScope(picks)
        .forEach(
            (scope, begun) ->
                fullAt.compute(
                    scope,
                    (s, full) ->
                        limits
                            .get(scope)
                            .fullAfter(begun, full == null ? Instant.EPOCH : full, now)));
  }

  private static TakenTask take(MemoryTask kept, String worker, Secrets secrets, Instant now) {
    HeldTask task = kept.task;
    TaskToken token =
        new TaskToken(kept.offer.id(), task.attempt(), task.delivery(), secrets.next());
    kept.task = task.taken(token.hash(), now, kept.offer.attemptLimit());
    kept.worker = worker;
    return new TakenTask(kept.offer, token, kept.task.dueAt().orElseThrow(), kept.details);
  }

  @Override
  public List<Heard> hear(List<Report> reports) {
    Tasks.requireBatch(reports.size());
    synchronized (lock) {
      return reports.stream().map(report -> hear(report, now())).toList();
    }
  }

  private Heard hear(Report report, Instant now) {
    MemoryTask kept = tasks.get(report.token().id());
    if (kept == null) return new Heard.Rejected(Heard.Why.GONE);
    return switch (kept.task.judge(report, now)) {
      case Ruling.Refused refused -> new Heard.Rejected(refused.why());
      case Ruling.Repeated repeated -> new Heard.Recorded();
      case Ruling.Extended extended -> {
        kept.task = kept.task.extended(extended.until());
        kept.details = extended.details().or(() -> kept.details);
        yield new Heard.Until(extended.until());
      }
      case Ruling.Returned back -> {
        kept.task = kept.task.waitingAgain();
        yield new Heard.Recorded();
      }
      case Ruling.Ended ended -> {
        kept.task = kept.task.ended(apart(kept, ended.outcome()), now);
        if (ended.outcome() instanceof Outcome.Succeeded(Payload value)) recordEffect(kept, value);
        yield new Heard.Recorded();
      }
    };
  }

  private Outcome apart(MemoryTask kept, Outcome outcome) {
    return outcome instanceof Outcome.Succeeded(Payload value)
        ? new Outcome.Succeeded(payloads.apart(kept.workflow(), value))
        : outcome;
  }

  private void recordEffect(MemoryTask kept, Payload value) {
    kept.call()
        .map(
            key ->
                new ActivityEffect(key, kept.offer.shard(), Optional.of(value), Optional.empty()))
        .ifPresent(records::complete);
  }

  @Override
  public List<Optional<TaskStanding>> standing(List<TaskId> ids) {
    Tasks.requireBatch(ids.size());
    synchronized (lock) {
      return ids.stream()
          .map(id -> Optional.ofNullable(tasks.get(id)).map(MemoryTask::standing))
          .toList();
    }
  }

  @Override
  public boolean offerAgain(TaskId id, TaskStanding.Lost found) {
    synchronized (lock) {
      MemoryTask kept = tasks.get(id);
      Optional<HeldTask> again = kept == null ? Optional.empty() : kept.task.offeredAgain(found);
      again.ifPresent(task -> kept.task = task);
      return again.isPresent();
    }
  }

  @Override
  public Optional<TaskStanding> endLost(TaskId id, TaskStanding.Lost found, Outcome conclusion) {
    synchronized (lock) {
      MemoryTask kept = tasks.get(id);
      if (kept == null) return Optional.empty();
      kept.task
          .concluded(found, apart(kept, conclusion), now())
          .ifPresent(over -> kept.task = over);
      return Optional.of(kept.standing());
    }
  }

  @Override
  public void offer(TaskOffer offer) {
    synchronized (lock) {
      keep(offer, payloads.apart(offer.id().workflow(), offer.input()));
    }
  }

  @Override
  public Expired expire(int limit) {
    Tasks.requireBatch(limit);
    synchronized (lock) {
      Instant now = now();
      List<TaskId> look = new ArrayList<>();
      Set<String> again = new TreeSet<>();
      tasks.values().stream()
          .filter(kept -> !(kept.task.expire(now) instanceof Expiry.NotYet))
          .sorted(Comparator.comparing(kept -> kept.task.dueAt().orElseThrow()))
          .limit(limit)
          .forEach(
              kept -> {
                Expiry over = kept.task.expire(now);
                if (over instanceof Expiry.Again) again.add(kept.offer.queueing().queue());
                else {
                  look.add(kept.offer.id());
                  workflows.makeDue(kept.workflow());
                }
                kept.task = kept.task.after(over, now);
              });
      return new Expired(look, again);
    }
  }

  @Override
  public Set<String> withWork(Set<String> queues) {
    synchronized (lock) {
      Set<String> found = new TreeSet<>();
      for (String queue : queues)
        if (lanes(waiting(queue), List.of(), now(), 1).stream().anyMatch(lane -> lane.room() > 0))
          found.add(queue);
      return found;
    }
  }

  @Override
  public QueueView view(String queue, int keys) {
    synchronized (lock) {
      Map<String, Long> waiting = count(queue, TaskState.WAITING);
      Map<String, Long> taken = count(queue, TaskState.TAKEN);
      List<KeyView> ofKeys =
          waiting.entrySet().stream()
              .map(
                  one ->
                      new KeyView(
                          one.getKey(), one.getValue(), taken.getOrDefault(one.getKey(), 0L)))
              .sorted(
                  Comparator.comparing(KeyView::waiting, Comparator.reverseOrder())
                      .thenComparing(KeyView::key))
              .limit(keys)
              .toList();
      return new QueueView(
          sum(waiting),
          sum(taken),
          sum(count(queue, TaskState.LOST)),
          waiting(queue).map(kept -> kept.offeredAt).min(Comparator.naturalOrder()),
          ofKeys);
    }
  }

  private Map<String, Long> count(String queue, TaskState state) {
    Map<String, Long> counts = new TreeMap<>();
    for (MemoryTask kept : tasks.values())
      if (kept.isOf(queue) && kept.is(state)) counts.merge(kept.key(), 1L, Long::sum);
    return counts;
  }

  private static long sum(Map<String, Long> counts) {
    return Math.min(COUNT_MAX, counts.values().stream().mapToLong(Long::longValue).sum());
  }

  @Override
  public List<String> queues(int limit) {
    synchronized (lock) {
      return tasks.values().stream()
          .filter(kept -> !kept.is(TaskState.DONE))
          .map(kept -> kept.offer.queueing().queue())
          .distinct()
          .sorted()
          .limit(limit)
          .toList();
    }
  }

  @Override
  public Optional<Long> position(TaskId id) {
    synchronized (lock) {
      MemoryTask own = tasks.get(id);
      if (own == null || !own.is(TaskState.WAITING)) return Optional.empty();
      String queue = own.offer.queueing().queue();
      Function<Predicate<MemoryTask>, Long> count = some -> waiting(queue).filter(some).count();
      long higher = count.apply(kept -> kept.priority() > own.priority());
      Predicate<MemoryTask> level = kept -> kept.priority() == own.priority();
      long older = count.apply(level.and(k -> k.key().equals(own.key()) && k.number < own.number));
      Map<String, Long> ofKeys = new TreeMap<>();
      waiting(queue).filter(level).forEach(kept -> ofKeys.merge(kept.key(), 1L, Long::sum));
      long sameTurns = ofKeys.values().stream().mapToLong(all -> Math.min(all, older)).sum();
      return Optional.of(Math.min(COUNT_MAX, higher + sameTurns));
    }
  }
}
