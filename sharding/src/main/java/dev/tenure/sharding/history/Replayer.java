package dev.tenure.sharding.history;

import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.sharding.branch.ExecutionGate;
import dev.tenure.sharding.code.CarrierProbe;
import dev.tenure.sharding.code.CodeProgram;
import dev.tenure.sharding.code.CodeSetting;
import dev.tenure.sharding.host.WorkflowSettings;
import dev.tenure.sharding.payload.CodeFault;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.sharding.pool.CodeThreads;
import dev.tenure.sharding.program.BusyTime;
import dev.tenure.sharding.program.Inquiry;
import dev.tenure.sharding.program.ProgramReports;
import dev.tenure.sharding.program.ProgramRun;
import dev.tenure.sharding.program.StepEnd;
import dev.tenure.workflow.WorkflowRegistration;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Fork;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.kernel.Kernel;
import dev.tenure.workflow.kernel.Replay;
import dev.tenure.workflow.kernel.Wish;
import dev.tenure.workflow.kernel.Wishes;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Brings code to where a history ends, as a new owner would, and says whether it gets there. */
public final class Replayer {
  /** Code that runs for longer between two waits counts as stuck, as on a node by default. */
  public static final Duration CODE_LIMIT = WorkflowSettings.CODE_LIMIT;

  private static final Duration LOOK_EVERY = Duration.ofMillis(25);

  /** How code fits a history. */
  public sealed interface Verdict {
    /**
     * It does.
     *
     * @param more operations that the code asks for beyond the record
     */
    record Fits(List<OperationId> more) implements Verdict {}

    /** It does not; a node would raise an incident. */
    record Drifted(String message) implements Verdict {}

    /** It could not be run to where the history ends. */
    record Failed(String message) implements Verdict {}
  }

  private Replayer() {}

  public static Verdict replay(History history, WorkflowRegistration<?> code, PayloadCodec codec) {
    WorkflowState state = WorkflowState.none();
    Replay replay = new Replay();
    for (Event event : history.events()) {
      state = Kernel.standard().evolve(state, event);
      replay.add(event);
    }
    CompletableFuture<Wishes> wished = new CompletableFuture<>();
    Instant end = history.events().getLast().at();
    CodeProgram program =
        new CodeProgram(
            new CodeSetting(
                code, history.id().value(), codec, () -> end, ExecutionGate.FREE, CodeThreads.JDK),
            reports(wished));
    try {
      program.replay(replay.news(state), replay);
      Wishes wishes = await(wished, program);
      return judge(history, code, program.comparison(), wishes);
    } catch (ExecutionException e) {
      String why =
          e.getCause() instanceof CodeFault fault
              ? fault.kind() + ": " + fault.getMessage()
              : e.getCause().toString();
      return new Verdict.Failed("The code of %s cannot be run: %s".formatted(code.type(), why));
    } catch (TimeoutException e) {
      String where = program.stuckReason(program.busySince()).map(Object::toString).orElse("");
      return new Verdict.Failed(
          "The code of %s did not come back within %s. %s"
              .formatted(code.type(), CODE_LIMIT, where));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Verdict.Failed("The replay was interrupted.");
    } finally {
      program.destroy();
    }
  }

