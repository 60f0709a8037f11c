package dev.tenure.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import javax.net.ssl.SSLHandshakeException;

/**
 * Sends requests, and decides what is tried again. After a try without an answer, a request is sent
 * again only when it is marked as repeatable: it then carries the same key in every try.
 */
final class Transport {
  static final String NOT_REACHED = "NotReached";
  static final String NO_ANSWER = "NoAnswer";
  static final String TLS_FAILED = "TlsFailed";
  static final String TLS_WANTED = "TlsWanted";
  static final String NO_TLS = "NoTls";

  /** So that a test need not wait. */
  interface Pauses {
    void take(Duration pause) throws InterruptedException;
  }

  private sealed interface Try {
    record Said(JsonNode document) implements Try {}

    record Problematic(Problem problem, Optional<Throwable> cause) implements Try {}
  }

  private static final int UNAUTHORIZED = 401;
  private static final int FIRST_ERROR = 400;

  private final URI server;
  private final HttpClient http;
  private final Optional<Supplier<String>> credential;
  private final Supplier<Optional<String>> traceparent;
  private final RetryPolicy retries;
  private final Payloads wire = Payloads.standard();
  private final Pauses pauses;
  private final Secrecy secrecy;

  Transport(
      URI server,
      HttpClient http,
      Optional<Supplier<String>> credential,
      Supplier<Optional<String>> traceparent,
      RetryPolicy retries,
      Pauses pauses) {
    this.server = server;
    this.http = http;
    this.credential = credential;
    this.traceparent = traceparent;
    this.retries = retries;
    this.pauses = pauses;
    this.secrecy = new Secrecy(server);
  }

  /** The answer, after as many tries as it takes and the policy allows. */
  Answer send(Request request) {
    long begun = System.nanoTime();
    // One trace for all tries of a call.
    Optional<String> trace = traceparent.get();
    boolean unanswered = false;
    for (int tried = 1; ; tried++) {
      switch (attempt(request, trace)) {
        case Try.Said(JsonNode document) -> {
          return new Answer(document);
        }
        case Try.Problematic(Problem problem, Optional<Throwable> cause) -> {
          Problems.Done done = Problems.done(problem);
          boolean again =
              switch (done) {
                case ANSWERED -> false;
                case NOTHING -> true;
                case UNKNOWN -> request.repeatable() == Request.Repeatable.YES;
              };
          Optional<Duration> pause =
              again
                  ? retries.pause(
                      tried,
                      Duration.ofNanos(System.nanoTime() - begun),
                      problem.retryAfter(),
                      ThreadLocalRandom.current()::nextDouble)
                  : Optional.empty();
          if (pause.isEmpty()) throw failure(request, problem, unanswered, cause);
          unanswered |= done == Problems.Done.UNKNOWN;
          rest(request, pause.get());
        }
      }
    }
  }

  /** An earlier try may have been carried out, although the last one was not. */
  private static TenureException failure(
      Request request, Problem problem, boolean unanswered, Optional<Throwable> cause) {
    TenureException failure =
        unanswered && Problems.done(problem) == Problems.Done.NOTHING
            ? new TenureException.OutcomeUnknown(problem)
            : Problems.exception(problem).afterUnanswered(unanswered);
    if (failure instanceof TenureException.OutcomeUnknown unknown) unknown.under(request.key());
    cause.ifPresent(failure::initCause);
    return failure;
  }

  private void rest(Request request, Duration pause) {
    try {
      pauses.take(pause);
    } catch (InterruptedException e) {
      throw interrupted(request, e);
    }
  }

  private static TenureException interrupted(Request request, InterruptedException e) {
    Thread.currentThread().interrupt();
    TenureException failure =
        new TenureException.OutcomeUnknown(
                Problem.of(
                    "Interrupted", "The thread was interrupted while it waited for an answer."))
            .under(request.key());
    failure.initCause(e);
    return failure;
  }

