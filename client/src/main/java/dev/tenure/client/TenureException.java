package dev.tenure.client;

import java.time.Duration;
import java.util.Optional;

/**
 * A call that was not carried out, or whose outcome is not known. There is a class for each case
 * that callers treat differently; {@link #code} tells all cases apart, and never changes.
 */
public abstract sealed class TenureException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;
  private boolean unanswered;

  private TenureException(Problem problem) {
    super(problem.code() + ": " + problem.detail() + problem.errors());
    this.problem = problem;
  }

  /** The word for machines: {@code WorkflowNotFound}. */
  public String code() {
    return problem.code();
  }

  /** All that the server said. */
  public Problem problem() {
    return problem;
  }

  /** When to come again, if the server said so. */
  public Optional<Duration> retryAfter() {
    return problem.retryAfter();
  }

  /**
   * Whether an earlier try of this very call went unanswered. Then the call may have been carried
   * out, although the later try failed with this exception.
   */
  public boolean mayHaveBeenDone() {
    return unanswered;
  }

  TenureException afterUnanswered(boolean earlier) {
    unanswered |= earlier;
    return this;
  }

  /** Something is wrong with the request: sent again, it will be refused again. */
  public static final class InvalidRequest extends TenureException {
    private static final long serialVersionUID = 1L;

    InvalidRequest(Problem problem) {
      super(problem);
    }
  }

  /** No credential, one that is not valid, or one that does not allow this. */
  public static final class NotAllowed extends TenureException {
    private static final long serialVersionUID = 1L;

    NotAllowed(Problem problem) {
      super(problem);
    }
  }

  /** There is no such workflow, query or path. */
  public static final class NotFound extends TenureException {
    private static final long serialVersionUID = 1L;

    NotFound(Problem problem) {
      super(problem);
    }
  }

  /** The id is taken, by another start than this. */
  public static final class AlreadyStarted extends TenureException {
    private static final long serialVersionUID = 1L;

    AlreadyStarted(Problem problem) {
      super(problem);
    }

    public String workflowId() {
      return problem().text("workflowId");
    }

    public String runId() {
      return problem().text("runId");
    }

    public WorkflowStatus status() {
      return WorkflowStatus.of(problem().text("workflowStatus"));
    }
  }

  /** The workflow has ended. */
  public static final class Closed extends TenureException {
    private static final long serialVersionUID = 1L;

    Closed(Problem problem) {
      super(problem);
    }

    /** How it ended; {@link WorkflowStatus#UNKNOWN} where the server did not say. */
    public WorkflowStatus status() {
      return WorkflowStatus.of(problem().text("workflowStatus"));
    }
  }

  /** The workflow is there, and cannot do this as it stands. */
  public static final class NotNow extends TenureException {
    private static final long serialVersionUID = 1L;

    NotNow(Problem problem) {
      super(problem);
    }
  }

  /** The key was used for another request. */
  public static final class KeyReused extends TenureException {
    private static final long serialVersionUID = 1L;

    KeyReused(Problem problem) {
      super(problem);
    }
  }

  /**
   * A signal of this id is stored and the record of its acceptance is not. Sending it again changes
   * nothing until an operator has looked: this is never retried.
   */
  public static final class SignalAcceptanceIndeterminate extends TenureException {
    private static final long serialVersionUID = 1L;

    SignalAcceptanceIndeterminate(Problem problem) {
      super(problem);
    }

    public String workflowId() {
      return problem().text("workflowId");
    }

    public String signalName() {
      return problem().text("signalName");
    }

    public String signalId() {
      return problem().text("signalId");
    }

    /** By which the operator finds it in the log. */
    public String correlationId() {
      return problem().text("correlationId");
    }
  }

  /** A limit stands in the way; which one, {@link #limit} says. */
  public static final class OverLimit extends TenureException {
    private static final long serialVersionUID = 1L;

    OverLimit(Problem problem) {
      super(problem);
    }

    public String limit() {
      return problem().text("limit");
    }
  }

  /** The workflow's code failed to answer a query, or refused an update. */
  public static final class CodeRefused extends TenureException {
    private static final long serialVersionUID = 1L;

    CodeRefused(Problem problem) {
      super(problem);
    }

    /** What the code said, of an update. */
    public Optional<Failure> failure() {
      return new Answer(problem().document()).failure("failure");
    }
  }

  /** It did not end in the time given. */
  public static final class StillRunning extends TenureException {
    private static final long serialVersionUID = 1L;

    StillRunning(Problem problem) {
      super(problem);
    }
  }

  /** Nothing was done, and another time it may be: the server is too busy, or not there. */
  public static final class Unavailable extends TenureException {
    private static final long serialVersionUID = 1L;

    Unavailable(Problem problem) {
      super(problem);
    }
  }

  /**
   * The certificate is not one to trust, or one side speaks TLS and the other does not. Nothing was
   * sent; trying again does not make it better.
   */
  public static final class NoSecureConnection extends TenureException {
    private static final long serialVersionUID = 1L;

    NoSecureConnection(Problem problem) {
      super(problem);
    }
  }

  /**
   * It is not known whether it was done. A call that went under a key can be made again with the
   * same one; of any other, look how the workflow stands.
   */
  public static final class OutcomeUnknown extends TenureException {
    private static final long serialVersionUID = 1L;

    private Optional<String> key = Optional.empty();

    OutcomeUnknown(Problem problem) {
      super(problem);
      afterUnanswered(true);
    }

    OutcomeUnknown under(Optional<String> sent) {
      key = sent;
      return this;
    }

    /**
     * What the call was sent under: the idempotency key of a start, the signalId, the updateId. One
     * that this client made up serves as well as one that it was given.
     */
    public Optional<String> key() {
      return key;
    }
  }

  /** Something went wrong inside the server, or it does not offer this. */
  public static final class ServerFailure extends TenureException {
    private static final long serialVersionUID = 1L;

    ServerFailure(Problem problem) {
      super(problem);
    }

    /** By which the operator finds it in the log; empty when there is none. */
    public String correlationId() {
      return problem().text("correlationId");
    }
  }

  /** The address answers, and is no Tenure server. */
  public static final class NotTenure extends TenureException {
    private static final long serialVersionUID = 1L;

    NotTenure(String detail) {
      super(Problem.of("NotTenure", detail));
    }
  }
}
