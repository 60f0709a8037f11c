package dev.tenure.activities.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.tenure.activities.CallContext;
import dev.tenure.activities.outbound.OutboundPolicy;
import dev.tenure.workflow.Failure.OutsideEffect;
import dev.tenure.workflow.LimitExceededException;
import dev.tenure.workflow.NoEffectException;
import dev.tenure.workflow.WorkflowFailure;
import java.time.Duration;

/** What the tests of calls share. */
final class Trial {
  static final String KEY = "tenure:order-17:run-1:charge";
  static final CallContext CONTEXT = CallContext.of(KEY);

  /** Long enough that only a call which should not end gets there. */
  static final Duration LONG = Duration.ofSeconds(60);

  private Trial() {}

  /** Settings that permit the loopback address. */
  static HttpSettings local() {
    return HttpSettings.of(OutboundPolicy.publicOnly().allowing("127.0.0.0/8"))
        .withTimeouts(Duration.ofSeconds(10), LONG);
  }

  static HttpAnswer call(HttpSettings settings, CallContext context, HttpCall call)
      throws Exception {
    try (OutboundHttp http = new OutboundHttp(settings)) {
      return HttpActivity.code(HttpActivity.define("call"), http).body().run(context, call);
    }
  }

  static HttpAnswer call(HttpSettings settings, HttpCall call) throws Exception {
    return call(settings, CONTEXT, call);
  }

  /** Why the call failed, as the engine is told. */
  static Told failing(HttpSettings settings, HttpCall call) {
    return failing(settings, CONTEXT, call);
  }

  static Told failing(HttpSettings settings, CallContext context, HttpCall call) {
    Throwable thrown = catchThrowable(() -> call(settings, context, call));
    assertThat(thrown).as("a failure").isNotNull();
    return Told.of(thrown);
  }

  /** A failure of an activity, in the words of the engine. */
  record Told(String code, Again again, OutsideEffect effect, String message) {
    enum Again {
      RETRYABLE,
      PERMANENT
    }

    static Told of(Throwable thrown) {
      return switch (thrown) {
        case WorkflowFailure failure ->
            new Told(
                failure.code().orElse(""),
                failure.isRetryable() ? Again.RETRYABLE : Again.PERMANENT,
                failure.outside(),
                failure.getMessage());
        case NoEffectException nothing ->
            new Told("", Again.RETRYABLE, OutsideEffect.NONE, nothing.getMessage());
        case LimitExceededException large ->
            new Told("too large", Again.PERMANENT, OutsideEffect.POSSIBLE, large.getMessage());
        default -> throw new AssertionError("an exception that says nothing", thrown);
      };
    }

    Told is(String expectedCode, Again expectedAgain, OutsideEffect expectedEffect) {
      assertThat(new Told(code, again, effect, ""))
          .as(message)
          .isEqualTo(new Told(expectedCode, expectedAgain, expectedEffect, ""));
      return this;
    }

    /** Nothing was sent, and it may be tried again at once. */
    Told isUnsent() {
      return is("", Again.RETRYABLE, OutsideEffect.NONE);
    }

    /** It was never to be sent. */
    Told isRefused() {
      return is(HttpOutcomes.REFUSED, Again.PERMANENT, OutsideEffect.NONE);
    }

    /** It was sent, and nobody knows what became of it. */
    Told isUncertain() {
      return is("http.no-answer", Again.RETRYABLE, OutsideEffect.POSSIBLE);
    }

    Told saying(String... parts) {
      assertThat(message).contains(parts);
      return this;
    }
  }
}
