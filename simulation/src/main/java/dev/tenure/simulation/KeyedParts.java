package dev.tenure.simulation;

import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.ActivityFailedException;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.OperationTimedOutException;
import dev.tenure.workflow.ResourceVerifier;
import dev.tenure.workflow.Timeouts;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Calls of activities that have a key, a queue, or both. */
final class KeyedParts {
  /** What the other system says when it is asked what became of a call. */
  enum Books {
    /** Whether it took effect, and with which result. */
    COMPLETE,
    /** Whether it took effect, and nothing of the result. */
    WITHOUT_RESULTS,
    /** That it cannot tell. */
    NONE,
    /** Nothing: the activity has no verifier. */
    CLOSED
  }

  /** How a call is recognised, proven and carried out. */
  enum Kind {
    VERIFIED(Books.COMPLETE, define("verified").keyed()),
    FORGETFUL(Books.WITHOUT_RESULTS, define("forgetful").keyed()),
    BLIND(Books.NONE, define("blind").keyedBy(Kind::nameIn)),
    UNVERIFIED(Books.CLOSED, define("unverified").withIdempotencyKey("only")),
    REPEATABLE(Books.CLOSED, define("repeatable").asIdempotent()),
    REPEATABLE_BLIND(Books.NONE, define("repeatable-blind").keyed().asIdempotent()),
    UNDOABLE(Books.COMPLETE, define("undoable").keyed().withCompensation((input, result) -> {})),
    CHECKED(Books.COMPLETE, define("checked").keyed()),
    WATCHED(Books.CLOSED, define("watched").asIdempotent()),
    QUEUED(
        Books.CLOSED,
        define("queued").onQueue("work").withPriority(1).withFairnessKey(input -> input)),
    QUEUED_VERIFIED(
        Books.COMPLETE,
        define("queued-verified")
            .onQueue("work")
            .withVisibilityTimeout(Duration.ofSeconds(2))
            .withHeartbeatTimeout(Duration.ofMinutes(1))
            .keyed()),
    QUEUED_UNVERIFIED(
        Books.CLOSED,
        define("queued-unverified")
            .onQueue("work")
            .withVisibilityTimeout(Duration.ofSeconds(1))
            .keyed()),
    QUEUED_REPEATABLE(Books.CLOSED, define("queued-repeatable").onQueue("work").asIdempotent()),
    SCARCE(Books.COMPLETE, define("scarce").withResourceScope(input -> "one", 1).keyed()),
    RARE(Books.CLOSED, define("rare").withRateLimit(2, Duration.ofSeconds(1)).keyed());

    final Books books;
    final ActivityDefinition<String, String> definition;

    Kind(Books books, ActivityDefinition<String, String> definition) {
      this.books = books;
      this.definition = definition;
    }

    private static ActivityDefinition<String, String> define(String name) {
      return ActivityDefinition.of(name, String.class, String.class)
          .withRetry(Life.RETRY.attempts(IOException.class, 3).attempts("no.such.Failure", 1))
          .withTimeout(Timeouts.MAX);
    }

    private static String nameIn(String input) {
      return input.substring(0, input.indexOf('@'));
    }

    /** The key that its code is told of. */
    Optional<String> declaredKey(String input) {
      return switch (this) {
        case BLIND -> Optional.of(nameIn(input));
        case UNVERIFIED -> Optional.of("only");
        default -> Optional.empty();
      };
    }

    /** What follows when it is found changed in a run that is recovered. */
    Optional<ResourceVerifier.Mode> mode() {
      return switch (this) {
        case CHECKED -> Optional.of(ResourceVerifier.Mode.HUMAN_IN_LOOP);
        case WATCHED -> Optional.of(ResourceVerifier.Mode.WARN);
        default -> Optional.empty();
      };
    }

    /** Whether a second call of the same key has an effect of its own. */
    boolean hasEffectEachTime() {
      return !definition.idempotent();
    }

    boolean isKeyed() {
      return this != QUEUED;
    }

    /** Whether no verifier and no task could say that it took effect. */
    boolean isProvenByItsRecord() {
      return this == UNVERIFIED || this == BLIND;
    }

    boolean isQueued() {
      return definition.routing().isQueued();
    }

    static Optional<Kind> of(String activity) {
      for (Kind kind : values())
        if (kind.definition.name().equals(activity)) return Optional.of(kind);
      return Optional.empty();
    }
  }

  /** Those of which seldom anything follows are drawn more often. */
  private static final List<Kind> DRAWN =
      Stream.concat(
              Stream.of(Kind.values()), Stream.of(Kind.UNVERIFIED, Kind.UNVERIFIED, Kind.CHECKED))
          .toList();

  private final Life life;

  KeyedParts(Life life) {
    this.life = life;
  }

  /** Which of the attempts has an effect depends on the trouble, so nothing of it is sure. */
  String call(Part part, String place) {
    Kind kind = DRAWN.get(part.choice(0, DRAWN.size()));
    String input = Life.name(place) + "@" + life.sight.mark();
    switch (part.choice(2, 8)) {
      case 0 -> opens(kind, place, input);
      case 1 -> opens(kind, place, input).cancel("it is not needed");
      case 2, 3, 4 -> {
        List<Handle<String>> all = new ArrayList<>();
        for (int i = 0; i < 2 + part.choice(3, 2); i++) all.add(opens(kind, place + i, input));
        for (int i = 0; i < all.size(); i++) gets(all.get(i), place + i);
      }
      case 5, 6 -> gets(opens(kind, place, input), place);
      default -> {
        try {
          life.saw(place, life.ctx.activity(kind.definition, input));
        } catch (ActivityFailedException | OperationTimedOutException failed) {
          life.saw(place, "failed");
        }
      }
    }
    return Parts.UNSURE;
  }

  private Handle<String> opens(Kind kind, String place, String input) {
    return life.ctx.activityAsync(kind.definition, Life.name(place), input);
  }

  private void gets(Handle<String> call, String place) {
    try {
      life.saw(place, call.get());
    } catch (ActivityFailedException | OperationTimedOutException failed) {
      life.saw(place, "failed");
    }
  }
}
