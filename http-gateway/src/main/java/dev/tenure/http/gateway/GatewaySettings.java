package dev.tenure.http.gateway;

import dev.tenure.http.access.Access;
import dev.tenure.http.access.Audit;
import dev.tenure.http.access.Throttle;
import dev.tenure.workflow.kernel.Limits;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * How a node can be reached.
 *
 * @param port 0 takes any free one
 * @param tls without it, everything can be read on the way
 * @param bodyBytesMax of one request; it has to leave room for a payload of the largest size
 */
public record GatewaySettings(
    String host,
    int port,
    Access access,
    Optional<SSLContext> tls,
    Throttle.Limits limits,
    Audit audit,
    long bodyBytesMax) {
  /** A payload of the largest size, and what is around it. */
  public static final long BODY_BYTES_MAX = Limits.PAYLOAD_BYTES_MAX + 256L * 1024;

  public static final int HEADER_COUNT_MAX = 64;
  public static final int HEADER_BYTES_MAX = 8 * 1024;
  public static final int URI_BYTES_MAX = 8 * 1024;
  public static final int CONNECTIONS_MAX = 4_096;

  /** Between the first byte of a body and the last. */
  public static final Duration BODY_TIME_MAX = Duration.ofSeconds(10);

  /** From the request to its answer: a long poll, and some room. */
  public static final Duration ANSWER_TIME_MAX = Duration.ofSeconds(75);

  /** A connection on which nothing moves. */
  public static final Duration IDLE_TIME_MAX = Duration.ofSeconds(90);

  public static GatewaySettings of(String host, int port, Access access) {
    return new GatewaySettings(
        host, port, access, Optional.empty(), Throttle.Limits.DEFAULT, Audit.log(), BODY_BYTES_MAX);
  }

  public GatewaySettings withTls(SSLContext context) {
    return new GatewaySettings(
        host, port, access, Optional.of(context), limits, audit, bodyBytesMax);
  }

  public GatewaySettings withLimits(Throttle.Limits other) {
    return new GatewaySettings(host, port, access, tls, other, audit, bodyBytesMax);
  }

  public GatewaySettings withAudit(Audit other) {
    return new GatewaySettings(host, port, access, tls, limits, other, bodyBytesMax);
  }
}
