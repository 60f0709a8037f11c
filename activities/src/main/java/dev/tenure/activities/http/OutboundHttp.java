package dev.tenure.activities.http;

import dev.tenure.activities.outbound.OutboundRefusedException;
import dev.tenure.activities.outbound.Target;
import dev.tenure.workflow.LimitExceededException;
import dev.tenure.workflow.NoEffectException;
import dev.tenure.workflow.WorkflowFailure;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * Sends requests, to where its policy permits only. One is enough for all activities and verifiers
 * with the same settings. Its client ends with {@link #close}, or when nobody refers to it any
 * more.
 */
public final class OutboundHttp implements AutoCloseable {
  /** How much of the body is read when the status says that it failed. */
  static final int ERROR_BYTES_MAX = 8 << 10;

  /** The listener that the request of this thread goes through. */
  private static final ScopedValue<InetSocketAddress> THROUGH = ScopedValue.newInstance();

  private final HttpSettings settings;
  private final HttpClient client;

  public OutboundHttp(HttpSettings settings) {
    this.settings = settings;
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .proxy(new Listeners())
            .executor(Executors.newVirtualThreadPerTaskExecutor())
            // Each call has a connection of its own, so there is nothing to gain from another one.
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER);
    settings.tls().ifPresent(builder::sslContext);
    this.client = builder.build();
  }

  HttpSettings settings() {
    return settings;
  }

  /** One request, as it is sent. */
  record Outgoing(
      String method, Target target, Map<String, String> headers, Optional<String> body) {
    Outgoing {
      HeaderRules.require(headers);
    }

    @Override
    public String toString() {
      return method + " " + target;
    }
  }

  private static final class Listeners extends ProxySelector {
    @Override
    public List<Proxy> select(URI uri) {
      // Throws when there is none: nothing is ever sent to an address that was not checked.
      return List.of(new Proxy(Proxy.Type.HTTP, THROUGH.get()));
    }

    @Override
    public void connectFailed(URI uri, SocketAddress address, IOException failure) {
      // The call itself fails with it.
    }
  }

  TimeLeft timeLeft(Optional<Instant> deadline) {
    return TimeLeft.of(settings.callMax(), deadline, settings.clock());
  }

  /**
   * What came back, whatever its status, after the redirects that the settings allow.
   *
   * @throws OutboundRefusedException when the target must not be connected to
   * @throws NoEffectException when nothing was sent
   * @throws LimitExceededException when the answer is too large
   * @throws WorkflowFailure when the request was sent and no whole answer came back
   */
  Reply send(Outgoing request, TimeLeft time) throws InterruptedException {
    Outgoing next = request;
    for (int followed = 0; ; followed++) {
      Reply reply = once(next, time);
      Optional<Outgoing> redirected =
          followed < settings.redirectsMax() ? Redirects.next(next, reply) : Optional.empty();
      if (redirected.isEmpty()) return reply;
      next = redirected.get();
    }
  }

  private Reply once(Outgoing request, TimeLeft time) throws InterruptedException {
    if (time.isOver()) throw new NoEffectException("%s: no time is left.".formatted(request));
    List<InetAddress> checked = checked(request.target(), time);
    try (CheckedConnection connection =
        CheckedConnection.open(request.target(), checked, settings.connectMax(), time)) {
      return exchange(request, connection, time);
    }
  }

  private List<InetAddress> checked(Target target, TimeLeft time) throws InterruptedException {
    FutureTask<List<InetAddress>> lookup =
        new FutureTask<>(() -> settings.policy().permitted(target, settings.resolver()));
    // A look-up cannot be interrupted. On a thread of its own it holds up nobody else.
    Thread.ofPlatform().daemon().name("tenure-http-lookup").start(lookup);
    try {
      return lookup.get(time.nanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new NoEffectException("%s was not found in time.".formatted(target.host()), e);
    } catch (ExecutionException e) {
      throw switch (e.getCause()) {
        case OutboundRefusedException refused -> refused;
        case UnknownHostException unknown ->
            new NoEffectException("There is no host %s.".formatted(target.host()), unknown);
        case Throwable other ->
            new NoEffectException(
                "%s could not be looked up: %s.".formatted(target.host(), other), other);
      };
    }
  }

  private Reply exchange(Outgoing request, CheckedConnection connection, TimeLeft time)
      throws InterruptedException {
    CompletableFuture<HttpResponse<byte[]>> answer =
        ScopedValue.where(THROUGH, connection.proxy())
            .call(() -> client.sendAsync(built(request, connection), this::body));
    try {
      HttpResponse<byte[]> response = answer.get(time.nanos(), TimeUnit.NANOSECONDS);
      return new Reply(
          request.method(),
          request.target(),
          response.statusCode(),
          response.headers(),
          response.body());
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw lost(request, connection, "there was no answer in time", e);
    } catch (InterruptedException e) {
      answer.cancel(true);
      throw e;
    } catch (ExecutionException e) {
      throw failure(request, connection, e.getCause());
    }
  }

  private HttpResponse.BodySubscriber<byte[]> body(HttpResponse.ResponseInfo info) {
    return info.statusCode() / 100 == 2
        ? new BoundedBody(settings.answerBytesMax(), BoundedBody.Beyond.FAIL)
        : new BoundedBody(ERROR_BYTES_MAX, BoundedBody.Beyond.CUT);
  }

  private HttpRequest built(Outgoing request, CheckedConnection connection) {
    BodyPublisher body =
        request
            .body()
            .map(text -> BodyPublishers.ofByteArray(text.getBytes(StandardCharsets.UTF_8)))
            .orElseGet(BodyPublishers::noBody);
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(request.target().uri()).method(request.method(), body);
    request.headers().forEach(builder::setHeader);
    for (HttpSettings.OriginHeader header : settings.originHeaders())
      if (header.origin().equals(request.target().origin()))
        builder.setHeader(header.name(), value(header));
    return builder.setHeader(CheckedConnection.SECRET_HEADER, connection.secret()).build();
  }

  private static String value(HttpSettings.OriginHeader header) {
    String value;
    try {
      value = header.value().get();
    } catch (RuntimeException e) {
      throw new NoEffectException(
          "There is no value for the header %s: %s.".formatted(header.name(), e), e);
    }
    return HeaderRules.requireValue(header.name(), value);
  }

  // --- what went wrong

  private RuntimeException failure(
      Outgoing request, CheckedConnection connection, Throwable thrown) {
    for (Throwable at = thrown; at != null; at = at.getCause())
      switch (at) {
        case BoundedBody.TooLongException tooLong -> {
          return new LimitExceededException(
              "answerBytesMax",
              tooLong.bytes,
              settings.answerBytesMax(),
              "%s answered more than is taken; it may have had its effect.".formatted(request));
        }
        // Its certificate is not the right one, or both sides speak no common TLS.
        case SSLHandshakeException untrusted -> {
          return unsent(request, untrusted);
        }
        case SSLPeerUnverifiedException untrusted -> {
          return unsent(request, untrusted);
        }
        default -> {}
      }
    // The client tries once more by itself when a connection ends early, and is refused.
    String why = thrown instanceof ConnectException ? "the connection ended early" : text(thrown);
    return lost(request, connection, why, thrown);
  }

  private static NoEffectException unsent(Outgoing request, Throwable cause) {
    return new NoEffectException("%s: no TLS: %s.".formatted(request, text(cause)), cause);
  }

  private static String text(Throwable thrown) {
    String message = thrown.getMessage();
    return message == null || message.isBlank()
        ? thrown.getClass().getSimpleName()
        : message.replaceAll("[\\p{Cc}\\p{Cf}]+", " ");
  }

  private static RuntimeException lost(
      Outgoing request, CheckedConnection connection, String why, Throwable cause) {
    return connection.isRequestOut()
        ? WorkflowFailure.retryable(
            "http.no-answer", "%s: %s. It may have been done.".formatted(request, why))
        : new NoEffectException("%s: %s.".formatted(request, why), cause);
  }

  @Override
  public void close() {
    client.shutdownNow();
  }

  static boolean isMethod(String method) {
    return method != null
        && method.matches("[A-Z]{1,16}")
        && !method.equals("CONNECT")
        && !method.equals("TRACE");
  }
}
