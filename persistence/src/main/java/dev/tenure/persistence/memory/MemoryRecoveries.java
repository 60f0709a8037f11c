package dev.tenure.persistence.memory;

import dev.tenure.persistence.lease.Lease;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.recovery.Recoveries;
import dev.tenure.persistence.recovery.Recovery;
import dev.tenure.persistence.visibility.WakeUp;
import dev.tenure.persistence.visibility.Workflows;
import dev.tenure.workflow.WorkflowId;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;

/** Of a storage inside one process, under its lock: for simulated nodes that are lost. */
final class MemoryRecoveries implements Recoveries {
  private record Entry(Recovery recovery, OptionalInt trial) {}

  private final Object lock;
  private final Workflows workflows;
  private final Leases leases;
  private final Map<WorkflowId, Entry> entries = new LinkedHashMap<>();

  MemoryRecoveries(Object lock, Workflows workflows, Leases leases) {
    this.lock = lock;
    this.workflows = workflows;
    this.leases = leases;
  }

  /** Called with the lock held. */
  void progressed(WorkflowId id) {
    entries.remove(id);
  }

  @Override
  public List<Recovery> begin(Collection<Beginning> tenures) {
    synchronized (lock) {
      List<Beginning> held = tenures.stream().filter(this::isHeld).toList();
      for (Beginning one : held)
        change(
            entry -> entry.recovery.shard() == one.shard() && entry.recovery.epoch() <= one.epoch(),
            entry -> new Entry(with(entry.recovery, one.epoch(), 0, 0), OptionalInt.empty()));
      return entries.values().stream()
          .map(Entry::recovery)
          .filter(recovery -> held.stream().anyMatch(one -> one.shard() == recovery.shard()))
          .toList();
    }
  }

  private boolean isHeld(Beginning tenure) {
    return leases.find(tenure.shard()).map(Lease::epoch).orElse(0L) == tenure.epoch();
  }

  @Override
  public Optional<WakeUp.Point> count(Beginning tenure, WakeUp.Point after, int limit) {
    synchronized (lock) {
      if (!isHeld(tenure)) return Optional.empty();
      List<WakeUp> page = workflows.mustBeAwake(Set.of(tenure.shard()), after, limit);
      if (page.isEmpty()) return Optional.empty();
      count(tenure, page);
      return Optional.of(page.getLast().point());
    }
  }

  private void count(Beginning tenure, List<WakeUp> page) {
    Set<WorkflowId> atWork = new HashSet<>();
    for (WakeUp row : page) atWork.add(row.workflowId());
    change(
        entry ->
            atWork.contains(entry.recovery.workflow())
                && entry.recovery.epoch() < tenure.countedSince(),
        entry -> {
          boolean alone = entry.trial.equals(OptionalInt.of(1));
          Recovery again = with(entry.recovery, tenure.epoch(), 1, alone ? 1 : 0);
          return new Entry(
              entry.trial.isEmpty() ? again : among(again, entry.trial), OptionalInt.empty());
        });
    for (WorkflowId id : atWork)
      entries.putIfAbsent(
          id,
          new Entry(
              new Recovery(id, tenure.shard(), tenure.epoch(), 1, 0, OptionalInt.empty()),
              OptionalInt.empty()));
  }

  private static Recovery with(Recovery one, long epoch, int losses, int alone) {
    return new Recovery(
        one.workflow(),
        one.shard(),
        epoch,
        one.losses() + losses,
        one.alone() + alone,
        one.company());
  }

  private static Recovery among(Recovery one, OptionalInt trial) {
    int company = Math.min(one.company().orElse(Integer.MAX_VALUE), trial.getAsInt());
    return new Recovery(
        one.workflow(),
        one.shard(),
        one.epoch(),
        one.losses(),
        one.alone(),
        OptionalInt.of(company));
  }

  private void change(Predicate<Entry> which, java.util.function.UnaryOperator<Entry> change) {
    entries.replaceAll((id, entry) -> which.test(entry) ? change.apply(entry) : entry);
  }

  @Override
  public int tryTogether(List<Recovery> group, int size) {
    return mark(group, OptionalInt.of(size));
  }

  @Override
  public void outlived(List<Recovery> group) {
    mark(group, OptionalInt.empty());
  }

  private int mark(List<Recovery> group, OptionalInt trial) {
    synchronized (lock) {
      int marked = 0;
      for (Recovery one : group) {
        Entry entry = entries.get(one.workflow());
        if (entry == null || entry.recovery.epoch() != one.epoch()) continue;
        entries.put(one.workflow(), new Entry(entry.recovery, trial));
        marked++;
      }
      return marked;
    }
  }
}
