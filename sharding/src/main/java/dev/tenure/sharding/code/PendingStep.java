package dev.tenure.sharding.code;

import dev.tenure.workflow.CancelledException;
import dev.tenure.workflow.StepBody;
import dev.tenure.workflow.TypeRef;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.util.Optional;

/** A step: it brings the code along that makes its result. */
final class PendingStep<T> extends Pending<T> {
  /** What it runs, and under which name. */
  record Code<T>(
      String name, Optional<String> key, StepBody<T, ?> body, Optional<TypeRef<T>> type) {}

  final String name;
  final Optional<String> key;
  final StepBody<T, ?> body;
  final Optional<TypeRef<T>> type;

  /** Who waits for nothing else, so that the step may run on its thread. */
  Strand host;

  /** The newest attempt in this process. */
  private Attempt attempt;

  PendingStep(Stage stage, OperationId id, Scope scope, Reading<T> reading, Code<T> code) {
    super(stage, id, scope, reading);
    this.name = code.name;
    this.key = code.key;
    this.body = code.body;
    this.type = code.type;
  }

  /** A new attempt at it; the one before is not wanted any more. */
  Attempt attempt(int number) {
    if (attempt != null) attempt.stop();
    attempt = new Attempt(this, number);
    return attempt;
  }

  void stop(int number) {
    if (attempt != null && attempt.number == number) attempt.stop();
  }

  boolean isCurrent(Attempt one) {
    return attempt == one && !done();
  }

  @Override
  void complete(Outcome came) {
    // However it came out: its thread is needed, or its result is not.
    if (attempt != null) attempt.stop();
    super.complete(came);
  }

  @Override
  void cancelled(CancelledException why) {
    if (attempt != null) attempt.stop();
    super.cancelled(why);
  }

  @Override
  T read(Reading<T> how, Outcome came) throws Throwable {
    // What was thrown in this process is thrown on as it is.
    if (attempt != null && came instanceof Outcome.Failed failed) {
      Optional<Throwable> thrown = attempt.thrown(failed);
      if (thrown.isPresent()) throw thrown.get();
    }
    return super.read(how, came);
  }

  String what() {
    return "the result of step " + id;
  }

  Outcome.Succeeded written(T value) {
    return new Outcome.Succeeded(
        type.isPresent()
            ? stage.codec().writeKept(value, type.get().type(), what())
            : stage.codec().writeNamed(value, what()));
  }
}
