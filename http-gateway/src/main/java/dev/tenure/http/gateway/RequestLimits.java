package dev.tenure.http.gateway;

import dev.tenure.http.json.JsonReader;
import dev.tenure.http.workflow.AnswerLimits;
import dev.tenure.workflow.kernel.Limits;
import java.time.Duration;

/**
 * How large a request may be, and how long it may take to arrive.
 *
 * @param bodyBytes of one request; for all payloads to fit, it has to leave room for the largest
 * @param bodyTime between the first byte of a body and the last
 * @param headerBytes of the value of one header
 * @param uriBytes of the address, with its query
 * @param jsonDepth levels of objects and arrays within each other
 * @param connections that are open at once
 */
public record RequestLimits(
    long bodyBytes,
    Duration bodyTime,
    int headerCount,
    int headerBytes,
    int uriBytes,
    int jsonDepth,
    int connections,
    AnswerLimits answers) {
  public static final long BODY_BYTES_MIN = 1024;
  public static final long BODY_BYTES_MAX = 64L * 1024 * 1024;
  public static final Duration BODY_TIME_MIN = Duration.ofSeconds(1);

  /** Shorter than the time in which a request has to be answered. */
  public static final Duration BODY_TIME_MAX = Duration.ofSeconds(60);

  public static final int HEADER_COUNT_MIN = 16;
  public static final int HEADER_COUNT_MAX = 1_000;
  public static final int HEADER_BYTES_MIN = 1024;
  public static final int HEADER_BYTES_MAX = 64 * 1024;

  /** For every id to fit, however many of its bytes are escaped. */
  public static final int URI_BYTES_MIN = 4 * 1024;

  public static final int URI_BYTES_MAX = 64 * 1024;
  public static final int JSON_DEPTH_MIN = 8;
  public static final int JSON_DEPTH_MAX = JsonReader.DEPTH_MAX;
  public static final int CONNECTIONS_MAX = 100_000;

  public static final RequestLimits DEFAULT =
      new RequestLimits(
          // A payload of the largest size, and what is around it.
          Limits.PAYLOAD_BYTES_MAX + 256L * 1024,
          Duration.ofSeconds(10),
          64,
          8 * 1024,
          8 * 1024,
          JSON_DEPTH_MAX,
          4_096,
          AnswerLimits.DEFAULT);

  public RequestLimits {
    require("bodyBytes", bodyBytes, BODY_BYTES_MIN, BODY_BYTES_MAX);
    require("bodyTime", bodyTime.toMillis(), BODY_TIME_MIN.toMillis(), BODY_TIME_MAX.toMillis());
    require("headerCount", headerCount, HEADER_COUNT_MIN, HEADER_COUNT_MAX);
    require("headerBytes", headerBytes, HEADER_BYTES_MIN, HEADER_BYTES_MAX);
    require("uriBytes", uriBytes, URI_BYTES_MIN, URI_BYTES_MAX);
    require("jsonDepth", jsonDepth, JSON_DEPTH_MIN, JSON_DEPTH_MAX);
    require("connections", connections, 1, CONNECTIONS_MAX);
  }

  private static void require(String name, long value, long smallest, long largest) {
    if (value < smallest || value > largest) {
      throw new IllegalArgumentException(
          "%s of a request is %d: choose from %d to %d".formatted(name, value, smallest, largest));
    }
  }
}
