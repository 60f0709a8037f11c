package dev.tenure.sharding.activity;

import dev.tenure.sharding.code.Interceptors;
import dev.tenure.sharding.payload.Exceptions;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Failure.OutsideEffect;
import dev.tenure.workflow.NoEffectException;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.ResourceVerifier;
import dev.tenure.workflow.Verifier;
import dev.tenure.workflow.operation.Outcome;
import java.util.Optional;

/** One activity of a node: its code, and the queue of the attempts at it. */
final class Lane<I, O> {
  private static final int QUESTIONS_AT_ONCE = 32;

  /** Each run has a limited number, and so many runs are taken up at once. */
  private static final int QUESTIONS_WAITING = 1 << 29;

  final ActivityRegistration<I, O> registration;
  final Queue queue;

  /**
   * Questions to the verifiers, apart from the calls: code that never leaves its place must not
   * keep anybody from finding out what it did. All workflows of a lost node ask at once.
   */
  final Queue questions;

  private final PayloadCodec codec;
  private final Interceptors interceptors;

  /** A result of it was read back. */
  private volatile boolean isReadable;

  Lane(
      ActivityRegistration<I, O> registration,
      PayloadCodec codec,
      Interceptors interceptors,
      Activities.Threads threads) {
    this.registration = registration;
    this.codec = codec;
    this.interceptors = interceptors;
    this.queue =
        new Queue(
            registration.definition().name(),
            registration.runningMax(),
            registration.waitingMax(),
            threads);
    this.questions =
        new Queue(
            registration.definition().name() + " question",
            Math.min(QUESTIONS_AT_ONCE, registration.runningMax()),
            QUESTIONS_WAITING,
            threads);
  }

  /** Runs the code, on this thread. */
  Outcome call(RunningAttempt attempt) {
    I input;
    try {
      input = withLoader(attempt, () -> input(attempt));
    } catch (Throwable unreadable) {
      // The code was not called.
      return new Outcome.Failed(failure(unreadable).with(OutsideEffect.NONE));
    }
    try {
      return withLoader(
          attempt,
          () -> {
            var body = registration.code().body();
            O result = interceptors.around(attempt::call, () -> body.run(attempt, input)).run();
            return new Outcome.Succeeded(written(result, attempt));
          });
    } catch (Throwable thrown) {
      return new Outcome.Failed(failure(thrown));
    }
  }

  /** Asks the verifier, on this thread. */
  Verifier.Verdict<O> verify(Verifier<I, O> verifier, RunningAttempt attempt) throws Throwable {
    return withLoader(attempt, () -> verifier.verify(attempt.forVerifier(), input(attempt)));
  }

  /** Asks the resource verifier, on this thread. */
  @SuppressWarnings("unchecked")
  Optional<String> difference(RunningAttempt attempt, Payload recorded) throws Throwable {
    ResourceVerifier<I, O> verifier = registration.code().resource().orElseThrow().verifier();
    var type = registration.definition().output().type();
    return withLoader(
        attempt,
        () ->
            verifier.difference(
                attempt.forVerifier(),
                input(attempt),
                (O) codec.read(recorded, type, "the result" + of(attempt))));
  }

  private interface Code<T> {
    T run() throws Throwable;
  }

  private <T> T withLoader(RunningAttempt attempt, Code<T> code) throws Throwable {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(registration.loader());
    try (var logged = attempt.logged()) {
      return code.run();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @SuppressWarnings("unchecked")
  private I input(RunningAttempt attempt) {
    return (I)
        codec.read(
            attempt.task.input(),
            registration.definition().input().type(),
            "the input" + of(attempt));
  }

  /** The result as it is recorded. */
  Payload written(O result, RunningAttempt attempt) {
    var type = registration.definition().output().type();
    String what = "the result" + of(attempt);
    Payload written = codec.writeKept(result, type, what);
    // Whether values of its type can be read is a property of the type: the first one tells.
    if (!isReadable && result != null) {
      codec.read(written, type, what);
      isReadable = true;
    }
    return written;
  }

  private static String of(RunningAttempt attempt) {
    return " of activity " + attempt.task.operation();
  }

  private Failure failure(Throwable thrown) {
    Failure failure = Exceptions.toFailure(thrown);
    boolean none =
        thrown instanceof NoEffectException
            || registration.code().noEffectFor().contains(thrown.getClass().getName());
    return none ? failure.with(OutsideEffect.NONE) : failure;
  }
}
