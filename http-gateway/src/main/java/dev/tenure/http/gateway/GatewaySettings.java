package dev.tenure.http.gateway;

import dev.tenure.http.access.Access;
import dev.tenure.http.access.Audit;
import dev.tenure.http.access.Throttle;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * How a node can be reached.
 *
 * @param port 0 takes any free one
 * @param tls without it, everything can be read on the way
 * @param limits of one caller, and of all together
 * @param requests of one request, from any client
 */
public record GatewaySettings(
    String host,
    int port,
    Access access,
    Optional<SSLContext> tls,
    Throttle.Limits limits,
    Audit audit,
    RequestLimits requests) {
  /** From the request to its answer: a long poll, and some room. */
  public static final Duration ANSWER_TIME_MAX = Duration.ofSeconds(75);

  /** A connection on which nothing moves. */
  public static final Duration IDLE_TIME_MAX = Duration.ofSeconds(90);

  public static GatewaySettings of(String host, int port, Access access) {
    return new GatewaySettings(
        host,
        port,
        access,
        Optional.empty(),
        Throttle.Limits.DEFAULT,
        Audit.log(),
        RequestLimits.DEFAULT);
  }

  public GatewaySettings withTls(SSLContext context) {
    return new GatewaySettings(host, port, access, Optional.of(context), limits, audit, requests);
  }

  public GatewaySettings withLimits(Throttle.Limits other) {
    return new GatewaySettings(host, port, access, tls, other, audit, requests);
  }

  public GatewaySettings withAudit(Audit other) {
    return new GatewaySettings(host, port, access, tls, limits, other, requests);
  }

  public GatewaySettings withRequests(RequestLimits other) {
    return new GatewaySettings(host, port, access, tls, limits, audit, other);
  }
}
