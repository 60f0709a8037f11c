package dev.tenure.sharding.workflow;

import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;

/** Why a request to a workflow was not carried out. Nothing was changed, unless it says so. */
public abstract sealed class WorkflowError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private WorkflowError(String message) {
    // Without a stack trace: these are expected, and thrown in masses when a node is away.
    super(message, null, false, false);
  }

  /** There is no workflow of that id. */
  public static final class NotFound extends WorkflowError {
    private static final long serialVersionUID = 1L;

    NotFound(WorkflowId id) {
      super("There is no workflow \"" + id + "\".");
    }
  }

  /** The workflow has no run of that id. */
  public static final class NoSuchRun extends WorkflowError {
    private static final long serialVersionUID = 1L;

    NoSuchRun(WorkflowId id, String runId) {
      super("Workflow \"%s\" has no run \"%s\".".formatted(id, runId));
    }
  }

  /** The id is taken: by another start, whose workflow stands as said. */
  public static final class AlreadyStarted extends WorkflowError {
    private static final long serialVersionUID = 1L;

    private final String runId;
    private final Status status;

    public AlreadyStarted(WorkflowId id, String runId, Status status) {
      super("There is a workflow \"%s\" already, it is %s.".formatted(id, status));
      this.runId = runId;
      this.status = status;
    }

    public String runId() {
      return runId;
    }

    public Status status() {
      return status;
    }
  }

  /** There is no result yet, and the time to wait for it is over. */
  public static final class StillRunning extends WorkflowError {
    private static final long serialVersionUID = 1L;

    public StillRunning(WorkflowId id, Duration waited) {
      super("Workflow \"%s\" has not ended within %s.".formatted(id, waited));
    }
  }

  /** The workflow has ended, so it takes no more requests. */
  public static final class HasEnded extends WorkflowError {
    private static final long serialVersionUID = 1L;

    private final Status status;
    private final transient Outcome outcome;

    HasEnded(WorkflowId id, Status status, Outcome outcome) {
      super("Workflow \"%s\" has ended, it is %s.".formatted(id, status));
      this.status = status;
      this.outcome = outcome;
    }

    public Status status() {
      return status;
    }

    public Outcome outcome() {
      return outcome;
    }
  }

  /** The update's id belongs to another update, of another name or with another payload. */
  public static final class UpdateConflict extends WorkflowError {
    private static final long serialVersionUID = 1L;

    private final String updateId;

    UpdateConflict(WorkflowId id, String updateId) {
      super(
          "Workflow \"%s\" had another update under the id \"%s\". Give this one an id of its own."
              .formatted(id, updateId));
      this.updateId = updateId;
    }

    public String updateId() {
      return updateId;
    }
  }

  /** The state of the workflow does not allow the request now. */
  public static final class NotNow extends WorkflowError {
    private static final long serialVersionUID = 1L;

    NotNow(WorkflowId id, String why) {
      super("Workflow \"%s\" cannot do that now: %s".formatted(id, why));
    }
  }

  /**
   * The operation that is meant is not open, is of another kind, or has an attempt under way; or
   * another incident than one about it holds the workflow.
   */
  public static final class NotOpen extends WorkflowError {
    private static final long serialVersionUID = 1L;

    NotOpen(WorkflowId id, String why) {
      super("Workflow \"%s\" cannot do that now: %s".formatted(id, why));
    }
  }

  /** The record of the activity proves how it came out, so nobody needs to say it. */
  public static final class OnRecord extends WorkflowError {
    private static final long serialVersionUID = 1L;

    private final String operation;

    OnRecord(WorkflowId id, OperationId operation, String result) {
      super(
          "Workflow \"%s\": the result of activity %s is on record: %s. Have it verified again, or retry: the workflow goes on with what is recorded."
              .formatted(id, operation, result));
      this.operation = operation.value();
    }

    public String operation() {
      return operation;
    }
  }

  /** Its newest run never asked for such an operation. */
  public static final class NoSuchOperation extends WorkflowError {
    private static final long serialVersionUID = 1L;

    private final String operation;

    NoSuchOperation(WorkflowId id, OperationId operation) {
      super(
          "Workflow \"%s\": its newest run never asked for operation %s; its history names those that it did."
              .formatted(id, operation));
      this.operation = operation.value();
    }

    public String operation() {
      return operation;
    }
  }

  /** It is a graph, and the causes of a graph's operations are not copied. */
  public static final class NotForkable extends WorkflowError {
    private static final long serialVersionUID = 1L;

    NotForkable(WorkflowId id) {
      super(
          "Workflow \"%s\" is a graph, and graphs are not forked. Start another with its input."
              .formatted(id));
    }
  }

  /** A limit stands in the way. */
  public static final class OverLimit extends WorkflowError {
    private static final long serialVersionUID = 1L;

    private final String limit;

    public OverLimit(WorkflowId id, String limit, long value, long largest, String advice) {
      super(
          "Workflow \"%s\": %d is past the limit %s = %d. %s"
              .formatted(id, value, limit, largest, advice));
      this.limit = limit;
    }

    public String limit() {
      return limit;
    }
  }

  /**
   * Its owner did not answer in time, or had too much to do. Whether the request was carried out is
   * not known; it can be sent again.
   */
  public static final class Unreachable extends WorkflowError {
    private static final long serialVersionUID = 1L;

    Unreachable(WorkflowId id, String why) {
      super(
          "Workflow \"%s\" did not answer: %s. Whether it was done is not known; send it again."
              .formatted(id, why));
    }
  }

  /** The code does not know such a query. */
  public static final class NoSuchQuery extends WorkflowError {
    private static final long serialVersionUID = 1L;

    NoSuchQuery(WorkflowId id, String name) {
      super("Workflow \"%s\" answers no query \"%s\".".formatted(id, name));
    }
  }

  /** The code failed to answer the query. */
  public static final class QueryFailed extends WorkflowError {
    private static final long serialVersionUID = 1L;

    QueryFailed(WorkflowId id, String name, String why) {
      super("Workflow \"%s\" failed to answer query \"%s\": %s".formatted(id, name, why));
    }
  }
}
