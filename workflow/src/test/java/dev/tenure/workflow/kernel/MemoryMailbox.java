package dev.tenure.workflow.kernel;

import dev.tenure.workflow.owner.Mailbox;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * The messages of an owner in memory. One that comes back has no reply: its sender says it again.
 */
final class MemoryMailbox implements Mailbox<Told> {
  private final Deque<Told> kept = new ArrayDeque<>();

  /** What the next decider begins with; null when it is to go on as it was. */
  private Told.Order repair;

  void beginWith(Told.Order order) {
    repair = order;
  }

  Optional<Told.Order> takeRepair() {
    Optional<Told.Order> taken = Optional.ofNullable(repair);
    repair = null;
    return taken;
  }

  @Override
  public boolean admits(Told message) {
    return true;
  }

  @Override
  public void keep(Told message) {
    kept.add(message);
  }

  @Override
  public Optional<Told> next() {
    return Optional.ofNullable(kept.poll());
  }

  @Override
  public Optional<Told> nextUndecided() {
    return next();
  }

  @Override
  public void sendElsewhere() {}

  @Override
  public void leaves() {}

  @Override
  public void giveBack(String why) {
    kept.clear();
    repair = null;
  }

  @Override
  public void giveBack(Told message, String why) {}
}
