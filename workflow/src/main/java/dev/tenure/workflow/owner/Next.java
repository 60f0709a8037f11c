package dev.tenure.workflow.owner;

import java.util.function.Supplier;

/**
 * What a decider wants the owner to do next.
 *
 * @param <E> what the journal stores of one commit
 */
public sealed interface Next<E> {
  /** The decider waits: for a message, or for the workflow's code. */
  record Nothing<E>() implements Next<E> {
    private static final Next<?> IT = new Nothing<>();
  }

  /**
   * Write this commit.
   *
   * @param progress whether it records more than that work was handed out again
   * @param perform runs when the commit stands, and only then (I7)
   */
  record Commit<E>(E entry, boolean progress, Supplier<Next<E>> perform) implements Next<E> {}

  /** The commit that stands began another run; the decider for that is asked to begin. */
  record CarryOver<E>() implements Next<E> {
    private static final Next<?> IT = new CarryOver<>();
  }

  /** The memory of the owner is void: it begins anew from the journal. */
  record Restart<E>(String why) implements Next<E> {}

  /** The store cannot be read now: the owner begins anew after a pause. */
  record Pause<E>(String why) implements Next<E> {}

  /** The workflow can leave the memory. */
  record Leave<E>() implements Next<E> {
    private static final Next<?> IT = new Leave<>();
  }

  /** The decider threw an exception. */
  record Failed<E>(RuntimeException why) implements Next<E> {}

  static <E> Next<E> nothing() {
    return ofAny(Nothing.IT);
  }

  static <E> Next<E> carryOver() {
    return ofAny(CarryOver.IT);
  }

  static <E> Next<E> leave() {
    return ofAny(Leave.IT);
  }

  /** For one that has no entry. */
  @SuppressWarnings("unchecked")
  private static <E> Next<E> ofAny(Next<?> none) {
    return (Next<E>) none;
  }
}
