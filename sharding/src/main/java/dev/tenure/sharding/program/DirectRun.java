package dev.tenure.sharding.program;

import dev.tenure.persistence.payload.MissingPayloadError;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Effect;
import dev.tenure.workflow.kernel.News;
import dev.tenure.workflow.kernel.Program;
import dev.tenure.workflow.kernel.RememberingProgram;
import dev.tenure.workflow.kernel.Replay;
import dev.tenure.workflow.kernel.Wish;
import dev.tenure.workflow.kernel.Wishes;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Runs a {@link Program} that needs no thread, in its owner's turn. Such a program computes for a
 * moment and returns: nothing can take it off the owner's thread.
 *
 * <p>A large value is read from the store when the program asks for its bytes. If it cannot be read
 * now, or is lost, that is no fault of the program, and is reported as what it is.
 */
public final class DirectRun implements ProgramRun {
  private final WorkflowType type;
  private final Supplier<Program> programs;
  private final ProgramReports reports;

  /** Made with the first news; null until then. */
  private Program program;

  private Replay.Comparison comparison;

  public DirectRun(WorkflowType type, Supplier<Program> programs, ProgramReports reports) {
    this.type = type;
    this.programs = programs;
    this.reports = reports;
  }

  private Program program() {
    if (program == null) program = programs.get();
    return program;
  }

  @Override
  public WorkflowType type() {
    return type;
  }

  @Override
  public Optional<Wishes> advance(List<News> news) {
    try {
      Wishes wishes = sparingTheNode(() -> program().advance(news));
      requireNoSteps(wishes);
      return Optional.of(wishes);
    } catch (StorageException | MissingPayloadError unread) {
      return broken(unread);
    } catch (RuntimeException bug) {
      return broken(fault(bug));
    }
  }

  /**
   * A program that calls itself without end, or is without one of its classes, has a bug. Pekko
   * would end the owner for it, and the process with it.
   */
  private static <T> T sparingTheNode(Supplier<T> work) {
    try {
      return work.get();
    } catch (StackOverflowError | LinkageError bug) {
      throw new IllegalStateException(bug.toString(), bug);
    }
  }

  private <T> Optional<T> broken(RuntimeException why) {
    reports.broken(this, why);
    return Optional.empty();
  }

  private static void requireNoSteps(Wishes wishes) {
    for (Wish wish : wishes.wishes())
      if (wish instanceof Wish.Schedule asked && asked.spec() instanceof OperationSpec.Step)
        throw new IllegalStateException(
            "It asks for step %s, and steps are Java code: ask for an activity."
                .formatted(asked.operation()));
  }

  private ProgramFault fault(RuntimeException bug) {
    return new ProgramFault(
        ProgramFault.BUG,
        "The program of %s threw %s. Mend it, then resolve: the run goes on from its last record."
            .formatted(type, bug),
        bug);
  }

  @Override
  public Optional<Wishes> replay(List<News> history, Replay recorded) {
    recorded.memory().ifPresent(this::resume);
    Optional<Wishes> wishes = advance(history);
    wishes.ifPresent(all -> comparison = recorded.compare(all));
    return wishes;
  }

  private void resume(Payload memory) {
    if (!(sparingTheNode(this::program) instanceof RememberingProgram remembering))
      throw new IllegalStateException("The program of " + type + " remembers nothing.");
    sparingTheNode(
        () -> {
          remembering.resume(memory);
          return memory;
        });
  }

  @Override
  public Optional<Payload> memory() {
    return program instanceof RememberingProgram remembering
        ? sparingTheNode(remembering::memory)
        : Optional.empty();
  }

  @Override
  public Replay.Comparison comparison() {
    return comparison;
  }

  @Override
  public Optional<Inquiry.Reply> query(Inquiry inquiry) {
    try {
      return Optional.of(
          sparingTheNode(() -> program.query(inquiry.name(), inquiry.input()))
              .<Inquiry.Reply>map(Inquiry.Reply.Value::new)
              .orElseGet(() -> new Inquiry.Reply.NoSuchQuery(inquiry.name())));
    } catch (StorageException | MissingPayloadError unread) {
      return broken(unread);
    } catch (RuntimeException bug) {
      return Optional.of(
          new Inquiry.Reply.Failed(
              Failure.permanent(bug.getClass().getName(), String.valueOf(bug.getMessage()))));
    }
  }

  /** It never goes on by itself. */
  @Override
  public boolean take() {
    return true;
  }

  @Override
  public void follow() {
    throw new IllegalStateException("It is never ahead of its owner.");
  }

  @Override
  public void give(Instant committed, List<Effect.RunStep> steps, boolean free) {
    // It has no steps.
  }

  @Override
  public void stop(OperationId operation, int attempt) {
    // It has no steps.
  }

  @Override
  public Optional<Command> ownResult() {
    return Optional.empty();
  }

  /** It returns in the owner's turn, so it is never busy when the owner asks. */
  @Override
  public long busySince() {
    return 0;
  }

  @Override
  public long ranNanos() {
    return 0;
  }

  @Override
  public Optional<StuckReason> stuckReason(long since) {
    return Optional.empty();
  }

  @Override
  public boolean giveUpReadOnlyCall(String why) {
    return false;
  }

  @Override
  public void destroy() {
    // It uses nothing but memory.
  }
}
