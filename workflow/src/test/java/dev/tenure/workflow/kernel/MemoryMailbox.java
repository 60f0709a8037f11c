package dev.tenure.workflow.kernel;

import dev.tenure.workflow.owner.MailboxOfTest;
import java.util.Optional;

/**
 * The messages of an owner in memory. One that comes back has no reply: its sender says it again.
 */
final class MemoryMailbox extends MailboxOfTest<Told> {
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
  public void giveBack(String why) {
    super.giveBack(why);
    repair = null;
  }

  @Override
  public void giveBack(Told message, String why) {}
}
