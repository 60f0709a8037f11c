package dev.tenure.sharding.owner;

import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.entry.Snapshot;
import java.util.Optional;

/**
 * The data of an input.
 *
 * @param why the reason in words, for answers and logs
 */
record Given<M>(
    Optional<M> about,
    Optional<JournalEntry> read,
    Optional<Snapshot> found,
    Optional<Next.Commit> wanted,
    String why) {

  private static <T> Optional<T> none() {
    return Optional.empty();
  }

  static <M> Given<M> nothing() {
    return why("");
  }

  static <M> Given<M> of(M message) {
    return new Given<>(Optional.of(message), none(), none(), none(), "");
  }

  static <M> Given<M> of(JournalEntry entry) {
    return new Given<>(none(), Optional.of(entry), none(), none(), "");
  }

  static <M> Given<M> of(Snapshot snapshot) {
    return new Given<>(none(), none(), Optional.of(snapshot), none(), "");
  }

  static <M> Given<M> of(Next.Commit commit) {
    return new Given<>(none(), none(), none(), Optional.of(commit), "");
  }

  static <M> Given<M> why(String why) {
    return new Given<>(none(), none(), none(), none(), why);
  }

  M message() {
    return about.orElseThrow();
  }

  JournalEntry step() {
    return read.orElseThrow();
  }

  Snapshot snapshot() {
    return found.orElseThrow();
  }

  Next.Commit commit() {
    return wanted.orElseThrow();
  }
}
