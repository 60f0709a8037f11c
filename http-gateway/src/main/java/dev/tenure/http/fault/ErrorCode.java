package dev.tenure.http.fault;

import java.util.Locale;

/**
 * Everything that can go wrong, once for all transports: what it is called, its status in HTTP and
 * its code in JSON-RPC. The names and numbers are part of the API and never change.
 */
public enum ErrorCode {
  INVALID_JSON(400, -32700, "The body is not JSON that can be used"),
  INVALID_REQUEST(400, -32602, "The request cannot be understood as it stands"),
  INVALID_CALL(400, -32600, "This is not a JSON-RPC 2.0 call"),
  TASK_TOKEN_INVALID(400, -32602, "The token is not one that this API gave"),
  INVALID_CURSOR(400, -32602, "The cursor is not one that this API gave"),
  UNAUTHORIZED(401, -32010, "A credential is needed"),
  FORBIDDEN(403, -32011, "The credential does not allow this"),
  QUEUE_FORBIDDEN(403, -32011, "The credential does not allow this queue"),
  NO_SUCH_ROUTE(404, -32601, "There is nothing at this path"),
  WORKFLOW_NOT_FOUND(404, -32020, "There is no workflow of this id"),
  QUERY_NOT_FOUND(404, -32020, "The workflow answers no such query"),
  OPERATION_NOT_FOUND(404, -32020, "The workflow never asked for this operation"),
  INCIDENT_NOT_FOUND(404, -32020, "The workflow has no incident"),
  BULK_NOT_FOUND(404, -32020, "There is no such bulk operation"),
  TASK_NOT_FOUND(404, -32020, "The operation has no task"),
  TASK_GONE(404, -32020, "The task is over"),
  METHOD_NOT_ALLOWED(405, -32601, "The path is there, the method is not"),
  RESULT_TIMEOUT(408, -32023, "The workflow did not end in the time given"),
  REQUEST_TIMEOUT(408, -32023, "The request did not arrive in time"),
  WORKFLOW_ALREADY_EXISTS(409, -32021, "The id is taken by another start"),
  WORKFLOW_CLOSED(409, -32021, "The workflow has ended"),
  WORKFLOW_NOT_IN_STATE(409, -32021, "The workflow cannot do this now"),
  ACTIVITY_ON_RECORD(409, -32021, "The result of the activity is on record"),
  IDEMPOTENCY_KEY_REUSED(409, -32021, "The key was used for another request"),
  TASK_CLAIM_EXPIRED(409, -32021, "The worker does not have the task any more"),
  TASK_ENDED(409, -32021, "The task came out with another outcome"),
  SIGNAL_ACCEPTANCE_INDETERMINATE(
      409, -32021, "Whether the signal was accepted cannot be told; an operator has to look"),
  PAYLOAD_TOO_LARGE(413, -32024, "The request is larger than allowed"),
  URI_TOO_LONG(414, -32024, "The address is longer than allowed"),
  UNSUPPORTED_MEDIA_TYPE(415, -32602, "The body has to be application/json, not compressed"),
  LIMIT_EXCEEDED(422, -32022, "A limit stands in the way"),
  QUERY_FAILED(422, -32022, "The workflow's code failed to answer the query"),
  UPDATE_FAILED(422, -32022, "The workflow's code refused the update"),
  CONFIRMATION_STALE(422, -32022, "The confirmation does not fit any more"),
  RATE_LIMITED(429, -32026, "Too many requests with this credential"),
  INBOX_FULL(429, -32026, "Too many signals wait for this workflow"),
  HEADERS_TOO_LARGE(431, -32024, "The headers are larger than allowed"),
  ENGINE_FAILURE(500, -32099, "Something went wrong inside"),
  NOT_IMPLEMENTED(501, -32025, "This is not offered here"),
  OVERLOADED(503, -32026, "The node has as much to do as it can take"),
  WORKFLOW_UNREACHABLE(503, -32023, "The workflow's owner did not answer in time"),
  SIGNAL_OUTCOME_UNKNOWN(503, -32023, "It is not known in time whether the signal was accepted"),
  STORAGE_UNAVAILABLE(503, -32023, "The database does not answer"),
  STORAGE_OUTCOME_UNKNOWN(503, -32023, "The database did not say whether it was done");

  private final int status;
  private final int rpcCode;
  private final String title;
  private final String code;

  ErrorCode(int status, int rpcCode, String title) {
    this.status = status;
    this.rpcCode = rpcCode;
    this.title = title;
    StringBuilder camel = new StringBuilder();
    for (String word : name().split("_")) {
      camel.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    this.code = camel.toString();
  }

  public int status() {
    return status;
  }

  public int rpcCode() {
    return rpcCode;
  }

  public String title() {
    return title;
  }

  /** The word for machines: {@code WorkflowNotFound}. */
  public String code() {
    return code;
  }

  /** The identity of this kind of problem; it is a name, nothing has to be there. */
  public String type() {
    return "urn:tenure:error:" + name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
