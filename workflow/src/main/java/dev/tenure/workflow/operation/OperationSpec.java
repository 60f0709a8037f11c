package dev.tenure.workflow.operation;

import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.ParentClosePolicy;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.StartPolicy;
import dev.tenure.workflow.Text;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** What a program asks for, complete: whoever reads it needs nothing else to carry it out. */
public sealed interface OperationSpec {
  OperationKind kind();

  private static void requireSaga(String saga) {
    Text.require("saga", saga, OperationId.BYTES_MAX + OperationId.NAME_BYTES_MAX);
  }

  /** What is tried again when it fails. */
  sealed interface Attempted extends OperationSpec {
    RetryPolicy retry();

    Timeouts timeouts();
  }

  /**
   * @param undoes of a compensation, what it undoes
   * @param saga of a step that a saga may have to undo, which of the run's sagas that is
   */
  record Step(RetryPolicy retry, Timeouts timeouts, Optional<Undo> undoes, Optional<String> saga)
      implements Attempted {
    public static final Step DEFAULT = new Step(RetryPolicy.DEFAULT, Timeouts.DEFAULT);

    public Step {
      saga.ifPresent(OperationSpec::requireSaga);
      if (undoes.isPresent() && saga.isPresent())
        throw new IllegalArgumentException("A compensation is undone by nobody.");
    }

    public Step(RetryPolicy retry, Timeouts timeouts) {
      this(retry, timeouts, Optional.empty(), Optional.empty());
    }

    public static Step compensation(RetryPolicy retry, Timeouts timeouts, Undo undoes) {
      return new Step(retry, timeouts, Optional.of(undoes), Optional.empty());
    }

    public static Step ofSaga(RetryPolicy retry, Timeouts timeouts, String saga) {
      return new Step(retry, timeouts, Optional.empty(), Optional.of(saga));
    }

    /** Whether it is a saga's: one that it may have to undo, or a compensation. */
    public boolean isInSaga() {
      return undoes.isPresent() || saga.isPresent();
    }

    @Override
    public OperationKind kind() {
      return OperationKind.STEP;
    }
  }

  /**
   * What a compensation undoes.
   *
   * @param saga which of the run's sagas, by the branch that it is in and how many came before
   * @param position how many compensations the saga had registered, this one included
   * @param step the step that it undoes, when it was registered together with one
   */
  record Undo(String saga, int position, Optional<OperationId> step) {
    public Undo {
      requireSaga(saga);
      if (position < 1)
        throw new IllegalArgumentException("Compensation %d: count from 1.".formatted(position));
    }
  }

  /**
   * @param activity the name that its code is registered under
   */
  record Activity(String activity, Payload input, RetryPolicy retry, Timeouts timeouts)
      implements Attempted {
    public static final int NAME_BYTES_MAX = 256;

    public Activity {
      Text.require("activity name", activity, NAME_BYTES_MAX);
    }

    @Override
    public OperationKind kind() {
      return OperationKind.ACTIVITY;
    }
  }

  /** When a timer fires: a span after it was committed, or at a fixed instant. */
  sealed interface Due {
    Instant from(Instant committed);

    record After(Duration span) implements Due {
      public After {
        if (span.isNegative() || span.compareTo(Timeouts.MAX) > 0)
          throw new IllegalArgumentException(
              "A timer of %s: use 0 to %s.".formatted(span, Timeouts.MAX));
      }

      @Override
      public Instant from(Instant committed) {
        return committed.plus(span);
      }
    }

    record At(Instant instant) implements Due {
      /** What every store and every calendar can still write down. */
      public static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");

      public static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

      public At {
        if (instant.isBefore(EARLIEST) || instant.isAfter(LATEST))
          throw new IllegalArgumentException(
              "A timer at %s: use %s to %s.".formatted(instant, EARLIEST, LATEST));
      }

      @Override
      public Instant from(Instant committed) {
        return instant;
      }
    }
  }

  record Timer(Due due) implements OperationSpec {
    @Override
    public OperationKind kind() {
      return OperationKind.TIMER;
    }
  }

