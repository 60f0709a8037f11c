package dev.tenure.persistence.commit;

import dev.tenure.persistence.activity.ActivityKey;
import dev.tenure.persistence.activity.ActivityStatus;
import dev.tenure.persistence.activity.InvocationKey;
import dev.tenure.persistence.incident.IncidentRow;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.persistence.signal.AcceptedSignalResult;
import dev.tenure.persistence.signal.Signal;
import dev.tenure.persistence.task.TaskId;
import dev.tenure.persistence.task.TaskOffer;
import dev.tenure.persistence.visibility.WorkflowChange;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Command;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Optional;

/**
 * What a commit changes beside the journal: stored if, and only if, the commit is. A row says what
 * is to be true afterwards; each storage decides how it stores that.
 */
public sealed interface SideRow {
  /**
   * The rows of one commit take effect in this order, in whichever order the commit names them:
   * when the workflow closes, a consumed signal no longer waits and one that was given back does; a
   * signal that the commit takes is counted before the row says how many are left. What ended goes
   * before what begins anew under the same name, and outcomes are awaited when both is done.
   */
  enum WriteOrder {
    CONSUME,
    BEGIN,
    CHANGE,
    END,
    ANY,
    AWAIT
  }

  /** Whose it is. */
  WorkflowId workflow();

  default WriteOrder order() {
    return switch (this) {
      case SignalConsumed s -> WriteOrder.CONSUME;
      case SignalTaken s -> WriteOrder.CONSUME;
      case WorkflowStarted w -> WriteOrder.BEGIN;
      case SignalReturned s -> WriteOrder.BEGIN;
      case WorkflowChanged w -> WriteOrder.CHANGE;
      case WorkflowStartedAgain w -> WriteOrder.CHANGE;
      case IncidentRaised i -> WriteOrder.ANY;
      case IncidentClosed i -> WriteOrder.ANY;
      case WorkflowProgressed r -> WriteOrder.ANY;
      case PayloadKept p -> WriteOrder.ANY;
      case ActivityClaimed a -> WriteOrder.ANY;
      case ActivitySettled a -> WriteOrder.END;
      case TaskOffered t -> WriteOrder.ANY;
      case TaskHeldBack t -> WriteOrder.ANY;
      case TaskRemoved t -> WriteOrder.END;
      case TasksRemoved t -> WriteOrder.END;
      case ResultsAwaited t -> WriteOrder.AWAIT;
    };
  }

  /** The payloads that it brings to the store. */
  default long bytes() {
    return switch (this) {
      case PayloadKept kept -> kept.content.length;
      case SignalReturned returned -> returned.isKept() ? 0 : returned.signal.payload().size();
      case SignalConsumed s -> 0;
      case SignalTaken s -> 0;
      case WorkflowStarted w -> 0;
      case WorkflowChanged w -> 0;
      case WorkflowStartedAgain w -> 0;
      case IncidentRaised i -> 0;
      case IncidentClosed i -> 0;
      case WorkflowProgressed r -> 0;
      case ActivityClaimed a -> 0;
      case ActivitySettled a -> a.result.map(Payload::size).orElse(0);
      case TaskOffered t -> t.offer.input().size();
      case TaskHeldBack t -> t.offer.input().size();
      case TaskRemoved t -> 0;
      case TasksRemoved t -> 0;
      case ResultsAwaited t -> 0;
    };
  }

  /**
   * The row of a workflow whose first commit this is. A batch in which some id has a row already,
   * though its journal is gone, is refused as a whole.
   */
  record WorkflowStarted(WorkflowRow row) implements SideRow {
    @Override
    public WorkflowId workflow() {
      return row.id();
    }
  }

  /**
   * The row of a workflow that another start begins again, whether or not it was closed. What is
   * left in its inbox was for the run before, and becomes unconsumed (I13).
   */
  record WorkflowStartedAgain(WorkflowRow row) implements SideRow {
    @Override
    public WorkflowId workflow() {
      return row.id();
    }
  }

  /**
   * A change of the row. A change that closes the workflow also makes unconsumed what still waits
   * in its inbox (I13). After a close a change changes nothing (I4), until another start begins the
   * workflow again.
   */
  record WorkflowChanged(WorkflowChange change) implements SideRow {
    @Override
    public WorkflowId workflow() {
      return change.id();
    }
  }

  /** The signal at this position was handed to its workflow. */
  record SignalConsumed(WorkflowId workflow, long position) implements SideRow {}

