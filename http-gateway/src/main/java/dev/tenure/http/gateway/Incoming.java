package dev.tenure.http.gateway;

import dev.tenure.http.fault.ApiFault;
import dev.tenure.http.fault.ErrorCode;
import dev.tenure.http.rest.RestDoor;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpEntity;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.RequestEntity;
import org.apache.pekko.http.javadsl.model.headers.RawRequestURI;
import org.apache.pekko.http.scaladsl.model.EntityStreamSizeException;
import org.apache.pekko.util.ByteString;

/** A request as it came over the wire, before the HTTP library normalised it. */
record Incoming(HttpRequest request, String rawPath, String rawQuery) {
  /** Larger bodies are not even read to their end before they are refused. */
  private static final int DRAIN_FACTOR = 4;

  static Incoming of(HttpRequest request) {
    // As it was sent: Pekko's own reading turns escapes that are no UTF-8 into one and the same.
    String target =
        request
            .getHeader(RawRequestURI.class)
            .map(RawRequestURI::uri)
            .orElseThrow(() -> new IllegalStateException("the server hides the raw address"));
    int path = target.startsWith("/") ? 0 : pathOf(target);
    String local = target.substring(path);
    int query = local.indexOf('?');
    return query < 0
        ? new Incoming(request, local, "")
        : new Incoming(request, local.substring(0, query), local.substring(query + 1));
  }

  /** Where the path begins in an address with a host, as proxies may send it. */
  private static int pathOf(String target) {
    int host = target.indexOf("://");
    int path = host < 0 ? -1 : target.indexOf('/', host + 3);
    if (path < 0) throw ApiFault.of(ErrorCode.NO_SUCH_ROUTE, "Name a path.");
    return path;
  }

  String method() {
    return request.method().name();
  }

  /**
   * All values of a header.
   *
   * @param name in lower case
   */
  List<String> header(String name) {
    List<String> values = List.of();
    for (HttpHeader header : request.getHeaders()) {
      if (!header.is(name)) continue;
      if (values.isEmpty()) values = new ArrayList<>(1);
      values.add(header.value());
    }
    return values;
  }

  Optional<String> only(String name) {
    List<String> values = header(name);
    return values.size() == 1 ? Optional.of(values.getFirst()) : Optional.empty();
  }

  /** Reads the body, within its limits of size and time. */
  CompletionStage<RestDoor.Request> read(ActorSystem<?> system, RequestLimits limits) {
    long bytesMax = limits.bodyBytes();
    RequestEntity entity = request.entity();
    if (!header("content-encoding").isEmpty()) {
      entity.discardBytes(system);
      return failed(ErrorCode.UNSUPPORTED_MEDIA_TYPE, "Send the body as it is, not compressed.");
    }
    boolean untyped = entity.getContentType().equals(ContentTypes.NO_CONTENT_TYPE);
    if (entity.isKnownEmpty() && untyped) {
      return CompletableFuture.completedStage(new Read(this, Optional.empty(), limits.jsonDepth()));
    }
    if (!entity.isKnownEmpty() && !isJson(entity)) {
      entity.discardBytes(system);
      return failed(
          ErrorCode.UNSUPPORTED_MEDIA_TYPE, "Send the header Content-Type: application/json.");
    }
    long length = entity.getContentLengthOption().orElse(0);
    if (length > bytesMax) return refuse(system, length, limits);
    // The body came together with the headers, as most do: nothing is left to wait for.
    if (entity instanceof HttpEntity.Strict whole) {
      return CompletableFuture.completedStage(read(whole.getData(), untyped, limits));
    }
    return entity
        .withSizeLimit(bytesMax)
        .toStrict(limits.bodyTime().toMillis(), system)
        .handle(
            (strict, failure) -> {
              if (failure != null) throw new CompletionException(unread(failure, limits));
              return read(strict.getData(), untyped, limits);
            });
  }

  private Read read(ByteString data, boolean untyped, RequestLimits limits) {
    byte[] bytes = data.toArrayUnsafe();
    boolean none = bytes.length == 0 && untyped;
    return new Read(this, none ? Optional.empty() : Optional.of(bytes), limits.jsonDepth());
  }

  /**
   * Read to its end when it is not too long: some clients hear nothing before they have sent all.
   */
  private CompletionStage<RestDoor.Request> refuse(
      ActorSystem<?> system, long length, RequestLimits limits) {
    ApiFault fault = tooLarge(limits.bodyBytes());
    if (length > DRAIN_FACTOR * limits.bodyBytes()) return CompletableFuture.failedStage(fault);
    return request
        .entity()
        .withoutSizeLimit()
        .discardBytes(system)
        .completionStage()
        .toCompletableFuture()
        .orTimeout(limits.bodyTime().toMillis(), java.util.concurrent.TimeUnit.MILLISECONDS)
        .handle(
            (done, failure) -> {
              throw fault;
            });
  }

  private static boolean isJson(RequestEntity entity) {
    if (entity.getContentType().equals(ContentTypes.APPLICATION_JSON)) return true;
    String type = entity.getContentType().toString().toLowerCase(Locale.ROOT).replace(" ", "");
    return type.equals("application/json") || type.equals("application/json;charset=utf-8");
  }

  private static Throwable unread(Throwable failure, RequestLimits limits) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof EntityStreamSizeException) return tooLarge(limits.bodyBytes());
    if (cause instanceof TimeoutException) {
      return ApiFault.of(
          ErrorCode.REQUEST_TIMEOUT,
          "The body took longer than " + limits.bodyTime().toSeconds() + " seconds.");
    }
    return ApiFault.of(ErrorCode.INVALID_REQUEST, "The body did not arrive as announced.");
  }

  private static ApiFault tooLarge(long bytesMax) {
    return ApiFault.of(
            ErrorCode.PAYLOAD_TOO_LARGE,
            "The body has more than BODY_BYTES_MAX = %d bytes.".formatted(bytesMax))
        .with("limit", "BODY_BYTES_MAX");
  }

  private static <T> CompletionStage<T> failed(ErrorCode code, String why) {
    return CompletableFuture.failedStage(ApiFault.of(code, why));
  }

  private record Read(Incoming incoming, Optional<byte[]> body, int jsonDepth)
      implements RestDoor.Request {
    @Override
    public List<String> header(String name) {
      return incoming.header(name);
    }

    @Override
    public String rawQuery() {
      return incoming.rawQuery;
    }
  }
}