  /** Waits for one signal of that name, the oldest that is not consumed yet. */
  record SignalWait(String signal, Optional<Duration> timeout) implements OperationSpec {
    public static final int NAME_BYTES_MAX = 256;

    public SignalWait {
      Text.require("signal name", signal, NAME_BYTES_MAX);
      timeout.ifPresent(span -> Timeouts.requireSpan("signal timeout", span));
    }

    @Override
    public OperationKind kind() {
      return OperationKind.SIGNAL_WAIT;
    }
  }

  /**
   * @param version which version of the type; decided by the child's owner when empty
   * @param policy what its start does when the id is taken
   */
  record Child(
      WorkflowId id,
      String type,
      Optional<Integer> version,
      Payload input,
      ParentClosePolicy onParentClose,
      Optional<Duration> executionTimeout,
      Map<String, Attribute> attributes,
      StartPolicy policy)
      implements OperationSpec {
    public Child {
      attributes = Attribute.requireNames(attributes);
      executionTimeout.ifPresent(span -> Timeouts.requireSpan("execution timeout", span));
    }

    /** A child whose id nobody else may have used. */
    public Child(
        WorkflowId id,
        String type,
        Optional<Integer> version,
        Payload input,
        ParentClosePolicy onParentClose,
        Optional<Duration> executionTimeout,
        Map<String, Attribute> attributes) {
      this(
          id,
          type,
          version,
          input,
          onParentClose,
          executionTimeout,
          attributes,
          StartPolicy.REJECT_DUPLICATE);
    }

    @Override
    public OperationKind kind() {
      return OperationKind.CHILD;
    }
  }

  /** What one workflow tells another. */
  sealed interface Content {
    /**
     * Delivered through the other's inbox, with the message's GUID as signal id.
     *
     * @param child the operation that starts the child that is meant; a workflow that signals
     *     another one by its id means whatever has the id
     */
    record Signal(String signal, Payload payload, Optional<OperationId> child) implements Content {
      public Signal {
        Text.require("signal name", signal, SignalWait.NAME_BYTES_MAX);
      }

      public Signal(String signal, Payload payload) {
        this(signal, payload, Optional.empty());
      }

      public Signal withChild(Optional<OperationId> other) {
        return new Signal(signal, payload, other);
      }
    }

    /**
     * @param child by which message the child was started that is meant; a workflow that asks
     *     another one to cancel means whatever has the id
     */
    record Cancel(String reason, Optional<MessageGuid> child) implements Content {
      public Cancel {
        Text.requireWellFormed("reason", reason);
      }

      public Cancel(String reason) {
        this(reason, Optional.empty());
      }
    }

    /** By the engine only: a parent that ended takes its children along. */
    record Terminate(String reason, Optional<MessageGuid> child) implements Content {
      public Terminate(String reason) {
        this(reason, Optional.empty());
      }
    }

    /**
     * By the engine only: how the child of that operation came out.
     *
     * @param started by which message it was started; reports of earlier versions do not say
     */
    record ChildEnded(OperationId operation, Outcome outcome, Optional<MessageGuid> started)
        implements Content {
      public ChildEnded(OperationId operation, Outcome outcome) {
        this(operation, outcome, Optional.empty());
      }
    }
  }

  /** Kept and sent again until the other side, or its absence, acknowledged it. */
  record Message(WorkflowId target, Content content) implements OperationSpec {
    public Message {
      Objects.requireNonNull(target, "The workflow that a message is for is null.");
    }

    @Override
    public OperationKind kind() {
      return OperationKind.MESSAGE;
    }
  }

  /**
   * Enters an ancestor again, which passes through at once. Its obligation goes over to that entry.
   *
   * @param pivot the ancestor, which is one of the kinds that may be entered again
   */
  record Cycle(OperationId pivot) implements OperationSpec {
    @Override
    public OperationKind kind() {
      return OperationKind.CYCLE;
    }
  }

  record Value(Payload value) implements OperationSpec {
    @Override
    public OperationKind kind() {
      return OperationKind.VALUE;
    }
  }
}
