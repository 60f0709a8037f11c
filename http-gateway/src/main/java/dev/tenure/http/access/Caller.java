package dev.tenure.http.access;

import java.util.Set;

/**
 * Whoever sent a request.
 *
 * @param name of the credential; it stands in the audit log
 */
public record Caller(String name, Set<Scope> scopes) {
  /** On a developer's own machine nobody asks. */
  public static final Caller DEVELOPER = new Caller("developer", Set.of(Scope.ADMIN));

  public Caller {
    scopes = Set.copyOf(scopes);
  }

  public boolean mayDo(Set<Scope> allowed) {
    return scopes.contains(Scope.ADMIN) || scopes.stream().anyMatch(allowed::contains);
  }
}
