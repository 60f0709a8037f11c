package dev.tenure.workflow.owner;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** A mailbox in memory: takes in everything, in the order of arrival. */
public abstract class MailboxOfTest<M> implements Mailbox<M> {
  protected final Deque<M> kept = new ArrayDeque<>();

  @Override
  public boolean admits(M message) {
    return true;
  }

  @Override
  public void keep(M message) {
    kept.add(message);
  }

  @Override
  public Optional<M> next() {
    return Optional.ofNullable(kept.poll());
  }

  @Override
  public Optional<M> nextUndecided() {
    return next();
  }

  /** All of its messages are for an owner. */
  @Override
  public void sendElsewhere() {}

  @Override
  public void leaves() {}

  @Override
  public void giveBack(String why) {
    for (Optional<M> one = nextUndecided(); one.isPresent(); one = nextUndecided())
      giveBack(one.get(), why);
  }
}