  /** A credential that was refused is asked for once more: it may have run out a moment ago. */
  private Try attempt(Request request, Optional<String> trace) {
    Optional<String> given = credential.map(Supplier::get);
    Try first = once(request, given, trace);
    boolean refused =
        first instanceof Try.Problematic(Problem problem, var cause)
            && problem.status() == UNAUTHORIZED;
    if (!refused) return first;
    Optional<String> newer = credential.map(Supplier::get);
    return newer.equals(given) ? first : once(request, newer, trace);
  }

  private Try once(Request request, Optional<String> credentials, Optional<String> trace) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(URI.create(server + request.target())).timeout(request.timeLimit());
    builder.header("Accept", "application/json, application/problem+json");
    request.headers().forEach(builder::header);
    trace.ifPresent(parent -> builder.header("traceparent", parent));
    credentials.ifPresent(value -> builder.header("Authorization", "Bearer " + value));
    if (request.body().isPresent()) {
      builder.header("Content-Type", "application/json");
      byte[] body = wire.bytes(request.body().get());
      builder.method(request.method(), BodyPublishers.ofByteArray(body));
    } else {
      builder.method(request.method(), BodyPublishers.noBody());
    }
    try {
      return read(http.send(builder.build(), BodyHandlers.ofByteArray()));
    } catch (IOException e) {
      return lost(e);
    } catch (InterruptedException e) {
      throw interrupted(request, e);
    }
  }

  private Try lost(IOException e) {
    return new Try.Problematic(secrecy.problem(e).orElseGet(() -> lostInClear(e)), Optional.of(e));
  }

  private Problem lostInClear(IOException e) {
    boolean unsent =
        e instanceof ConnectException
            || e instanceof HttpConnectTimeoutException
            || e instanceof SSLHandshakeException
            || e.getCause() instanceof UnresolvedAddressException;
    return unsent
        ? Problem.of(NOT_REACHED, "%s cannot be reached%s".formatted(server, why(e)))
        : Problem.of(
            NO_ANSWER, "%s gave no answer%s It may have been done.".formatted(server, why(e)));
  }

  static String why(IOException e) {
    if (e.getCause() instanceof UnresolvedAddressException) return ": there is no such host.";
    return e.getMessage() == null ? "." : ": " + e.getMessage() + ".";
  }

  private Try read(HttpResponse<byte[]> response) {
    secrecy.answered();
    int status = response.statusCode();
    Optional<JsonNode> document = json(response);
    if (status < FIRST_ERROR) {
      return document
          .<Try>map(Try.Said::new)
          .orElseThrow(
              () ->
                  new TenureException.NotTenure(
                      "%s answered with status %d and no JSON object: is this the address of a Tenure server?"
                          .formatted(server, status)));
    }
    Optional<Duration> retryAfter = retryAfter(response);
    Problem problem =
        document
            .filter(node -> node.has("code"))
            .map(node -> Problem.of(status, node, retryAfter))
            .orElseGet(
                () ->
                    new Problem(
                        status,
                        "Status" + status,
                        server + " answered with status " + status + " and nothing more.",
                        wire.object(),
                        retryAfter));
    return new Try.Problematic(problem, Optional.empty());
  }

  private Optional<JsonNode> json(HttpResponse<byte[]> response) {
    try {
      JsonNode node = wire.json().readTree(response.body());
      return Optional.ofNullable(node).filter(JsonNode::isObject);
    } catch (IOException e) {
      // This is no answer of this API.
      return Optional.empty();
    }
  }

  /** In seconds, as Tenure says it; a date, which proxies may send, is left to the backoff. */
  private static Optional<Duration> retryAfter(HttpResponse<?> response) {
    return response
        .headers()
        .firstValue("Retry-After")
        .filter(value -> value.matches("[0-9]{1,6}"))
        .map(value -> Duration.ofSeconds(Long.parseLong(value)));
  }
}
