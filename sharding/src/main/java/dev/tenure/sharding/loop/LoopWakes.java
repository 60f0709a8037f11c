package dev.tenure.sharding.loop;

import dev.tenure.persistence.lease.Holder;
import dev.tenure.sharding.deployment.Deployments;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.wake.WakeScanner;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import java.util.Set;

/** What a {@link LoopNode} knows and wakes when it scans. */
record LoopWakes(LoopNode node) implements WakeScanner.Node {
  @Override
  public Set<Integer> owned() {
    return node.held();
  }

  @Override
  public int shards() {
    return node.shards;
  }

  @Override
  public boolean mayHave(WorkflowType type) {
    return node.host.programs.mayHave(type);
  }

  @Override
  public boolean leads() {
    return false;
  }

  @Override
  public boolean isGone(Holder holder) {
    return false;
  }

  @Override
  public boolean isAtWork(WorkflowId id) {
    return node.host.residents.isAtWork(id);
  }

  /** Counted when the node gets the shard. */
  @Override
  public void countLosses(Set<Integer> shards) {}

  @Override
  public boolean isHeldBack(WorkflowId id) {
    return node.host.suspects.isHeldBack(id);
  }

  /** Everything runs on one thread, which must not wait for itself. */
  @Override
  public boolean mayStart(WorkflowId id) {
    return true;
  }

  /** It never changes. */
  @Override
  public Object code() {
    return Set.of();
  }

  @Override
  public void woken(Set<Integer> shards) {
    // No node of the loop waits for what moves.
  }

  @Override
  public void wakeUnreadable(WorkflowId id) {
    node.host.suspects.noteUnreadable(id);
    wake(id);
  }

  @Override
  public void blocked(Set<Deployments.Blocked> shards) {
    // A node of the loop does not decide where shards are.
  }

  @Override
  public void wake(WorkflowId id) {
    node.host.transport.tell(id, Message.WakeUp.WAKE_UP);
  }
}
