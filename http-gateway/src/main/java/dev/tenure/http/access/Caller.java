package dev.tenure.http.access;

import java.util.Set;

/**
 * The sender of a request, as its credential names it.
 *
 * @param name of the credential, as it is written into the audit log
 */
public record Caller(String name, Set<Scope> scopes) {
  /** The caller of each request where no credential is needed: on a developer's own machine. */
  public static final Caller DEVELOPER = new Caller("developer", Set.of(Scope.ADMIN));

  public Caller {
    scopes = Set.copyOf(scopes);
  }

  public boolean mayDo(Set<Scope> allowed) {
    return scopes.contains(Scope.ADMIN) || scopes.stream().anyMatch(allowed::contains);
  }
}
