package dev.tenure.sharding.message;

import dev.tenure.persistence.signal.PendingSignal;
import dev.tenure.sharding.mailbox.IncomingResults;
import dev.tenure.sharding.program.Inquiry;
import dev.tenure.sharding.program.ProgramRun;
import dev.tenure.sharding.program.ProgramSource;
import dev.tenure.sharding.program.StepEnd;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Wishes;
import dev.tenure.workflow.operation.OperationId;
import java.util.List;
import java.util.Optional;

/** The messages of a workflow's owner. */
public sealed interface Message {
  /** Messages that the owner takes up one after the other. It handles the others at once. */
  sealed interface Queued extends Message {
    /** Gets the answer. */
    default Optional<ReplyTo> sender() {
      return Optional.empty();
    }
  }

  /**
   * A request of a client or of another workflow, which waits for the answer. It may travel between
   * nodes.
   */
  sealed interface Asked extends Queued {
    ReplyTo replyTo();

    @Override
    default Optional<ReplyTo> sender() {
      return Optional.of(replyTo());
    }
  }

  /** A command that may change the workflow. */
  record Tell(Command command, ReplyTo replyTo) implements Asked {}

  record Query(Inquiry inquiry, ReplyTo replyTo) implements Asked {}

  /**
   * @param about an operation that is described when it is open, however many others are
   */
  record Describe(Optional<OperationId> about, ReplyTo replyTo) implements Asked {
    public Describe(ReplyTo replyTo) {
      this(Optional.empty(), replyTo);
    }
  }

  /**
   * A client waits for the end of the workflow. Answered when the outcome is decided.
   *
   * @param runId of the run that is meant; the newest one when empty
   */
  record AwaitEnd(Optional<String> runId, ReplyTo replyTo) implements Asked {}

  /** A client waits for an update. Answered when the update has its answer. */
  record AwaitUpdate(String updateId, ReplyTo replyTo) implements Asked {}

  /**
   * A timer may be due, or a signal may wait in the inbox. Also brings a workflow into memory that
   * must be awake.
   */
  enum WakeUp implements Queued {
    WAKE_UP
  }

  /** The owner has to stop: its shard moves, or it asked to be stopped. */
  enum Stop implements Message {
    STOP
  }

  // --- from within this node

  /** A report of a run of the program, or of the check of how long it has been running. */
  sealed interface Reported extends Message {
    ProgramRun program();
  }

  record Advanced(ProgramRun program, Wishes wishes) implements Reported {}

  /** A step has ended, and the code has gone on with its result. */
  record Ahead(ProgramRun program, StepEnd end) implements Reported {}

  record Broken(ProgramRun program, Throwable why) implements Reported {}

  record Queried(ProgramRun program, Inquiry.Reply reply) implements Reported {}

  /** Results have come in; see {@link IncomingResults}. */
  enum Collect implements Queued {
    COLLECT
  }

  /**
   * The history of a workflow whose code is not in memory, read for queries.
   *
   * @param from the object that asked for it; any other one ignores it
   */
  record PastRead(Object from, Optional<PastRun> run, Optional<Throwable> failure)
      implements Message {}

  /**
   * The program that a run needs was read from the store, if the store has it.
   *
   * @param from the object that asked for it; any other one ignores it
   */
  record ProgramRead(
      Object from, Optional<ProgramSource.Finding> found, Optional<Throwable> failure)
      implements Message {}

  /** Messages that had to wait can be taken up. */
  enum GoOn implements Message {
    GO_ON
  }

  /** A timer, a retry or a timeout may be due. */
  enum Due implements Queued {
    DUE
  }

  /**
   * The code has been running for too long.
   *
   * @param since when the code got the news that it is handling
   */
  record Overdue(ProgramRun program, long since) implements Reported {}

  /** The workflow has rested for as long as it may stay in memory. */
  enum Idle implements Queued {
    IDLE
  }

  /**
   * The next signals in the inbox, in order; fewer than asked for are the last.
   *
   * @param from the owner that asked for it; any other one ignores it
   */
  record InboxPage(Object from, List<PendingSignal> signals) implements Message {}

  /** A signal that this node received. The owner takes it itself, or puts it into the inbox. */
  record Signalled(IncomingSignal signal) implements Queued {
    @Override
    public Optional<ReplyTo> sender() {
      return Optional.of(signal);
    }
  }

  /**
   * A signal that this node received was put into the inbox.
   *
   * @param signal empty when it was not accepted
   */
  record Stored(Optional<PendingSignal> signal) implements Message {}

  /** A command to which no sender waits for an answer; most often the owner gave it to itself. */
  record Own(Command command) implements Queued {}
}
