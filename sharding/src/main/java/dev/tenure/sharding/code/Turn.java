package dev.tenure.sharding.code;

import java.util.concurrent.atomic.AtomicReference;

/**
 * The right to move a workflow on. The owner has it, or gives it away; then the code may take it
 * when a step ends. {@link CodeProgram} says why that is safe.
 */
final class Turn {
  private enum Holder {
    NONE,
    OWNER,
    CODE
  }

  private final AtomicReference<Holder> holder = new AtomicReference<>(Holder.OWNER);

  /** The owner takes the turn; false when the code or the owner has it already. */
  boolean ownerTakes() {
    return holder.compareAndSet(Holder.NONE, Holder.OWNER);
  }

  /** The code takes the turn, to go on by itself; false when the code or the owner has it. */
  boolean codeTakes() {
    return holder.compareAndSet(Holder.NONE, Holder.CODE);
  }

  /** The owner has the turn again after the code has gone on by itself. */
  void ownerFollows() {
    if (!holder.compareAndSet(Holder.CODE, Holder.OWNER))
      throw new IllegalStateException("The code is not ahead, its turn is " + holder.get() + ".");
  }

  /** From here on neither the owner nor the code has the turn. */
  void end() {
    holder.set(Holder.NONE);
  }

  /** Fails unless the owner has the turn. */
  void requireOwner() {
    if (holder.get() != Holder.OWNER)
      throw new IllegalStateException("The owner acts without the turn: " + holder.get() + ".");
  }
}
