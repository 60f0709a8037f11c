package dev.tenure.workflow;

import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * An activity together with the code behind it, for registration.
 *
 * @param atOnce how many of it run on one node at the same time; what the node is set to when empty
 * @param verifier asks the outside world whether a call took effect
 * @param noEffectFor types of exceptions, by their exact names, after which it is certain that
 *     there was no effect
 * @param resource checks on recovery that the outside world still agrees with the history
 */
public record ActivityCode<I, O>(
    ActivityDefinition<I, O> definition,
    ActivityDefinition.Body<I, O> body,
    OptionalInt atOnce,
    Optional<Verifier<I, O>> verifier,
    Set<String> noEffectFor,
    Optional<Resource<I, O>> resource) {

  /** What checks a resource on recovery, and what follows when it differs. */
  public record Resource<I, O>(ResourceVerifier<I, O> verifier, ResourceVerifier.Mode mode) {}

  public ActivityCode {
    noEffectFor = Set.copyOf(noEffectFor);
    if (atOnce.isPresent() && atOnce.getAsInt() < 1)
      throw new IllegalArgumentException(
          "activity %s cannot run %d at once: use at least 1"
              .formatted(definition.name(), atOnce.getAsInt()));
  }

  public static <I, O> ActivityCode<I, O> of(
      ActivityDefinition<I, O> definition, ActivityDefinition.Body<I, O> body) {
    return new ActivityCode<>(
        definition, body, OptionalInt.empty(), Optional.empty(), Set.of(), Optional.empty());
  }

  /** So many run on one node at the same time: as many as what it calls bears. */
  public ActivityCode<I, O> atOnce(int max) {
    return new ActivityCode<>(
        definition, body, OptionalInt.of(max), verifier, noEffectFor, resource);
  }

  public ActivityCode<I, O> verifiedBy(Verifier<I, O> code) {
    return new ActivityCode<>(definition, body, atOnce, Optional.of(code), noEffectFor, resource);
  }

  /** After an exception of these classes, by their exact names, there was no effect. */
  @SafeVarargs
  public final ActivityCode<I, O> noEffectOn(Class<? extends Throwable>... types) {
    Set<String> all = new HashSet<>(noEffectFor);
    for (Class<? extends Throwable> type : types) all.add(type.getName());
    return new ActivityCode<>(definition, body, atOnce, verifier, all, resource);
  }

  /** Checked whenever a workflow that called it is recovered. */
  public ActivityCode<I, O> checkedBy(ResourceVerifier<I, O> code, ResourceVerifier.Mode mode) {
    return new ActivityCode<>(
        definition, body, atOnce, verifier, noEffectFor, Optional.of(new Resource<>(code, mode)));
  }
}
