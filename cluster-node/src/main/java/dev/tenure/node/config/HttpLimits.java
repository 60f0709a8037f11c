package dev.tenure.node.config;

import dev.tenure.http.access.Throttle;
import dev.tenure.http.gateway.RequestLimits;
import dev.tenure.http.workflow.AnswerLimits;
import java.time.Duration;

/**
 * What the HTTP API takes.
 *
 * @param callers of one credential, and of all together
 * @param requests of one request, from any client
 */
public record HttpLimits(Throttle.Limits callers, RequestLimits requests) {
  public static final int RATE_MAX = 1_000_000;
  public static final int OPEN_MAX = 100_000;

  static HttpLimits read(SettingReader reader) {
    String limits = "tenure.http.limits.";
    int rate = reader.integer(limits + "rate", 1, RATE_MAX);
    int burst = reader.integer(limits + "burst", 1, RATE_MAX);
    int perCredential = reader.integer(limits + "open-per-credential", 1, OPEN_MAX);
    int open = reader.integer(limits + "open", 1, OPEN_MAX);
    if (open < perCredential) {
      // One credential could never use what it is promised.
      reader.wrong(limits + "open", "at least tenure.http.limits.open-per-credential", open);
    }
    return new HttpLimits(
        new Throttle.Limits(rate, burst, perCredential, open), requests(reader, limits));
  }

  private static RequestLimits requests(SettingReader reader, String limits) {
    return new RequestLimits(
        reader.integer(
            limits + "body-bytes",
            (int) RequestLimits.BODY_BYTES_MIN,
            (int) RequestLimits.BODY_BYTES_MAX),
        reader.duration(
            limits + "body-time", RequestLimits.BODY_TIME_MIN, RequestLimits.BODY_TIME_MAX),
        reader.integer(
            limits + "header-count",
            RequestLimits.HEADER_COUNT_MIN,
            RequestLimits.HEADER_COUNT_MAX),
        reader.integer(
            limits + "header-bytes",
            RequestLimits.HEADER_BYTES_MIN,
            RequestLimits.HEADER_BYTES_MAX),
        reader.integer(
            limits + "uri-bytes", RequestLimits.URI_BYTES_MIN, RequestLimits.URI_BYTES_MAX),
        reader.integer(
            limits + "json-depth", RequestLimits.JSON_DEPTH_MIN, RequestLimits.JSON_DEPTH_MAX),
        reader.integer(limits + "connections", 1, RequestLimits.CONNECTIONS_MAX),
        new AnswerLimits(
            reader.integer(
                limits + "page-rows", AnswerLimits.PAGE_ROWS_MIN, AnswerLimits.PAGE_ROWS_MAX),
            reader.duration(limits + "wait", Duration.ZERO, AnswerLimits.WAIT_MAX)));
  }
}
