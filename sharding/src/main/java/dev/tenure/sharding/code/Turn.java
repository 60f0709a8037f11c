package dev.tenure.sharding.code;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Who may move a workflow: its owner, or its code, which takes the turn when a step ends and nobody
 * has it. {@link CodeProgram} says why that is safe.
 */
final class Turn {
  private enum Holder {
    NOBODY,
    OWNER,
    CODE
  }

  private final AtomicReference<Holder> holder = new AtomicReference<>(Holder.OWNER);

  /** The owner takes it; false when the code has it, or the owner itself. */
  boolean ownerTakes() {
    return holder.compareAndSet(Holder.NOBODY, Holder.OWNER);
  }

  /** The code takes it, to go on ahead of its owner; false when somebody has it. */
  boolean codeTakes() {
    return holder.compareAndSet(Holder.NOBODY, Holder.CODE);
  }

  /** The owner has it again after the code was ahead. */
  void ownerFollows() {
    if (!holder.compareAndSet(Holder.CODE, Holder.OWNER))
      throw new IllegalStateException("The code is not ahead, its turn is " + holder.get() + ".");
  }

  /** Nobody has it from here on. */
  void end() {
    holder.set(Holder.NOBODY);
  }

  /** For what only the owner may do, and only while it has the turn. */
  void requireOwner() {
    if (holder.get() != Holder.OWNER)
      throw new IllegalStateException("The owner acts without the turn: " + holder.get() + ".");
  }
}
