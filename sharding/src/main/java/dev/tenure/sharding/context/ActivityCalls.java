package dev.tenure.sharding.context;

import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.ActivityRouting;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.operation.ActivityCall;
import dev.tenure.workflow.operation.ActivityCall.Queueing;
import java.util.Optional;
import java.util.function.Function;

/** What the definition of an activity says about one call of it. */
final class ActivityCalls {
  private ActivityCalls() {}

  static <I> ActivityCall call(ActivityDefinition<I, ?> definition, I input) {
    boolean plain =
        definition.key() instanceof ActivityDefinition.Key.None
            && definition.heartbeatTimeout().isEmpty()
            && !definition.routing().isQueued();
    if (plain) return ActivityCall.PLAIN;
    Optional<String> key = key(definition, input);
    if (key.isPresent()) requireFewAttempts(definition);
    return new ActivityCall(
        key,
        definition.idempotent(),
        definition.heartbeatTimeout(),
        definition.routing().isQueued()
            ? Optional.of(queueing(definition, input))
            : Optional.empty());
  }

  private static <I> Optional<String> key(ActivityDefinition<I, ?> definition, I input) {
    return switch (definition.key()) {
      case ActivityDefinition.Key.None<I> none -> Optional.empty();
      case ActivityDefinition.Key.OfOperation<I> own -> Optional.of(ActivityCall.OWN_KEY);
      case ActivityDefinition.Key.OfInput<I>(Function<? super I, String> function) ->
          Optional.of(declared(computed("idempotency key", definition, function, input)));
    };
  }

  private static String declared(String key) {
    if (key.equals(ActivityCall.OWN_KEY))
      throw new IllegalArgumentException("The key %s is the engine's.".formatted(key));
    return key;
  }

  /** A keyed call is tried 1 to 10 times; deliveries after crashes do not count. */
  private static void requireFewAttempts(ActivityDefinition<?, ?> definition) {
    int attempts = definition.retry().attemptsMax();
    if (attempts > RetryPolicy.ATTEMPTS_FOR_MAX)
      throw new IllegalArgumentException(
          "Activity %s has a key and %d attempts: use 1 to %d."
              .formatted(definition.name(), attempts, RetryPolicy.ATTEMPTS_FOR_MAX));
  }

  private static <I> Queueing queueing(ActivityDefinition<I, ?> definition, I input) {
    ActivityRouting<I> routing = definition.routing();
    return new Queueing(
        routing.queue().orElseGet(() -> ActivityCall.nodeQueue(definition.name())),
        routing.priority(),
        optional("fairness key", definition, routing.fairnessKey(), input),
        routing.visibilityTimeout(),
        optional("resource", definition, routing.resource(), input),
        routing.atOnceMax(),
        routing.rate());
  }

  private static <I> String optional(
      String what,
      ActivityDefinition<I, ?> definition,
      Optional<Function<? super I, String>> function,
      I input) {
    return function.map(one -> computed(what, definition, one, input)).orElse("");
  }

  private static <I> String computed(
      String what,
      ActivityDefinition<I, ?> definition,
      Function<? super I, String> function,
      I input) {
    String computed = function.apply(input);
    if (computed == null)
      throw new IllegalArgumentException(
          "The %s of activity %s is null.".formatted(what, definition.name()));
    return computed;
  }
}
