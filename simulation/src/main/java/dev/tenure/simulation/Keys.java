package dev.tenure.simulation;

import dev.tenure.workflow.audit.Violation;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * I6: an idempotency key stands for one operation of one run, in all its attempts, and every
 * operation has one key.
 */
final class Keys {
  private record Owner(String workflow, String run, String operation) {}

  private final Map<String, Owner> owners = new HashMap<>();
  private final Map<Owner, String> keys = new HashMap<>();

  synchronized Optional<Violation> used(String key, String workflow, String run, String operation) {
    Owner owner = new Owner(workflow, run, operation);
    Owner other = owners.putIfAbsent(key, owner);
    if (other != null && !other.equals(owner))
      return Optional.of(
          new Violation("I6", "key %s is that of %s and of %s".formatted(key, other, owner)));
    String before = keys.putIfAbsent(owner, key);
    if (before != null && !before.equals(key))
      return Optional.of(
          new Violation("I6", "%s has the keys %s and %s".formatted(owner, before, key)));
    return Optional.empty();
  }
}
