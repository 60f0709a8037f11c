package dev.tenure.sharding.wake;

import dev.tenure.persistence.lease.Holder;
import dev.tenure.sharding.deployment.Deployments;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A node that notes whom it wakes. */
class Woken implements WakeScanner.Node {
  final List<WorkflowId> woken = Collections.synchronizedList(new ArrayList<>());
  final Set<WorkflowId> atWork = ConcurrentHashMap.newKeySet();
  final Set<WorkflowId> heldBack = ConcurrentHashMap.newKeySet();
  final Set<Integer> owned = ConcurrentHashMap.newKeySet();
  final Set<WorkflowType> types = ConcurrentHashMap.newKeySet();
  final Set<Deployments.Blocked> blocked = new HashSet<>();
  final Set<Integer> done = ConcurrentHashMap.newKeySet();
  volatile Object code = "first";
  volatile boolean leads;

  Woken(Integer... shards) {
    owned.addAll(List.of(shards));
    types.add(WakeRows.HERE);
  }

  @Override
  public Set<Integer> owned() {
    return Set.copyOf(owned);
  }

  @Override
  public int shards() {
    return 8;
  }

  @Override
  public boolean mayHave(WorkflowType type) {
    return types.contains(type);
  }

  @Override
  public boolean isGone(Holder holder) {
    return false;
  }

  @Override
  public boolean leads() {
    return leads;
  }

  @Override
  public boolean isAtWork(WorkflowId id) {
    return atWork.contains(id);
  }

  @Override
  public void countLosses(Set<Integer> shards) {}

  @Override
  public boolean isHeldBack(WorkflowId id) {
    return heldBack.contains(id);
  }

  @Override
  public boolean mayStart(WorkflowId id) {
    return true;
  }

  @Override
  public Object code() {
    return code;
  }

  @Override
  public void blocked(Set<Deployments.Blocked> shards) {
    blocked.clear();
    blocked.addAll(shards);
  }

  @Override
  public void woken(Set<Integer> shards) {
    done.addAll(shards);
  }

  @Override
  public void wakeUnreadable(WorkflowId id) {
    wake(id);
  }

  @Override
  public void wake(WorkflowId id) {
    woken.add(id);
  }

  List<WorkflowId> takeWoken() {
    List<WorkflowId> now = List.copyOf(woken);
    woken.clear();
    return now;
  }
}
