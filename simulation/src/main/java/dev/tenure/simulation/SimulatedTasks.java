package dev.tenure.simulation;

import dev.tenure.persistence.memory.MemoryStorage;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.persistence.task.TakenTask;
import dev.tenure.persistence.task.TaskId;
import dev.tenure.persistence.task.TaskOffer;
import dev.tenure.persistence.task.TaskStanding;
import dev.tenure.persistence.task.Tasks;
import dev.tenure.sharding.loop.Loop;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Tasks as the owners and the worker of one node see them: the store does not always answer, and
 * the worker dies of a report, or is cut off for longer than its tasks stay with it.
 */
final class SimulatedTasks implements Tasks {
  private static final Duration CUT_OFF_MAX = Duration.ofSeconds(6);

  private final MemoryStorage memory;
  private final Tasks inner;
  private final DatabaseLink link;
  private final Chance chance;
  private final Flaw flaw;
  private final Loop loop;
  private final Runnable die;
  private Instant reachableAt;

  /** Until when a task is with the worker of this node, as the worker knows. */
  private final Map<TaskId, Instant> held = new HashMap<>();

  SimulatedTasks(
      MemoryStorage memory, DatabaseLink link, Chance chance, Flaw flaw, Loop loop, Runnable die) {
    this.memory = memory;
    this.inner = memory.tasks();
    this.link = link;
    this.chance = chance;
    this.flaw = flaw;
    this.loop = loop;
    this.die = die;
    this.reachableAt = loop.instant();
  }

  private void mayBeAway() {
    link.require();
    if (chance.strikes(Fault.TASKS_AWAY)) throw new StorageException.Unavailable("simulated", null);
  }

  private void mayBeCutOff() {
    link.require();
    if (!chance.isCalm() && loop.instant().isBefore(reachableAt))
      throw new StorageException.Unavailable("simulated", null);
  }

  @Override
  public List<List<TakenTask>> take(String queue, List<Poll> polls, Secrets secrets) {
    mayBeAway();
    mayBeCutOff();
    List<List<TakenTask>> taken = inner.take(queue, polls, secrets);
    for (List<TakenTask> of : taken)
      for (TakenTask task : of) held.put(task.offer().id(), task.until());
    if (flaw == Flaw.TASK_HANDED_OUT_TWICE)
      for (List<TakenTask> of : taken)
        for (TakenTask task : of)
          if (task.token().delivery() == 1) inner.hear(List.of(new Report.Returned(task.token())));
    return taken;
  }

  @Override
  public List<Heard> hear(List<Report> reports) {
    boolean ends = reports.stream().anyMatch(Report.Ended.class::isInstance);
    if (ends && chance.strikes(Fault.WORKER_DIES)) {
      die.run();
      // Its death interrupts the attempt that reports, and that runs on the loop's own thread.
      Thread.interrupted();
      throw new StorageException.OutcomeUnknown("simulated", null);
    }
    mayBeCutOff();
    if (ends && chance.strikes(Fault.WORKER_CUT_OFF)) {
      if (chance.half("cut off")) hearNow(reports);
      reachableAt = loop.instant().plus(chance.upTo("cut off", CUT_OFF_MAX));
      throw new StorageException.OutcomeUnknown("simulated", null);
    }
    if (ends) mayBeAway();
    List<Heard> heard = hearNow(reports);
    for (int i = 0; i < heard.size(); i++)
      if (heard.get(i) instanceof Heard.Until(Instant until))
        held.put(reports.get(i).token().id(), until);
    return heard;
  }

  private List<Heard> hearNow(List<Report> reports) {
    List<Heard> heard = inner.hear(reports);
    if (flaw == Flaw.UNTAKEN_OUTCOME_FORGOTTEN)
      for (Report report : reports) memory.takeForTold(report.token().id());
    return heard;
  }

  /** Whether the worker of this node may still run the task: one whose time is over gives it up. */
  boolean isHeld(TaskId id) {
    return held.getOrDefault(id, Instant.MIN).isAfter(loop.instant());
  }

  @Override
  public List<Optional<TaskStanding>> standing(List<TaskId> ids) {
    mayBeAway();
    return inner.standing(ids);
  }

  @Override
  public boolean offerAgain(TaskId id, TaskStanding.Lost found) {
    mayBeAway();
    return inner.offerAgain(id, found);
  }

  @Override
  public Optional<TaskStanding> endLost(TaskId id, TaskStanding.Lost found, Outcome conclusion) {
    mayBeAway();
    Optional<TaskStanding> standing = inner.endLost(id, found, conclusion);
    // The answer may be lost: the owner asks again.
    mayBeAway();
    return standing;
  }

  @Override
  public void offer(TaskOffer offer) {
    mayBeAway();
    inner.offer(offer);
  }

  @Override
  public Expired expire(int limit) {
    link.require();
    Expired expired = inner.expire(limit);
    if (flaw == Flaw.LOST_TASK_OFFERED_AGAIN)
      for (TaskId id : expired.look())
        if (inner.standing(List.of(id)).getFirst().orElse(null) instanceof TaskStanding.Lost lost)
          inner.offerAgain(id, lost);
    return expired;
  }

  @Override
  public Set<String> withWork(Set<String> queues) {
    return inner.withWork(queues);
  }

  @Override
  public QueueView view(String queue, int keys) {
    return inner.view(queue, keys);
  }

  @Override
  public List<String> queues(int limit) {
    return inner.queues(limit);
  }

  @Override
  public Optional<Long> position(TaskId id) {
    return inner.position(id);
  }
}
