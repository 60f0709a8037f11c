package dev.tenure.activities.http;

import dev.tenure.activities.outbound.OutboundPolicy;
import dev.tenure.activities.outbound.Resolver;
import dev.tenure.activities.outbound.Target;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/**
 * How calls are sent.
 *
 * @param policy what may be connected to
 * @param tls whose certificates are trusted, and the client's own; the JVM's when empty
 * @param connectMax for one address of the target
 * @param callMax for a whole call, from the look-up of the host to the last byte of the answer; the
 *     deadline of the attempt may be earlier
 * @param answerBytesMax the largest body of an answer
 * @param redirectsMax how many redirects of a GET or a HEAD are followed
 * @param kept names of the headers that an {@link HttpAnswer} has
 * @param originHeaders what is sent to one origin only
 * @param clock which the deadlines of attempts are compared with
 */
public record HttpSettings(
    OutboundPolicy policy,
    Resolver resolver,
    Optional<SSLContext> tls,
    Duration connectMax,
    Duration callMax,
    int answerBytesMax,
    int redirectsMax,
    Set<String> kept,
    List<OriginHeader> originHeaders,
    InstantSource clock) {
  public static final Duration CONNECT_MAX_DEFAULT = Duration.ofSeconds(5);
  public static final Duration CALL_MAX_DEFAULT = Duration.ofSeconds(30);
  public static final int ANSWER_BYTES_MAX_DEFAULT = 1 << 20;
  public static final int ANSWER_BYTES_MAX = 64 << 20;
  public static final int REDIRECTS_MAX = 10;
  public static final int KEPT_MAX = 32;

  private static final Duration SPAN_MAX = Duration.ofHours(12);

  /**
   * A header for one origin, given when a request is sent: a credential is recorded nowhere.
   *
   * @param origin scheme, host and port
   */
  public record OriginHeader(String origin, String name, Supplier<String> value) {
    public OriginHeader {
      origin = Target.of(origin).origin();
      HeaderRules.requireName(name);
    }
  }

  public HttpSettings {
    requireSpan("connect timeout", connectMax);
    requireSpan("call timeout", callMax);
    require("answerBytesMax", answerBytesMax, 1, ANSWER_BYTES_MAX);
    require("redirectsMax", redirectsMax, 0, REDIRECTS_MAX);
    kept = Set.copyOf(kept);
    require("number of kept headers", kept.size(), 0, KEPT_MAX);
    kept.forEach(HeaderRules::requireName);
    originHeaders = List.copyOf(originHeaders);
  }

  private static void requireSpan(String what, Duration span) {
    if (span.toMillis() < 1 || span.compareTo(SPAN_MAX) > 0)
      throw new IllegalArgumentException(
          "The %s is %s: use 1 ms to %s.".formatted(what, span, SPAN_MAX));
  }

  private static void require(String what, int value, int min, int max) {
    if (value < min || value > max)
      throw new IllegalArgumentException(
          "The %s is %d: use %d to %d.".formatted(what, value, min, max));
  }

  /** Calls of public addresses only, without redirects. */
  public static HttpSettings publicOnly() {
    return of(OutboundPolicy.publicOnly());
  }

  public static HttpSettings of(OutboundPolicy policy) {
    return new HttpSettings(
        policy,
        Resolver.system(),
        Optional.empty(),
        CONNECT_MAX_DEFAULT,
        CALL_MAX_DEFAULT,
        ANSWER_BYTES_MAX_DEFAULT,
        0,
        Set.of("Content-Type", "ETag", "Last-Modified", "Location"),
        List.of(),
        InstantSource.system());
  }

  public HttpSettings withResolver(Resolver other) {
    return new HttpSettings(
        policy,
        other,
        tls,
        connectMax,
        callMax,
        answerBytesMax,
        redirectsMax,
        kept,
        originHeaders,
        clock);
  }

  public HttpSettings withTls(SSLContext context) {
    return new HttpSettings(
        policy,
        resolver,
        Optional.of(context),
        connectMax,
        callMax,
        answerBytesMax,
        redirectsMax,
        kept,
        originHeaders,
        clock);
  }

  public HttpSettings withTimeouts(Duration connect, Duration call) {
    return new HttpSettings(
        policy,
        resolver,
        tls,
        connect,
        call,
        answerBytesMax,
        redirectsMax,
        kept,
        originHeaders,
        clock);
  }

  public HttpSettings withAnswerBytesMax(int max) {
    return new HttpSettings(
        policy, resolver, tls, connectMax, callMax, max, redirectsMax, kept, originHeaders, clock);
  }

  /**
   * Redirects of a GET and a HEAD are followed, so often. Each target is checked like the first
   * one, none leads from https to http, and another origin gets no header of the call. A redirect
   * of another method stays a failure: what it did before it redirected is unknown.
   */
  public HttpSettings followingRedirects(int max) {
    return new HttpSettings(
        policy,
        resolver,
        tls,
        connectMax,
        callMax,
        answerBytesMax,
        max,
        kept,
        originHeaders,
        clock);
  }

  /** These headers of an answer are kept, instead of the usual ones. */
  public HttpSettings keepingHeaders(String... names) {
    return new HttpSettings(
        policy,
        resolver,
        tls,
        connectMax,
        callMax,
        answerBytesMax,
        redirectsMax,
        Set.of(names),
        originHeaders,
        clock);
  }

  /**
   * A header for one origin, such as {@code https://api.example.org}. The value is asked for with
   * each request and recorded nowhere. No other host gets it, whatever URL a workflow comes with.
   */
  public HttpSettings withHeaderFor(String origin, String name, Supplier<String> value) {
    List<OriginHeader> all = new ArrayList<>(originHeaders);
    all.add(new OriginHeader(origin, name, value));
    return new HttpSettings(
        policy, resolver, tls, connectMax, callMax, answerBytesMax, redirectsMax, kept, all, clock);
  }

  public HttpSettings withClock(InstantSource other) {
    return new HttpSettings(
        policy,
        resolver,
        tls,
        connectMax,
        callMax,
        answerBytesMax,
        redirectsMax,
        kept,
        originHeaders,
        other);
  }
}
