package dev.tenure.workflow.owner;

import java.util.Optional;

/**
 * The data of an input.
 *
 * @param <M> the type of the owner's messages
 * @param <E> what the journal stores of one commit
 * @param <S> the type of snapshots
 * @param why the reason in words, for answers and logs
 */
record Given<M, E, S>(
    Optional<M> about,
    Optional<E> read,
    Optional<S> found,
    Optional<Next.Commit<E>> wanted,
    String why) {

  private static <T> Optional<T> none() {
    return Optional.empty();
  }

  static <M, E, S> Given<M, E, S> nothing() {
    return why("");
  }

  static <M, E, S> Given<M, E, S> ofMessage(M message) {
    return new Given<>(Optional.of(message), none(), none(), none(), "");
  }

  static <M, E, S> Given<M, E, S> ofEntry(E entry) {
    return new Given<>(none(), Optional.of(entry), none(), none(), "");
  }

  static <M, E, S> Given<M, E, S> ofSnapshot(S snapshot) {
    return new Given<>(none(), none(), Optional.of(snapshot), none(), "");
  }

  static <M, E, S> Given<M, E, S> ofCommit(Next.Commit<E> commit) {
    return new Given<>(none(), none(), none(), Optional.of(commit), "");
  }

  static <M, E, S> Given<M, E, S> why(String why) {
    return new Given<>(none(), none(), none(), none(), why);
  }

  M message() {
    return about.orElseThrow();
  }

  E entry() {
    return read.orElseThrow();
  }

  S snapshot() {
    return found.orElseThrow();
  }

  Next.Commit<E> commit() {
    return wanted.orElseThrow();
  }
}
