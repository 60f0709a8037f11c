package dev.tenure.sharding.program;

import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Effect;
import dev.tenure.workflow.kernel.News;
import dev.tenure.workflow.kernel.Replay;
import dev.tenure.workflow.kernel.Wishes;
import dev.tenure.workflow.operation.OperationId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One run of a workflow's program in memory, as its owner drives it. The owner can destroy it at
 * any time, and bring another one to the same point from the history.
 *
 * <p><b>Answers.</b> A run that needs no thread answers {@link #advance}, {@link #replay} and
 * {@link #query} with a value, in the owner's turn. Any other run answers with empty, and later
 * tells its {@link ProgramReports}. Until then the owner calls none of the three again.
 *
 * <p><b>Turns.</b> The owner has the turn while it decides and commits, and only then may it call
 * what changes the run. It {@link #give gives} the turn away when everything is committed. A run
 * that never goes on by itself never takes the turn.
 */
public interface ProgramRun {
  /** The type that it runs. */
  WorkflowType type();

  /**
   * Hands the news over. The answer is what the program asks for now and had not asked for before;
   * see {@link dev.tenure.workflow.kernel.Program#advance}.
   */
  Optional<Wishes> advance(List<News> news);

  /**
   * Brings a new run to where the history ends, and compares what the program asks for with the
   * record. The answer is all that the program ever asked for; or, when the record begins where the
   * program knew what {@link Replay#memory} says, all that it asked for since.
   */
  Optional<Wishes> replay(List<News> history, Replay recorded);

  /**
   * All that the program knows, when another run of the same version can go on from it: the owner
   * of that run then reads only the later part of the history. Empty for a program that has to
   * learn the whole history anew, as code has. The owner asks for a memory now and then, when
   * everything is committed that the program asked for. A program that gives one must also be able
   * to replay without it, from the beginning of the run. When a replay with a memory throws, the
   * owner replays without it.
   */
  default Optional<Payload> memory() {
    return Optional.empty();
  }

  /** How the program fits its record, once the replay was answered. */
  Replay.Comparison comparison();

  /** Asks the program a question that changes nothing. */
  Optional<Inquiry.Reply> query(Inquiry inquiry);

  /**
   * The owner takes the turn; false while the program has it: its {@link StepEnd} is on its way.
   */
  boolean take();

  /** The owner takes the turn over from the program, whose {@link StepEnd} has arrived. */
  void follow();

  /**
   * Everything is committed up to this time: starts the steps, and gives the turn away.
   *
   * @param free whether the program may go on by itself when a step ends; not while it is held
   */
  void give(Instant committed, List<Effect.RunStep> steps, boolean free);

  /** Stops the attempt, because its result is not wanted any more. */
  void stop(OperationId operation, int attempt);

  /**
   * The result of the step with which the program went on by itself, when it has not come to a wait
   * since.
   */
  Optional<Command> ownResult();

  /** When the program got the news that it is handling now; 0 when it waits. */
  long busySince();

  /** How long the program has run for these news. */
  long ranNanos();

  /**
   * Why the program does not come to a wait; empty when it has.
   *
   * @param since when it got the news that it is handling, as {@link #busySince} said
   */
  Optional<StuckReason> stuckReason(long since);

  /**
   * Goes on without the query or the update's validator that runs for too long.
   *
   * @return false when other code runs, or the query or validator has ended meanwhile
   */
  boolean giveUpReadOnlyCall(String why);

  /**
   * Ends the run, also while its code runs. May be called on any thread. The run reports nothing
   * after this.
   */
  void destroy();
}
