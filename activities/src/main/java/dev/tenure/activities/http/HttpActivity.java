package dev.tenure.activities.http;

import dev.tenure.activities.http.OutboundHttp.Outgoing;
import dev.tenure.activities.outbound.OutboundRefusedException;
import dev.tenure.activities.outbound.Target;
import dev.tenure.workflow.ActivityCode;
import dev.tenure.workflow.ActivityContext;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.WorkflowFailure;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * An activity that calls a URL. The request has the operation's stable key as {@code
 * Idempotency-Key}, and {@code traceparent} when the workflow belongs to a trace. How a status or a
 * failure of the transport is told to the engine stands in {@link HttpOutcomes}.
 */
public final class HttpActivity<I, O> implements ActivityDefinition.Body<I, O> {
  public static final String KEY_HEADER = "Idempotency-Key";

  private static final String TRACE_HEADER = "traceparent";

  private final OutboundHttp http;
  private final Function<? super I, HttpCall> call;
  private final Reading<? extends O> reading;

  /** Makes a result of an answer. */
  @FunctionalInterface
  public interface Reading<O> {
    O read(HttpAnswer answer) throws Exception;
  }

  private HttpActivity(
      OutboundHttp http, Function<? super I, HttpCall> call, Reading<? extends O> reading) {
    this.http = http;
    this.call = call;
    this.reading = reading;
  }

  /** One whose input says what is sent, and whose result is the answer. */
  public static ActivityDefinition<HttpCall, HttpAnswer> define(String name) {
    return ActivityDefinition.of(name, HttpCall.class, HttpAnswer.class);
  }

  /** The code of an activity whose input says what is sent. */
  public static ActivityCode<HttpCall, HttpAnswer> code(
      ActivityDefinition<HttpCall, HttpAnswer> definition, OutboundHttp http) {
    return code(definition, http, call -> call, answer -> answer);
  }

  /** The code of an activity with an input and a result of its own. */
  public static <I, O> ActivityCode<I, O> code(
      ActivityDefinition<I, O> definition,
      OutboundHttp http,
      Function<? super I, HttpCall> call,
      Reading<? extends O> reading) {
    return ActivityCode.of(definition, new HttpActivity<>(http, call, reading));
  }

  @Override
  public O run(ActivityContext context, I input) throws Exception {
    Reply reply;
    try {
      Outgoing request = request(context, call.apply(input));
      reply = http.send(request, http.timeLeft(context.deadline()));
    } catch (OutboundRefusedException e) {
      throw WorkflowFailure.permanent(HttpOutcomes.REFUSED, e.getMessage()).withoutEffect();
    }
    HttpAnswer answer = HttpOutcomes.answer(reply, http.settings());
    try {
      return reading.read(answer);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      throw HttpOutcomes.unreadable(reply, e.toString());
    }
  }

  private static Outgoing request(ActivityContext context, HttpCall call) {
    if (!OutboundHttp.isMethod(call.method()))
      throw new OutboundRefusedException(
          "The method is none that is sent: use GET, POST, PUT, PATCH, DELETE or the like.");
    boolean hasBody = !call.body().isEmpty();
    if (hasBody && (call.method().equals("GET") || call.method().equals("HEAD")))
      throw new OutboundRefusedException("A %s has no body.".formatted(call.method()));
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.putAll(call.headers());
    put(headers, KEY_HEADER, context.idempotencyKey());
    context.trace().ifPresent(trace -> put(headers, TRACE_HEADER, trace.traceparent()));
    if (!call.contentType().isEmpty()) put(headers, "Content-Type", call.contentType());
    return new Outgoing(
        call.method(),
        Target.of(call.url()),
        headers,
        hasBody ? Optional.of(call.body()) : Optional.empty());
  }

  private static void put(Map<String, String> headers, String name, String value) {
    if (headers.put(name, value) != null)
      throw new OutboundRefusedException(
          "The header %s is set by the activity: leave it out.".formatted(name));
  }
}
