package dev.tenure.workflow.operation;

import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.ParentClosePolicy;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.StartPolicy;
import dev.tenure.workflow.Text;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.lifecycle.OperationPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What a program asks for, complete: it takes nothing else to carry it out.
 *
 * <p>Each kind of operation is a record here, and says of itself what the engine has to know: how
 * it is carried out (one of {@link Attempted}, {@link Awaited}, {@link Delivered}, {@link
 * Recorded}), what it carries, and what a replay compares. What differs from kind to kind only is
 * decided where it happens, and the compiler lists those places.
 */
public sealed interface OperationSpec {
  OperationKind kind();

  /** The transition that it takes when it is asked for. */
  OperationPhase.Trigger begins();

  /** What it carries; {@link Payload#NONE} when that is nothing. */
  Payload payload();

  /**
   * Says which item it is about, the most telling part first. How it is carried out is no part of
   * that and may change: retry policies, timeouts, a timer's span, attributes, the reason of a
   * cancellation.
   */
  List<IdentityPart> identity();

  private static void requireSaga(String saga) {
    Text.require("saga", saga, OperationId.BYTES_MAX + OperationId.NAME_BYTES_MAX);
  }

  /** A node carries it out, and tries again when it fails. */
  sealed interface Attempted extends OperationSpec {
    RetryPolicy retry();

    Timeouts timeouts();

    @Override
    default OperationPhase.Trigger begins() {
      return OperationPhase.Trigger.ATTEMPT;
    }
  }

  /** Is open until its time, or until what it waits for has come. */
  sealed interface Awaited extends OperationSpec {
    /** When time alone ends the wait; empty when it does not. */
    Optional<Instant> until(Instant scheduledAt);

    @Override
    default OperationPhase.Trigger begins() {
      return OperationPhase.Trigger.WAIT;
    }
  }

  /** Sent to another workflow, and again until that one, or its absence, acknowledged it. */
  sealed interface Delivered extends OperationSpec {
    @Override
    default OperationPhase.Trigger begins() {
      return OperationPhase.Trigger.SEND;
    }
  }

  /** Asked for and recorded by one event. In code it is over with that. */
  sealed interface Recorded extends OperationSpec {
    @Override
    default OperationPhase.Trigger begins() {
      return OperationPhase.Trigger.RECORD;
    }
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
        throw new IllegalArgumentException(
            "A compensation is no step of a saga: it cannot be undone.");
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

    @Override
    public Payload payload() {
      return Payload.NONE;
    }

    @Override
    public List<IdentityPart> identity() {
      return List.of();
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
   * @param call what the call says beyond its input
   */
  record Activity(
      String activity, Payload input, RetryPolicy retry, Timeouts timeouts, ActivityCall call)
      implements Attempted {
    public static final int NAME_BYTES_MAX = 256;

    public Activity {
      Text.require("activity name", activity, NAME_BYTES_MAX);
    }

    /** One that runs at least once on its owner's node. */
    public Activity(String activity, Payload input, RetryPolicy retry, Timeouts timeouts) {
      this(activity, input, retry, timeouts, ActivityCall.PLAIN);
    }

    /** The same call, through the queue of the nodes that have its code. */
    public Activity onNodes() {
      return new Activity(activity, input, retry, timeouts, call.onNodes(activity));
    }

    /** Whether workers take it from a queue. */
    public boolean isQueued() {
      return call.queueing().isPresent();
    }

    /** Whether a repetition of it is recognised. */
    public boolean isKeyed() {
      return call.idempotencyKey().isPresent();
    }

    @Override
    public OperationKind kind() {
      return OperationKind.ACTIVITY;
    }

    @Override
    public Payload payload() {
      return input;
    }

    @Override
    public List<IdentityPart> identity() {
      return List.of(
          IdentityPart.fixed("activity", activity), IdentityPart.derived("input", input));
    }
  }

  record Timer(Due due) implements Awaited {
    @Override
    public OperationKind kind() {
      return OperationKind.TIMER;
    }

    @Override
    public Optional<Instant> until(Instant scheduledAt) {
      return Optional.of(due.from(scheduledAt));
    }

    @Override
    public Payload payload() {
      return Payload.NONE;
    }

    @Override
    public List<IdentityPart> identity() {
      return List.of();
    }
  }

  /** Waits for one signal of that name, the oldest that is not consumed yet. */
  record SignalWait(String signal, Optional<Duration> timeout) implements Awaited {
    public static final int NAME_BYTES_MAX = 256;

    public SignalWait {
      Text.require("signal name", signal, NAME_BYTES_MAX);
      timeout.ifPresent(span -> Timeouts.requireSpan("signal timeout", span));
    }

    @Override
    public OperationKind kind() {
      return OperationKind.SIGNAL_WAIT;
    }

    @Override
    public Optional<Instant> until(Instant scheduledAt) {
      return timeout.map(scheduledAt::plus);
    }

    @Override
    public Payload payload() {
      return Payload.NONE;
    }

    @Override
    public List<IdentityPart> identity() {
      return List.of(IdentityPart.fixed("signal", signal));
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
      implements Delivered {
    public Child {
      attributes = Attribute.requireNames(attributes);
      executionTimeout.ifPresent(span -> Timeouts.requireSpan("execution timeout", span));
    }

    /** A child whose id must not have been used before. */
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

    @Override
    public Payload payload() {
      return input;
    }

    @Override
    public List<IdentityPart> identity() {
      List<IdentityPart> parts = new ArrayList<>(4);
      parts.add(IdentityPart.fixed("child type", type));
      // The newest version, which is chosen when the child starts, is compared with nothing.
      version.ifPresent(one -> parts.add(IdentityPart.fixed("child version", one.toString())));
      parts.add(IdentityPart.derived("child id", id.value()));
      parts.add(IdentityPart.derived("input", input));
      return parts;
    }
  }

  record Message(WorkflowId target, MessageContent content) implements Delivered {
    public Message {
      Objects.requireNonNull(target, "The workflow that a message is for is null.");
    }

    @Override
    public OperationKind kind() {
      return OperationKind.MESSAGE;
    }

    @Override
    public Payload payload() {
      return content.payload();
    }

    @Override
    public List<IdentityPart> identity() {
      List<IdentityPart> parts = new ArrayList<>(4);
      parts.add(IdentityPart.derived("target", target.value()));
      parts.add(IdentityPart.fixed("message", content.getClass().getSimpleName()));
      if (content instanceof MessageContent.Signal signal) {
        parts.add(IdentityPart.fixed("signal", signal.signal()));
        parts.add(IdentityPart.derived("payload", signal.payload()));
      }
      return parts;
    }
  }

  /**
   * Enters an ancestor again, which passes through at once. Its obligation goes over to that entry.
   *
   * @param pivot the ancestor, which is one of the kinds that may be entered again
   */
  record Cycle(OperationId pivot) implements Recorded {
    @Override
    public OperationKind kind() {
      return OperationKind.CYCLE;
    }

    @Override
    public Payload payload() {
      return Payload.NONE;
    }

    @Override
    public List<IdentityPart> identity() {
      return List.of(IdentityPart.fixed("ancestor", pivot.value()));
    }
  }

  record Value(Payload value) implements Recorded {
    @Override
    public OperationKind kind() {
      return OperationKind.VALUE;
    }

    @Override
    public Payload payload() {
      return value;
    }

    @Override
    public List<IdentityPart> identity() {
      return List.of();
    }
  }
}