  /**
   * The commit accepts this signal and hands it to its workflow: it never stands in the inbox. Goes
   * with a {@link WorkflowChanged} that {@link WorkflowChange#taking takes} the same position. The
   * commit is {@link CommitResult.SignalNotTaken refused} unless the position is the next one of
   * the workflow, the workflow is open, and no answer to the signal is stored.
   *
   * @param retention how long the answer is kept for retries
   */
  record SignalTaken(
      Signal signal, int shard, long position, Instant acceptedAt, Duration retention)
      implements SideRow {
    public SignalTaken {
      acceptedAt = acceptedAt.truncatedTo(ChronoUnit.MICROS);
    }

    @Override
    public WorkflowId workflow() {
      return signal.workflowId();
    }

    /** The answer to it, and to its retries. */
    public AcceptedSignalResult result() {
      return AcceptedSignalResult.of(signal, acceptedAt, position);
    }
  }

  /**
   * The workflow gives this signal back, which an earlier commit of it consumed: it waits again at
   * its position. When its payload is kept apart, the database copies it. When that payload is gone
   * the signal cannot be given back; the workflow ends all the same.
   */
  record SignalReturned(WorkflowId workflow, int shard, Command.Arrival signal) implements SideRow {
    /** Whether the payload is kept apart from the journal. */
    public boolean isKept() {
      return signal.payload().size() > Payloads.APART_BYTES;
    }

    /** Under which hash it is then kept. */
    public byte[] hash() {
      return HexFormat.of().parseHex(signal.payload().fingerprint());
    }
  }

  /** A workflow has one incident at a time: the newer takes the place of the older. */
  record IncidentRaised(IncidentRow row) implements SideRow {
    @Override
    public WorkflowId workflow() {
      return row.workflow();
    }
  }

  /** The incident is resolved, or its workflow has ended. */
  record IncidentClosed(WorkflowId workflow) implements SideRow {}

  /**
   * The workflow went on after the loss of a node, or a person decides about it from here on: no
   * loss counts any more.
   */
  record WorkflowProgressed(WorkflowId workflow) implements SideRow {}

  /**
   * A payload that is too large for the journal. The same payload again is the same row: the one
   * that is there is never touched.
   *
   * @param hash the SHA-256 of the content
   */
  record PayloadKept(WorkflowId workflow, int shard, byte[] hash, byte[] content)
      implements SideRow {}

  /**
   * A keyed call may go out. The first claim makes the record. A later one names the attempt and
   * the epoch that have it now, makes the record when there is none, and changes nothing when the
   * call is completed or cancelled.
   *
   * @param first whether there can be no record before
   */
  record ActivityClaimed(
      ActivityKey key,
      int shard,
      boolean first,
      int attempt,
      long epoch,
      InvocationKey invocation,
      Instant at)
      implements SideRow {
    @Override
    public WorkflowId workflow() {
      return key.workflow();
    }
  }

  /**
   * How a keyed call, or an attempt at it, came out. A completed or cancelled call stays as it is,
   * unless it is completed by the owner's commit itself.
   *
   * @param result of a completed call
   * @param error how it, or its newest attempt, failed
   */
  record ActivitySettled(
      ActivityKey key,
      int shard,
      ActivityStatus status,
      Optional<Payload> result,
      Optional<Failure> error,
      Instant at)
      implements SideRow {
    @Override
    public WorkflowId workflow() {
      return key.workflow();
    }
  }

  /**
   * An attempt waits for a worker. It takes the place of an earlier attempt's task; a task of the
   * same attempt, or of a later one, is left alone.
   */
  record TaskOffered(TaskOffer offer) implements SideRow {
    @Override
    public WorkflowId workflow() {
      return offer.id().workflow();
    }
  }

  /**
   * An attempt that must not go out before it is proven that no earlier one had its effect. It
   * takes the place of an earlier attempt's task, and counts as lost: each owner that comes finds
   * it and looks, until {@link dev.tenure.persistence.task.Tasks#offerAgain} hands it out (I8).
   */
  record TaskHeldBack(TaskOffer offer) implements SideRow {
    @Override
    public WorkflowId workflow() {
      return offer.id().workflow();
    }
  }

  /** The owner has the task's outcome, or does not want it any more. */
  record TaskRemoved(TaskId task) implements SideRow {
    @Override
    public WorkflowId workflow() {
      return task.workflow();
    }
  }

  /**
   * Nobody wants any task of the workflow, which ends without its history: no owner can say which
   * tasks it has. A task that stayed would be handed out, and a lost one would keep the place of
   * its resource for ever. Goes with a commit of its own, because it locks tasks by another
   * statement than {@link TaskRemoved}.
   */
  record TasksRemoved(WorkflowId workflow) implements SideRow {}

  /**
   * Goes with a {@link WorkflowChanged} of a workflow whose tasks are with workers: it stays due
   * when the outcome of one is there that the owner has not taken (I8).
   */
  record ResultsAwaited(WorkflowId workflow) implements SideRow {}
}
