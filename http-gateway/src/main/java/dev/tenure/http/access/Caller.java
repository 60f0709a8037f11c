package dev.tenure.http.access;

import java.util.Optional;
import java.util.Set;

/**
 * The sender of a request, as its credential names it.
 *
 * @param name of the credential, as it is written into the audit log
 * @param queues from which it may take tasks; all when empty
 */
public record Caller(String name, Set<Scope> scopes, Optional<Set<String>> queues) {
  /** The caller of each request where no credential is needed: on a developer's own machine. */
  public static final Caller DEVELOPER = new Caller("developer", Set.of(Scope.ADMIN));

  public Caller {
    scopes = Set.copyOf(scopes);
    queues = queues.map(Set::copyOf);
  }

  public Caller(String name, Set<Scope> scopes) {
    this(name, scopes, Optional.empty());
  }

  /** Whether it may take tasks from this queue, when it may take tasks at all. */
  public boolean mayTakeFrom(String queue) {
    return queues.isEmpty() || queues.get().contains(queue);
  }

  public boolean mayDo(Set<Scope> allowed) {
    return scopes.contains(Scope.ADMIN) || scopes.stream().anyMatch(allowed::contains);
  }
}