  private static Wishes await(CompletableFuture<Wishes> wished, CodeProgram program)
      throws ExecutionException, InterruptedException, TimeoutException {
    BusyTime busy = new BusyTime();
    CarrierProbe carriers = new CarrierProbe(CodeThreads.JDK);
    while (true) {
      try {
        return wished.get(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException notYet) {
        long limit = CODE_LIMIT.toNanos();
        if (busy.exceeds(limit, program, carriers.look(), System.nanoTime())) throw notYet;
      }
    }
  }

  private static ProgramReports reports(CompletableFuture<Wishes> wished) {
    return new ProgramReports() {
      @Override
      public void advanced(ProgramRun run, Wishes wishes) {
        wished.complete(wishes);
      }

      @Override
      public void stepEnded(ProgramRun run, StepEnd end) {}

      @Override
      public void answered(ProgramRun run, Inquiry.Reply reply) {}

      @Override
      public void broken(ProgramRun run, Throwable why) {
        wished.completeExceptionally(why);
      }
    };
  }

  private static Verdict judge(
      History history, WorkflowRegistration<?> code, Replay.Comparison comparison, Wishes wishes) {
    return switch (comparison) {
      case Replay.Comparison.Drifted(Incident.Drift drift) ->
          new Verdict.Drifted(drifted(history, code, drift, wishes));
      case Replay.Comparison.Same(Wishes rest) -> {
        Optional<Outcome> recorded = ownEnd(history);
        Optional<Outcome> came = end(rest);
        if (recorded.isPresent() && !sameKind(recorded.get(), came))
          yield new Verdict.Drifted(
              head(history, code)
                  + "  recorded: the workflow came out as %s\n  the code: %s"
                      .formatted(
                          word(recorded.get()),
                          came.map(end -> "comes out as " + word(end) + ", " + end)
                              .orElse("goes on, and asks for " + scheduled(rest)))
                  + ADVICE);
        yield new Verdict.Fits(scheduled(rest));
      }
    };
  }

  private static final String ADVICE =
      """


      Keep what was recorded as it is, or give the changed code a version of its own, so that runs \
      that began with the old code end with it.\
      """;

  private static String head(History history, WorkflowRegistration<?> code) {
    return "%s, as %s is now, does not fit the history of \"%s\" (%d commits, started as %s):\n"
        .formatted(
            code.type(),
            code.workflow().getName(),
            history.id(),
            history.entries().size(),
            history.start().type());
  }

  private static String drifted(
      History history, WorkflowRegistration<?> code, Incident.Drift drift, Wishes wishes) {
    List<OperationId> known =
        history.events().stream()
            .filter(Event.OfOperation.class::isInstance)
            .map(event -> ((Event.OfOperation) event).operation())
            .toList();
    List<OperationId> instead =
        scheduled(wishes).stream().filter(id -> !known.contains(id)).toList();
    String now =
        drift
            .difference()
            .map(
                one ->
                    "asks for it with %s %s, recorded with %s"
                        .formatted(one.what(), one.asked(), one.recorded()))
            .orElseGet(() -> nowAsked(drift));
    return head(history, code)
        + "  recorded: %s, a %s, in commit %d\n  the code: %s"
            .formatted(
                drift.operation(), drift.recorded(), commitOf(history, drift.operation()), now)
        + (instead.isEmpty() ? "" : "\n  new in the code: " + instead)
        + drift.end().map(failure -> "\n  the code ends with: " + failure).orElse("")
        + ADVICE;
  }

  private static String nowAsked(Incident.Drift drift) {
    return drift
        .asked()
        .map(kind -> "asks for it as " + kind)
        .orElse("does not ask for it any more");
  }

  private static long commitOf(History history, OperationId operation) {
    long found = 0;
    for (JournalEntry entry : history.entries())
      for (Event event : entry.events()) {
        if (Fork.followsRun(event)) found = 0;
        boolean isIts =
            event instanceof Event.OfOperation about && about.operation().equals(operation);
        if (isIts && found == 0) found = entry.head().version();
      }
    return found;
  }

  /**
   * How the code itself ended its newest run, which is the one that is run again; empty when that
   * has not ended, or the code did not end it.
   */
  private static Optional<Outcome> ownEnd(History history) {
    Optional<Outcome> end = Optional.empty();
    for (Event event : history.events()) {
      if (Fork.followsRun(event)) end = Optional.empty();
      if (event instanceof Event.Ended(var at, Outcome outcome, var digits))
        end =
            Optional.of(outcome)
                .filter(one -> one instanceof Outcome.Succeeded || one instanceof Outcome.Failed);
    }
    return end;
  }

  private static Optional<Outcome> end(Wishes wishes) {
    for (Wish wish : wishes.wishes())
      if (wish instanceof Wish.End(Outcome outcome)) return Optional.of(outcome);
    return Optional.empty();
  }

  private static boolean sameKind(Outcome recorded, Optional<Outcome> came) {
    return came.isPresent() && came.get().getClass() == recorded.getClass();
  }

  private static String word(Outcome outcome) {
    return outcome.getClass().getSimpleName().toLowerCase(java.util.Locale.ROOT);
  }

  private static List<OperationId> scheduled(Wishes wishes) {
    return wishes.wishes().stream()
        .filter(Wish.Schedule.class::isInstance)
        .map(wish -> ((Wish.Schedule) wish).operation())
        .toList();
  }
}
