package dev.tenure.simulation;

import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.ActivityFailedException;
import dev.tenure.workflow.CancelledException;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.OperationTimedOutException;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.StepBody;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.TypeRef;
import dev.tenure.workflow.WorkflowFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Steps, activities and values. */
final class StepParts {
  /** An exception that cannot be made from a text. */
  static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;
    final int status;

    Refused(int status) {
      super("refused with " + status);
      this.status = status;
    }
  }

  /** An exception that says more than the text that it is made from. */
  static final class Declined extends Exception {
    private static final long serialVersionUID = 1L;

    Declined(String why) {
      super("Declined: " + why);
    }
  }

  static final ActivityDefinition<String, String> ACTIVITY =
      ActivityDefinition.of("simulated-activity", String.class, String.class)
          .withTimeout(Timeouts.MAX);
  static final ActivityDefinition<String, String> HASTY_ACTIVITY =
      ActivityDefinition.of("hasty-activity", String.class, String.class)
          .withRetry(Life.RETRY)
          .withTimeout(Duration.ofSeconds(5))
          .withTotalTimeout(Duration.ofMinutes(1));

  private static final TypeRef<Map<String, Integer>> COUNTS = new TypeRef<>() {};

  private final Life life;

  StepParts(Life life) {
    this.life = life;
  }

  /** Results of other types than a text, and of none. */
  String value(Part part, String place) {
    RetryPolicy retry = retry(part);
    boolean stands = retry.whenExhausted() == RetryPolicy.Exhaustion.INCIDENT;
    String name = Life.name(place) + (stands ? World.STANDS : "");
    StepOptions options =
        StepOptions.DEFAULT
            .withKey("k" + part.choice(1, 3))
            .withRetry(retry)
            .withTimeouts(Timeouts.NONE);
    try {
      Object value =
          switch (part.choice(0, 8)) {
            case 5 -> keyed(part, name, place);
            case 6 -> plain(part, name);
            case 0 ->
                life.ctx.step(
                    name, COUNTS, options, () -> new TreeMap<>(Map.of(name, part.choice(2, 64))));
            case 1 ->
                life.ctx
                    .stepAsync(name, COUNTS, options, () -> Map.of(name, part.choice(2, 64)))
                    .get();
            case 2 -> {
              life.ctx.step(name, options, () -> {});
              yield "nothing";
            }
            case 3 -> life.ctx.step(name, options, () -> 40_000_000_000L + part.choice(2, 64));
            default ->
                String.valueOf(life.ctx.<String, RuntimeException>step(name, options, () -> null));
          };
      return life.saw(place, value.toString());
    } catch (WorkflowFailure failed) {
      return life.failed(place, failed);
    }
  }

  /** Seldom one that gives up never, or with an incident. */
  private static RetryPolicy retry(Part part) {
    return switch (part.choice(3, 12)) {
      case 0 -> Life.RETRY.thenIncident();
      case 1 -> Life.RETRY.unlimited();
      case 2 -> Life.RETRY.jitter(0.9);
      default -> Life.RETRY;
    };
  }

  /** With what is the default for a step. */
  private String plain(Part part, String name) {
    switch (part.choice(2, 5)) {
      case 0 -> life.ctx.step(name, () -> {});
      case 1 -> life.ctx.stepAsync(name, () -> {}).get();
      case 2 -> life.ctx.stepAsync(name, Life.PATIENT, () -> {}).get();
      case 3 -> {
        return life.ctx.step(name, () -> name);
      }
      default -> {
        return life.ctx.stepAsync(name, () -> name).get();
      }
    }
    return "nothing";
  }

  /** A step that hands its key on, as one does that calls a bank. */
  private String keyed(Part part, String name, String place) {
    String wanted;
    String used;
    if (part.is(1)) {
      wanted = life.ctx.idempotencyKey(name, "k");
      StepOptions options = StepOptions.key("k").withRetry(Life.RETRY).withTimeouts(Timeouts.NONE);
      used = life.ctx.step(name, options, () -> life.ctx.idempotencyKey(name, "k"));
    } else {
      wanted = life.ctx.idempotencyKey(name);
      used = life.ctx.step(name, Life.PATIENT, () -> life.ctx.idempotencyKey(name));
    }
    life.world.used(wanted, life.id, life.sight.run(), place);
    // In a fork the step may be of the other workflow's past.
    if (used.contains(life.id)) life.world.requireSame(wanted, used, life.id + " " + place);
    return "its key";
  }

  String atOnce(Part part, String place) {
    String name = Life.name(place);
    int count = part.choice(0, 16) == 0 ? 60 : 2 + part.choice(1, 6);
    // So many with keys so long do not fit a small commit.
    String longer = part.is(3) ? "-".repeat(200) : "";
    List<Handle<String>> handles = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String value = name + " " + i;
      StepOptions options =
          StepOptions.key(name + i + longer).withRetry(Life.RETRY).withTimeouts(Timeouts.NONE);
      handles.add(life.ctx.stepAsync(name, options, () -> value));
    }
    if (part.is(2)) {
      try {
        return life.saw(place, life.ctx.all(handles).toString());
      } catch (WorkflowFailure failed) {
        return life.failed(place, failed);
      }
    }
    List<String> all = new ArrayList<>();
    for (Handle<String> one : handles)
      try {
        all.add(one.get());
      } catch (WorkflowFailure failed) {
        all.add(life.failed(place + "#" + all.size(), failed));
      }
    return life.saw(place, all.toString());
  }

  /** What a step throws is caught by its type, as users do. */
  String throwing(Part part, String place) {
    String name = Life.name(place);
    RetryPolicy retry = part.is(1) ? RetryPolicy.NONE : Life.RETRY.never(Refused.class).attempts(2);
    StepBody<String, Exception> body =
        () -> {
          throw switch (part.choice(0, 6)) {
            case 0 -> new Refused(404);
            case 1 -> new UncheckedIOException(new IOException("gone"));
            case 2 -> new Declined("no money");
            case 3 -> new IllegalStateException("not now");
            case 4 -> WorkflowFailure.permanent("a-code", "for good");
            default -> new IOException("reset", new Refused(500));
          };
        };
    String caught;
    try {
      caught = life.ctx.step(name, Life.PATIENT.withRetry(retry), body);
    } catch (Refused refused) {
      caught = "refused " + refused.status;
    } catch (UncheckedIOException | IOException gone) {
      caught = "away " + gone.getMessage();
    } catch (Declined declined) {
      caught = "declined " + declined.getMessage();
    } catch (CancelledException cancelled) {
      throw cancelled;
    } catch (Exception other) {
      caught = other.getClass().getSimpleName() + " " + other.getMessage();
    }
    return life.saw(place, caught);
  }

  /** A step with limits that a busy time may cross. */
  String hasty(Part part, String place) {
    String name = Life.name(place);
    StepOptions options = StepOptions.retry(Life.RETRY);
    options =
        part.is(0)
            ? options.withTimeout(Duration.ofMillis(1 + part.choice(1, 64)))
            : options.withTotalTimeout(Duration.ofMillis(1 + 10 * part.choice(1, 64)));
    try {
      life.trace.add(life.saw(place, life.ctx.step(name, options, () -> name)));
    } catch (OperationTimedOutException late) {
      life.trace.add(life.saw(place, name + " is late"));
    } catch (WorkflowFailure failed) {
      life.trace.add(life.failed(place, failed));
    }
    return Parts.UNSURE;
  }

  String activity(Part part, String place) {
    String name = Life.name(place);
    String input = name + "@" + life.sight.mark();
    try {
      String got =
          switch (part.choice(0, 5)) {
            case 0 -> life.ctx.activity(ACTIVITY, input);
            case 1 -> life.ctx.activityAsync(ACTIVITY.withRetry(Life.RETRY), input).get();
            case 3 -> life.ctx.activity(ACTIVITY, "k", input);
            case 4 -> life.ctx.activityAsync(ACTIVITY, "k", input).get();
            default -> life.ctx.activity(HASTY_ACTIVITY, input);
          };
      // In a fork, what was recorded before is of the other workflow's run.
      life.world.requireSame(
          name + "!", name + got.substring(got.length() - 1), life.id + " " + place);
      life.world.requireSame(name, got.substring(0, got.indexOf('@')), life.id + " " + place);
      life.saw(place, got);
      return part.choice(0, 5) != 2 ? name : Parts.UNSURE;
    } catch (ActivityFailedException | OperationTimedOutException failed) {
      life.saw(place, "failed");
      return part.choice(0, 5) != 2 ? name + " failed" : Parts.UNSURE;
    }
  }

  /** Values that are another each time, and the same in each replay. */
  String recorded(Part part, String place) {
    String name = Life.name(place);
    switch (part.choice(0, 6)) {
      case 0 -> life.made(place, life.ctx.record(name, Long.class, life.world::another));
      case 1 ->
          life.made(
              place,
              life.ctx.record(
                  name, new TypeRef<List<Long>>() {}, () -> List.of(life.world.another())));
      case 2 -> life.saw(place, life.ctx.uuid());
      case 3 -> life.saw(place, life.ctx.random().nextLong());
      case 4 -> largeRecords(place);
      default -> life.saw(place, life.ctx.now());
    }
    if (!life.ctx.isReplaying()) life.ctx.trace();
    return "recorded";
  }

  /** Together they do not fit a small commit. */
  private void largeRecords(String place) {
    for (int i = 0; i < 8; i++) {
      String value = "x".repeat(2_000) + i;
      String got = life.ctx.record(Life.name(place) + i, String.class, () -> value);
      life.world.requireSame(value, got, life.id + " " + place);
    }
  }

  String large(String place) {
    String name = Life.name(place);
    try {
      String got = life.ctx.step(name, Life.PATIENT, () -> SimulatedWorkflow.LARGE + name);
      life.world.requireSame(SimulatedWorkflow.LARGE + name, got, life.id + " " + name);
      return name;
    } catch (WorkflowFailure failed) {
      return life.failed(place, failed);
    }
  }
}
