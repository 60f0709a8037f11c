package dev.tenure.activities.http;

import dev.tenure.activities.http.OutboundHttp.Outgoing;
import dev.tenure.activities.outbound.OutboundRefusedException;
import dev.tenure.activities.outbound.Target;
import dev.tenure.workflow.ActivityContext;
import dev.tenure.workflow.LimitExceededException;
import dev.tenure.workflow.NoEffectException;
import dev.tenure.workflow.Verifier;
import dev.tenure.workflow.WorkflowFailure;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Asks a URL made of the call's key, with GET, what became of the call.
 *
 * <ul>
 *   <li>200 with JSON of which a result can be made: completed with that result. The reading has to
 *       throw unless the answer says that the call is done: a system that answers 200 with {@code
 *       {"state":"pending"}} would be believed. A result that is null proves nothing.
 *   <li>404: not completed. The activity is then run, so the URL has to answer 404 only when the
 *       other system is sure that it does not know the key. While it is at work on a request with
 *       the key it has to answer otherwise, for example 202.
 *   <li>410: completed, and its result is gone.
 *   <li>Everything else, and no answer: indeterminate. So is what another origin answers, to which
 *       a redirect has led: it knows nothing of the call.
 * </ul>
 */
public final class HttpVerifier<I, O> implements Verifier<I, O> {
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final int GONE = 410;

  private final OutboundHttp http;
  private final KeyedUrl<? super I> url;
  private final HttpActivity.Reading<? extends O> reading;
  private final Set<Integer> unavailableOn;

  private HttpVerifier(
      OutboundHttp http,
      KeyedUrl<? super I> url,
      HttpActivity.Reading<? extends O> reading,
      Set<Integer> unavailableOn) {
    this.http = http;
    this.url = url;
    this.reading = reading;
    this.unavailableOn = Set.copyOf(unavailableOn);
  }

  /** See {@link KeyedUrl#template} for URLs that a template makes. */
  public static <I, O> HttpVerifier<I, O> of(
      OutboundHttp http, KeyedUrl<? super I> url, HttpActivity.Reading<? extends O> reading) {
    return new HttpVerifier<>(http, url, reading, Set.of(GONE));
  }

  /** This status, too, says that the call took effect and that its result is gone. */
  public HttpVerifier<I, O> resultUnavailableOn(int status) {
    if (status == OK || status == NOT_FOUND || status < OK || status > 599)
      throw new IllegalArgumentException(
          "Status %d cannot say that a result is gone.".formatted(status));
    Set<Integer> all = new HashSet<>(unavailableOn);
    all.add(status);
    return new HttpVerifier<>(http, url, reading, all);
  }

  @Override
  public Verdict<O> verify(ActivityContext context, I input) throws InterruptedException {
    try {
      Target target = Target.of(url.of(context, input));
      Map<String, String> headers = Map.of("Accept", "application/json");
      Reply reply =
          http.send(
              new Outgoing("GET", target, headers, Optional.empty()),
              http.timeLeft(context.deadline()));
      // The 404 of a login or of a maintenance page would have the activity run again.
      return reply.target().origin().equals(target.origin())
          ? verdict(reply)
          : Verdict.indeterminate("%s, and %s was asked".formatted(reply, target.origin()));
    } catch (OutboundRefusedException
        | NoEffectException
        | LimitExceededException
        | WorkflowFailure e) {
      return Verdict.indeterminate(e.getMessage());
    }
  }

  private Verdict<O> verdict(Reply reply) throws InterruptedException {
    if (unavailableOn.contains(reply.status())) return Verdict.resultUnavailable(reply.toString());
    return switch (reply.status()) {
      case OK -> completed(reply);
      case NOT_FOUND -> Verdict.notCompleted(reply.toString());
      default -> Verdict.indeterminate(reply.toString());
    };
  }

  /** A page of a proxy in front of the other system proves nothing. */
  private Verdict<O> completed(Reply reply) throws InterruptedException {
    if (!reply.isJson()) return Verdict.indeterminate(reply + " without JSON");
    try {
      HttpAnswer answer = reply.answer(http.settings().kept());
      if (answer.json().isNull()) return Verdict.indeterminate(reply + " with null");
      O result = reading.read(answer);
      return result == null
          ? Verdict.indeterminate(reply + ", which was read as null")
          : Verdict.completed(result, reply.toString());
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      return Verdict.indeterminate("%s, which cannot be read: %s".formatted(reply, e.getMessage()));
    }
  }
}
