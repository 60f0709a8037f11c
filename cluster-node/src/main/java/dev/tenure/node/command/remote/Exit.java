package dev.tenure.node.command.remote;

import dev.tenure.client.TenureException;

/** How a command that calls a server ends; the numbers are part of its interface. */
public enum Exit {
  DONE(0, "It was done."),
  FAILED(1, "Something went wrong that is not listed here; the message says what."),
  USAGE(2, "The command, its profile or an input is wrong. Nothing was done."),
  NOT_FOUND(3, "There is no such workflow, query, operation, incident or path."),
  CONFLICT(
      4,
      "The workflow cannot do this as it stands: the id is taken, it has ended, a key was used"
          + " before, a limit stands in the way."),
  NO_SUCCESS(
      5,
      "The workflow failed, was cancelled or terminated, or timed out; or its code refused an"
          + " update or a query."),
  NOT_ALLOWED(6, "No credential, one that is not valid, or one that does not allow this."),
  UNAVAILABLE(
      7, "Nothing was done, and another time it may be: the server is not there, or too busy."),
  UNKNOWN(
      8,
      "It is not known whether it was done. The message says how to ask again so that it is done"
          + " once."),
  NOT_YET(9, "The workflow has not ended in the time given.");

  private final int code;
  private final String meaning;

  Exit(int code, String meaning) {
    this.code = code;
    this.meaning = meaning;
  }

  public int code() {
    return code;
  }

  public String meaning() {
    return meaning;
  }

  static Exit of(TenureException failure) {
    return switch (failure) {
      case TenureException.InvalidRequest e -> USAGE;
      case TenureException.NotAllowed e -> NOT_ALLOWED;
      case TenureException.NotFound e -> NOT_FOUND;
      case TenureException.AlreadyStarted e -> CONFLICT;
      case TenureException.Closed e -> CONFLICT;
      case TenureException.NotNow e -> CONFLICT;
      case TenureException.KeyReused e -> CONFLICT;
      case TenureException.SignalAcceptanceIndeterminate e -> UNKNOWN;
      case TenureException.OverLimit e -> CONFLICT;
      case TenureException.CodeRefused e -> NO_SUCCESS;
      case TenureException.StillRunning e -> NOT_YET;
      case TenureException.Unavailable e -> UNAVAILABLE;
      case TenureException.NoSecureConnection e -> USAGE;
      case TenureException.OutcomeUnknown e -> UNKNOWN;
      case TenureException.ServerFailure e -> FAILED;
      case TenureException.NotTenure e -> USAGE;
    };
  }
}
