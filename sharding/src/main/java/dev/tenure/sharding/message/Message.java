package dev.tenure.sharding.message;

import dev.tenure.persistence.signal.PendingSignal;
import dev.tenure.sharding.mailbox.IncomingResults;
import dev.tenure.sharding.program.Inquiry;
import dev.tenure.sharding.program.ProgramRun;
import dev.tenure.sharding.program.ProgramSource;
import dev.tenure.sharding.program.StepEnd;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Wishes;
import java.util.List;
import java.util.Optional;

/** What a workflow's actor is told. */
public sealed interface Message {
  /** What is taken up one after the other; the rest is answered at once. */
  sealed interface Queued extends Message {
    /** Who is to hear what becomes of it. */
    default Optional<ReplyTo> sender() {
      return Optional.empty();
    }
  }

  /** From outside, with somebody who waits for the answer. It may travel between nodes. */
  sealed interface Asked extends Queued {
    ReplyTo replyTo();

    @Override
    default Optional<ReplyTo> sender() {
      return Optional.of(replyTo());
    }
  }

  /** Something that may change the workflow. */
  record Tell(Command command, ReplyTo replyTo) implements Asked {}

  record Query(Inquiry inquiry, ReplyTo replyTo) implements Asked {}

  record Describe(ReplyTo replyTo) implements Asked {}

  /**
   * Answered when the outcome is decided.
   *
   * @param runId of the run that is meant; the newest one when empty
   */
  record AwaitEnd(Optional<String> runId, ReplyTo replyTo) implements Asked {}

  /** Answered when the update has its answer. */
  record AwaitUpdate(String updateId, ReplyTo replyTo) implements Asked {}

  /** Something may be due, or wait in the inbox; also starts a workflow that must be awake. */
  enum WakeUp implements Queued {
    WAKE_UP
  }

  /** The shard moves, or the actor asked to be let go. */
  enum Stop implements Message {
    STOP
  }

  // --- from within this node

  /** What a run of the program reports, or the look at how long it has been running. */
  sealed interface Reported extends Message {
    ProgramRun program();
  }

  record Advanced(ProgramRun program, Wishes wishes) implements Reported {}

  /** A step came out, and the code has gone on with it. */
  record Ahead(ProgramRun program, StepEnd end) implements Reported {}

  record Broken(ProgramRun program, Throwable why) implements Reported {}

  record Queried(ProgramRun program, Inquiry.Reply reply) implements Reported {}

  /** Results have come in; see {@link IncomingResults}. */
  enum Collect implements Queued {
    COLLECT
  }

  /**
   * The history of a workflow whose code is not at work, read for queries.
   *
   * @param from who asked: an answer that somebody else asked for is not taken
   */
  record PastRead(Object from, Optional<PastRun> run, Optional<Throwable> failure)
      implements Message {}

  /**
   * The program that a run needs was read from the store, as far as it is there.
   *
   * @param from who asked: an answer that somebody else asked for is not taken
   */
  record ProgramRead(
      Object from, Optional<ProgramSource.Finding> found, Optional<Throwable> failure)
      implements Message {}

  /** What had to wait can be taken up. */
  enum GoOn implements Message {
    GO_ON
  }

  /** Time may have come for something. */
  enum Due implements Queued {
    DUE
  }

  /**
   * The code has been running for too long.
   *
   * @param since for the news that it began then
   */
  record Overdue(ProgramRun program, long since) implements Reported {}

  /** Nothing has moved for a while. */
  enum Idle implements Queued {
    IDLE
  }

  /**
   * The next signals in the inbox, in order; fewer than asked for are the last.
   *
   * @param from the owner that asked: an answer that another one asked for is not taken
   */
  record InboxPage(Object from, List<PendingSignal> signals) implements Message {}

  /** A signal that came in here, which the owner takes itself or puts into the inbox. */
  record Signalled(IncomingSignal signal) implements Queued {
    @Override
    public Optional<ReplyTo> sender() {
      return Optional.of(signal);
    }
  }

  /**
   * What came in here, and was put into the inbox, is there.
   *
   * @param signal empty when it was not accepted
   */
  record Stored(Optional<PendingSignal> signal) implements Message {}

  /** One's own command, or somebody's whose answer nobody waits for. */
  record Own(Command command) implements Queued {}
}
