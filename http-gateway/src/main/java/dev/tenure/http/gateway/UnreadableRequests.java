package dev.tenure.http.gateway;

import dev.tenure.http.fault.ApiFault;
import dev.tenure.http.fault.ErrorCode;
import org.apache.pekko.event.LoggingAdapter;
import org.apache.pekko.http.ParsingErrorHandler;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.scaladsl.model.ErrorInfo;
import org.apache.pekko.http.scaladsl.model.StatusCode;
import org.apache.pekko.http.scaladsl.settings.ServerSettings;

/**
 * Answers a malformed HTTP request with an error of the API, and does not log it: any client can
 * send such requests as often as it likes. Pekko finds this class by its name, as a Scala object.
 */
public final class UnreadableRequests extends ParsingErrorHandler {
  /** What Scala calls the one instance of an object. */
  public static final UnreadableRequests MODULE$ = new UnreadableRequests();

  private UnreadableRequests() {}

  @Override
  public HttpResponse handle(
      StatusCode status, ErrorInfo info, LoggingAdapter log, ServerSettings settings) {
    return Responses.problem(
        switch (status.intValue()) {
          case 413 -> ApiFault.of(ErrorCode.PAYLOAD_TOO_LARGE, "The body is too large.");
          case 414 ->
              ApiFault.of(
                      ErrorCode.URI_TOO_LONG,
                      "More than URI_BYTES_MAX = %d bytes."
                          .formatted(settings.parserSettings().maxUriLength()))
                  .with("limit", "URI_BYTES_MAX");
          case 431 -> headers(settings);
          case 501 -> ApiFault.of(ErrorCode.NOT_IMPLEMENTED, "The method is not known.");
          default ->
              isTooManyHeaders(info)
                  ? headers(settings)
                  : ApiFault.of(
                      ErrorCode.INVALID_REQUEST, "This is not a well-formed HTTP request.");
        });
  }

  /** Pekko has a status for one that is too long, and none for too many. */
  private static boolean isTooManyHeaders(ErrorInfo info) {
    return info.summary().contains("more than the configured limit of")
        && info.summary().endsWith("headers");
  }

  private static ApiFault headers(ServerSettings settings) {
    return ApiFault.of(
            ErrorCode.HEADERS_TOO_LARGE,
            "More than HEADER_COUNT_MAX = %d headers, or one of more than HEADER_BYTES_MAX = %d bytes."
                .formatted(
                    settings.parserSettings().maxHeaderCount(),
                    settings.parserSettings().maxHeaderValueLength()))
        .with("limit", "HEADER_COUNT_MAX");
  }
}
