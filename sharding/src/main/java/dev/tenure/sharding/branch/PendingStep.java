package dev.tenure.sharding.branch;

import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.sharding.payload.PayloadConversionException;
import dev.tenure.workflow.CancelledException;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.StepBody;
import dev.tenure.workflow.StepInterceptor;
import dev.tenure.workflow.TypeRef;
import dev.tenure.workflow.kernel.Start;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.util.Optional;

/** A step, with the code that makes its result. */
public final class PendingStep<T> extends PendingOperation<T> {
  /** A result as it is recorded, and as it reads from there. */
  record Written<T>(Outcome.Succeeded outcome, T readBack) {}

  /** The step's code, and its name. */
  public record Code<T>(
      String name, Optional<String> key, StepBody<T, ?> body, Optional<TypeRef<T>> type) {}

  final String name;
  final Optional<String> key;
  public final StepBody<T, ?> body;
  final Optional<TypeRef<T>> type;

  /** The branch that waits only for this step. The step runs on its thread. */
  public WorkflowThread host;

  /** The newest attempt in this process. */
  private Attempt attempt;

  public PendingStep(
      BranchScheduler scheduler,
      OperationId id,
      Scope scope,
      OutcomeReader<T> reading,
      Code<T> code) {
    super(scheduler, id, scope, reading);
    this.name = code.name;
    this.key = code.key;
    this.body = code.body;
    this.type = code.type;
  }

  /** Makes the next attempt, and stops the one before. */
  public Attempt attempt(int number) {
    if (attempt != null) attempt.stop();
    attempt = new Attempt(this, number);
    return attempt;
  }

  public void stop(int number) {
    if (attempt != null && attempt.number == number) attempt.stop();
  }

  /** What interceptors see of an attempt. */
  public StepInterceptor.Call call(int attempt) {
    Start start = scheduler.start();
    return new StepInterceptor.Call(
        StepInterceptor.Kind.STEP,
        start.id(),
        start.runId(),
        id.value(),
        name,
        attempt,
        IdempotencyKeys.of(start.id(), start.runId(), id),
        start.trace());
  }

  public boolean isCurrent(Attempt one) {
    return attempt == one && !done();
  }

  @Override
  public void complete(Outcome came) {
    // The attempt is stopped in any case: its thread is needed, or its result is not.
    if (attempt != null) attempt.stop();
    super.complete(came);
  }

  @Override
  public void cancelled(CancelledException why) {
    if (attempt != null) attempt.stop();
    super.cancelled(why);
  }

  @Override
  @SuppressWarnings("unchecked")
  T read(OutcomeReader<T> how, Outcome came) throws Throwable {
    if (attempt != null && came instanceof Outcome.Succeeded(Payload value)) {
      Optional<Written<?>> known = attempt.written(value);
      // This value was read from the recorded bytes, as every replay reads it. It is never the
      // object that the step returned.
      if (known.isPresent()) return (T) known.get().readBack();
    }
    return super.read(how, came);
  }

  String what() {
    return "the result of step " + id;
  }

  /** The bytes to be recorded for the step's result. Throws when they could not be read again. */
  @SuppressWarnings("unchecked")
  Written<T> written(T value) {
    PayloadCodec codec = scheduler.codec();
    Payload payload =
        type.isPresent()
            ? codec.writeKept(value, type.get().type(), what())
            : codec.writeNamed(value, what());
    try {
      Object readBack =
          type.isPresent()
              ? codec.read(payload, type.get().type(), what())
              : codec.readNamed(payload, what());
      return new Written<>(new Outcome.Succeeded(payload), (T) readBack);
    } catch (PayloadConversionException unread) {
      throw new PayloadConversionException(
          unread.getMessage()
              + (type.isPresent()
                  ? " It could be written, but not be read back."
                  : " It could be written, but not be read back: give the step a TypeRef of a type"
                      + " that can."));
    }
  }
}
