package dev.tenure.sharding.code;

import dev.tenure.persistence.membership.DeployedCode.Versions;
import dev.tenure.workflow.WorkflowRegistration;
import dev.tenure.workflow.WorkflowType;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/** The workflows whose code this node has, in all their versions. */
public final class WorkflowTypes {
  private final Map<String, TreeMap<Integer, WorkflowRegistration<?>>> byName =
      new ConcurrentHashMap<>();

  public WorkflowTypes(Collection<? extends WorkflowRegistration<?>> registrations) {
    for (WorkflowRegistration<?> one : registrations) {
      WorkflowRegistration<?> other =
          byName
              .computeIfAbsent(one.type().name(), name -> new TreeMap<>())
              .putIfAbsent(one.type().version(), one);
      if (other != null)
        throw new IllegalArgumentException(
            "%s and %s both call themselves %s: give one of them another name or version."
                .formatted(one.workflow().getName(), other.workflow().getName(), one.type()));
    }
  }

  /**
   * The code for runs of that type: of their own version, or else the newest version that says it
   * is compatible with theirs.
   */
  public Optional<WorkflowRegistration<?>> find(WorkflowType type) {
    TreeMap<Integer, WorkflowRegistration<?>> versions = byName.get(type.name());
    if (versions == null) return Optional.empty();
    WorkflowRegistration<?> own = versions.get(type.version());
    if (own != null) return Optional.of(own);
    for (WorkflowRegistration<?> newer : versions.descendingMap().values())
      if (newer.isCompatibleWith(type.version())) return Optional.of(newer);
    return Optional.empty();
  }

  /** The code of this node, as it tells the other nodes. */
  public SortedMap<String, Versions> deployed() {
    SortedMap<String, Versions> all = new TreeMap<>();
    byName.forEach(
        (name, versions) -> {
          SortedSet<Integer> compatible = new TreeSet<>();
          for (WorkflowRegistration<?> one : versions.values())
            compatible.addAll(one.compatibleWith());
          compatible.removeAll(versions.keySet());
          all.put(name, new Versions(new TreeSet<>(versions.keySet()), compatible));
        });
    return all;
  }

  /** The newest version of that name. */
  public Optional<WorkflowType> newest(String name) {
    TreeMap<Integer, WorkflowRegistration<?>> versions = byName.get(name);
    return versions == null
        ? Optional.empty()
        : Optional.of(versions.lastEntry().getValue().type());
  }

  public Set<String> names() {
    return Set.copyOf(byName.keySet());
  }
}
