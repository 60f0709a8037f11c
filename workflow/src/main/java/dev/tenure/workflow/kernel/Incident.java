package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationKind;
import java.util.List;
import java.util.Optional;

/**
 * Why a workflow stands still and needs a person. Nothing of its program goes on until resolved.
 */
public sealed interface Incident {
  int TEXT_CHARS_MAX = 4_096;

  /** What happened, and what to do about it. */
  String message();

  /** What kind of incident it is, in a word that never changes. */
  String kind();

  /** The operation that it is about, when it is about one. */
  default Optional<OperationId> about() {
    return Optional.empty();
  }

  /** Whether it waits for what a person decides about attempts at this operation. */
  default boolean waitsFor(OperationId id) {
    return (this instanceof OperationFailed || this instanceof Indeterminate)
        && about().equals(Optional.of(id));
  }

  /**
   * The code no longer asks for what was recorded, or asks for something else by that name.
   *
   * @param instead some of the operations that the code asks for and that are not on record
   * @param end what the code ends with instead, when it fails
   * @param difference of two operations of the same kind
   */
  record Drift(
      OperationId operation,
      OperationKind recorded,
      Optional<OperationKind> asked,
      List<OperationId> instead,
      Optional<String> end,
      Optional<Difference> difference)
      implements Incident {
    public static final int INSTEAD_MAX = 5;
    public static final int END_CHARS_MAX = 512;

    public Drift {
      instead = List.copyOf(instead.subList(0, Math.min(instead.size(), INSTEAD_MAX)));
      end = end.map(text -> Failure.cut(text, END_CHARS_MAX));
    }

    public Drift(OperationId operation, OperationKind recorded, Optional<OperationKind> asked) {
      this(operation, recorded, asked, List.of());
    }

    public Drift(
        OperationId operation,
        OperationKind recorded,
        Optional<OperationKind> asked,
        List<OperationId> instead,
        Optional<String> end) {
      this(operation, recorded, asked, instead, end, Optional.empty());
    }

    public Drift(
        OperationId operation,
        OperationKind recorded,
        Optional<OperationKind> asked,
        List<OperationId> instead) {
      this(operation, recorded, asked, instead, Optional.empty());
    }

    @Override
    public String kind() {
      return "drift";
    }

    @Override
    public Optional<OperationId> about() {
      return Optional.of(operation);
    }

    @Override
    public String message() {
      if (difference.isPresent())
        return "Operation %s is recorded as %s %s. Deploy code that asks for the same, or move the run to a version that does, then resolve."
            .formatted(operation, recorded, difference.get());
      String now =
          asked.map(kind -> "asks for it as " + kind).orElse("no longer asks for it")
              + (instead.isEmpty() ? "" : ", but for " + instead + ", which is not recorded")
              + end.map(failure -> ", and ends with " + failure).orElse("");
      return "Operation %s is recorded as %s, and the code %s. Deploy code that does, or move the run to a version that does, then resolve."
          .formatted(operation, recorded, now);
    }
  }

  /** The program asked for something impossible: twice the same operation, or past a limit. */
  record InvalidWish(String why) implements Incident {
    public InvalidWish {
      why = Failure.cut(why, TEXT_CHARS_MAX);
    }

    @Override
    public String kind() {
      return "invalid-wish";
    }

    @Override
    public String message() {
      return "The program asked for something impossible: " + why + " Deploy code that does not.";
    }
  }

  /** The code did not come back within its limit: it blocks or loops between two operations. */
  record Stuck(String why) implements Incident {
    public Stuck {
      why = Failure.cut(why, TEXT_CHARS_MAX);
    }

    @Override
    public String kind() {
      return "stuck";
    }

    @Override
    public String message() {
      return "The workflow's code did not come back: " + why + " Mend it, then resolve.";
    }
  }

  /** A ceiling of the integers was reached (I9). */
  record Ceiling(Optional<OperationId> operation, String why) implements Incident {
    @Override
    public String kind() {
      return "ceiling";
    }

    @Override
    public Optional<OperationId> about() {
      return operation;
    }

    @Override
    public String message() {
      return operation.map(id -> "Operation " + id + ": ").orElse("") + why;
    }
  }

  /** It failed, and its retry policy says that a person decides. */
  record OperationFailed(OperationId operation, int attempts, Failure failure) implements Incident {
    @Override
    public String kind() {
      return "operation-failed";
    }

    @Override
    public Optional<OperationId> about() {
      return Optional.of(operation);
    }

    @Override
    public String message() {
      return Failure.cut(
          "Operation %s failed after %d attempts: %s. Mend the cause, then resolve: it is tried again."
              .formatted(operation, attempts, failure),
          TEXT_CHARS_MAX);
    }
  }

  /**
   * Whether an activity took effect cannot be told: it is not run again before a person says so.
   */
  record Indeterminate(OperationId operation, int attempts, Failure failure) implements Incident {
    public static final String KIND = "activity-indeterminate";

    @Override
    public String kind() {
      return KIND;
    }

    @Override
    public Optional<OperationId> about() {
      return Optional.of(operation);
    }

    @Override
    public String message() {
      return Failure.cut(
          "Whether activity %s took effect cannot be told after attempt %d: %s. Look it up, then complete it with its result, fail it, have it run again, or resolve: its verifier is asked again."
              .formatted(operation, attempts, evidence()),
          TEXT_CHARS_MAX);
    }

    /** The failure, with the word for machines that the code or the verifier gave. */
    private String evidence() {
      return failure
          .code()
          .map(code -> "[%s] %s".formatted(code, failure))
          .orElse(failure.toString());
    }
  }

  /** The outside world does not agree with what the history says an activity did. */
  record ResourceDiffers(OperationId operation, String evidence) implements Incident {
    public ResourceDiffers {
      evidence = Failure.cut(evidence, TEXT_CHARS_MAX / 2);
    }

    @Override
    public String kind() {
      return "resource-differs";
    }

    @Override
    public Optional<OperationId> about() {
      return Optional.of(operation);
    }

    @Override
    public String message() {
      return "What activity %s is recorded to have done is not what its verifier finds: %s. Mend it, or resolve: the workflow then goes on with what is recorded."
          .formatted(operation, evidence);
    }
  }

  /** Another problem that an owner must not decide without a person. */
  record Other(String kind, String why) implements Incident {
    public Other {
      why = Failure.cut(why, TEXT_CHARS_MAX);
    }

    @Override
    public String message() {
      return kind + ": " + why;
    }
  }
}
