package dev.tenure.client;

import java.util.Optional;

/**
 * Translates errors of the API into exceptions of this client, and says which calls may be tried
 * again.
 */
final class Problems {
  /** What a problem says about the request. */
  enum Done {
    /** An answer: trying again would change nothing. */
    ANSWERED,
    /** Nothing was done, now: anything may be tried again. */
    NOTHING,
    /** It may have been done: only a request that the server recognises may be tried again. */
    UNKNOWN
  }

  private static final int GONE_WRONG = 500;
  private static final int BAD_GATEWAY = 502;
  private static final int UNAVAILABLE = 503;
  private static final int GATEWAY_TIMEOUT = 504;

  private Problems() {}

  static Done done(Problem problem) {
    return switch (problem.code()) {
      case "Overloaded",
          "RateLimited",
          "InboxFull",
          "StorageUnavailable",
          "RequestTimeout",
          Transport.NOT_REACHED ->
          Done.NOTHING;
      case "WorkflowUnreachable",
          "SignalOutcomeUnknown",
          "StorageOutcomeUnknown",
          Transport.NO_ANSWER ->
          Done.UNKNOWN;
      default -> {
        // From a proxy in between, which may have passed the request on or not.
        int status = problem.status();
        boolean inBetween =
            status == BAD_GATEWAY || status == UNAVAILABLE || status == GATEWAY_TIMEOUT;
        yield inBetween ? Done.UNKNOWN : Done.ANSWERED;
      }
    };
  }

  static TenureException exception(Problem problem) {
    return known(problem).orElseGet(() -> byStatus(problem));
  }

  /** Whether this client knows the code, so that it need not use the status. */
  static boolean isKnown(Problem problem) {
    return known(problem).isPresent();
  }

  private static Optional<TenureException> known(Problem problem) {
    return Optional.ofNullable(
        switch (problem.code()) {
          case "InvalidJson",
              "InvalidRequest",
              "InvalidCall",
              "InvalidCursor",
              "MethodNotAllowed",
              "UriTooLong",
              "UnsupportedMediaType",
              "HeadersTooLarge",
              "ConfirmationStale",
              "TaskTokenInvalid" ->
              new TenureException.InvalidRequest(problem);
          case "Unauthorized", "Forbidden", "QueueForbidden" ->
              new TenureException.NotAllowed(problem);
          case "NoSuchRoute",
              "WorkflowNotFound",
              "QueryNotFound",
              "OperationNotFound",
              "IncidentNotFound",
              "BulkNotFound",
              "TaskNotFound",
              "TaskGone" ->
              new TenureException.NotFound(problem);
          case "ResultTimeout" -> new TenureException.StillRunning(problem);
          case "WorkflowAlreadyExists" -> new TenureException.AlreadyStarted(problem);
          case "WorkflowClosed" -> new TenureException.Closed(problem);
          case "WorkflowNotInState", "ActivityOnRecord", "TaskClaimExpired", "TaskEnded" ->
              new TenureException.NotNow(problem);
          case "IdempotencyKeyReused" -> new TenureException.KeyReused(problem);
          case "SignalAcceptanceIndeterminate" ->
              new TenureException.SignalAcceptanceIndeterminate(problem);
          case "PayloadTooLarge", "LimitExceeded" -> new TenureException.OverLimit(problem);
          case "QueryFailed", "UpdateFailed" -> new TenureException.CodeRefused(problem);
          case Transport.TLS_FAILED, Transport.TLS_WANTED, Transport.NO_TLS ->
              new TenureException.NoSecureConnection(problem);
          case "EngineFailure", "NotImplemented" -> new TenureException.ServerFailure(problem);
          default ->
              switch (done(problem)) {
                case NOTHING -> new TenureException.Unavailable(problem);
                case UNKNOWN -> new TenureException.OutcomeUnknown(problem);
                case ANSWERED -> null;
              };
        });
  }

  /** A code that this client does not know yet still means what its status means. */
  private static TenureException byStatus(Problem problem) {
    return switch (problem.status()) {
      case 401, 403 -> new TenureException.NotAllowed(problem);
      case 404 -> new TenureException.NotFound(problem);
      case 409 -> new TenureException.NotNow(problem);
      case 413, 422 -> new TenureException.OverLimit(problem);
      case 429 -> new TenureException.Unavailable(problem);
      default ->
          problem.status() >= GONE_WRONG
              ? new TenureException.ServerFailure(problem)
              : new TenureException.InvalidRequest(problem);
    };
  }
}
