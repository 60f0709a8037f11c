package dev.tenure.http.access;

import java.util.Locale;
import java.util.Optional;

/** What a credential is for. */
public enum Scope {
  /** Starts workflows, signals them and reads their results. */
  CLIENT,
  /** Carries out activities from a queue. */
  WORKER,
  /** Holds, ends and repairs workflows, one or many. */
  OPERATOR,
  /** Everything. */
  ADMIN;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<Scope> parse(String word) {
    for (Scope scope : values()) if (scope.word().equals(word)) return Optional.of(scope);
    return Optional.empty();
  }
}
