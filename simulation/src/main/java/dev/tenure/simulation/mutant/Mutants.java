package dev.tenure.simulation.mutant;

import static dev.tenure.simulation.mutant.Operator.NEGATES_CALL;
import static dev.tenure.simulation.mutant.Operator.RETURNS_ARGUMENT;
import static dev.tenure.simulation.mutant.Operator.RETURNS_AT_ONCE;
import static dev.tenure.simulation.mutant.Operator.SKIPS_ASSIGNMENT;
import static dev.tenure.simulation.mutant.Operator.SKIPS_CALL;
import static dev.tenure.simulation.mutant.Operator.TAKES_LAST;

import dev.tenure.simulation.Found;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/** The small bugs, and looking for them. */
public final class Mutants {
  private static final String INBOX = "sharding.mailbox.Inbox";
  private static final String ROWS = "sharding.commit.VisibilityRows";
  private static final String OUTBOX = "sharding.effect.Outbox";
  private static final String COURIER = "sharding.host.RetryingSender";
  private static final String RESULTS = "sharding.mailbox.IncomingResults";
  private static final String TAKE_UP = "sharding.run.RunTakeUp";
  private static final String REPAIR = "sharding.commit.RepairRows";
  private static final String OWNER_LOOP = "sharding.owner.OwnerLoop";
  private static final String PENDING = "sharding.mailbox.PendingMessages";
  private static final String CODE_RUN = "sharding.run.CodeRun";
  private static final String STAGE = "sharding.branch.BranchScheduler";
  private static final String STRAND = "sharding.branch.WorkflowThread";
  private static final String SLOT = "sharding.branch.PendingResult";
  private static final String SAGA = "sharding.context.SagaRun";
  private static final String LEDGERS = "workflow.kernel.Ledgers";

  static final List<Mutant> ALL =
      List.of(
          new Mutant(
              "INBOX_NOT_READ",
              "the owner does not read its inbox and waits for the page",
              INBOX,
              "look",
              SKIPS_CALL,
              "accept",
              "I13"),
          new Mutant(
              "INBOX_STAYS_READING",
              "the owner takes its inbox for being read",
              INBOX,
              "page",
              SKIPS_ASSIGNMENT,
              "reading",
              "I13"),
          new Mutant(
              "WAIT_NOT_REGISTERED",
              "a branch is not woken by what it waits for",
              STRAND,
              "awaitDone",
              SKIPS_CALL,
              "addWaiting",
              "I8"),
          new Mutant(
              "OUTCOME_NOT_GIVEN",
              "what came out does not reach the code",
              STAGE,
              "apply",
              SKIPS_CALL,
              "complete",
              "I8"),
          new Mutant(
              "ROW_LEFT_OUT",
              "a row that goes with a commit is left out",
              ROWS,
              "of",
              RETURNS_ARGUMENT,
              "with",
              "I8"),
          new Mutant(
              "ROW_NOT_UPDATED",
              "the row is taken for up to date",
              ROWS,
              "of",
              NEGATES_CALL,
              "equals",
              "I8"),
          new Mutant(
              "CHILD_OVERTAKEN",
              "a message to a child overtakes its start",
              OUTBOX,
              "release",
              NEGATES_CALL,
              "isBefore",
              "I8"),
          new Mutant(
              "RESULT_DROPPED",
              "an answer of another workflow is dropped",
              COURIER,
              "attempt",
              SKIPS_CALL,
              "accept",
              "I8"),
          new Mutant(
              "RESULT_UNTOLD",
              "the owner does not hear of a result",
              RESULTS,
              "add",
              SKIPS_CALL,
              "run",
              "I8"),
          new Mutant(
              "RESULT_FLAG_LEFT",
              "the owner is taken for told after it took its results",
              RESULTS,
              "take",
              SKIPS_CALL,
              "set",
              "I8"),
          new Mutant(
              "RECOVERY_HANDS_NOTHING_OUT",
              "a new owner does not hand out what was in flight",
              TAKE_UP,
              "takeUp",
              SKIPS_CALL,
              "add",
              "I8"),
          new Mutant(
              "KEPT_MESSAGE_LOST",
              "a message that comes while the owner commits is lost",
              PENDING,
              "keep",
              SKIPS_CALL,
              "add",
              "I8"),
          new Mutant(
              "HISTORY_NOT_READ",
              "an owner does not read its history and waits for it",
              OWNER_LOOP,
              "recover",
              SKIPS_CALL,
              "readHistory",
              "I8"),
          new Mutant(
              "WISHES_LOST",
              "what the code asks for beyond the record is lost",
              CODE_RUN,
              "replayed",
              SKIPS_ASSIGNMENT,
              "ungranted",
              "I8"),
          new Mutant(
              "STEP_NOT_STARTED",
              "the code does not start a step that is on record",
              CODE_RUN,
              "quiet",
              SKIPS_CALL,
              "give",
              "I8"),
          new Mutant(
              "CANCEL_NOT_PASSED_ON",
              "the code does not hear of a cancellation",
              STAGE,
              "apply",
              SKIPS_CALL,
              "cancelAll",
              "I12"),
          new Mutant(
              "CONDITION_ASLEEP",
              "conditions are not asked again",
              STAGE,
              "watch",
              SKIPS_CALL,
              "add",
              "I8"),
          new Mutant(
              "VALUE_MADE_ANEW",
              "a replay makes a recorded value anew",
              STAGE,
              "recordedValue",
              RETURNS_AT_ONCE,
              "",
              "I3"),
          new Mutant(
              "BRANCH_NOT_READY",
              "a branch that may go on is not continued",
              SLOT,
              "finish",
              SKIPS_CALL,
              "done",
              "I8"),
          new Mutant(
              "UNDO_FORGOTTEN",
              "a saga forgets how to undo a step",
              SAGA,
              "step",
              SKIPS_CALL,
              "register",
              "I12"),
          new Mutant(
              "UNDO_OUT_OF_ORDER",
              "a saga undoes the oldest first",
              SAGA,
              "undoAll",
              TAKES_LAST,
              "poll",
              "I12"),
          new Mutant(
              "PROGRESS_UNRECORDED",
              "a suspect that made progress stays one",
              REPAIR,
              "of",
              NEGATES_CALL,
              "isProgress",
              "I20"),
          new Mutant(
              "DELIVERY_COUNTED",
              "activities and what the engine delivers are taken for each other",
              LEDGERS,
              "on",
              NEGATES_CALL,
              "isObligation",
              "I9"));

  private Mutants() {}

  /** How one half of the processors' work comes out: an engine of its own for each thread. */
  private static final class Engine {
    final MutantLoader loader = new MutantLoader(ALL);
    final Method live;

    Engine() {
      try {
        live =
            loader
                .loadClass(MutantLife.class.getName())
                .getMethod("live", String.class, long.class);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }

    String live(String mutant, long seed) {
      try {
        return (String) live.invoke(null, mutant, seed);
      } catch (IllegalAccessException e) {
        throw new IllegalStateException(e);
      } catch (InvocationTargetException thrown) {
        return thrown.getCause().getClass().getSimpleName() + "\n" + thrown.getCause();
      }
    }

    Found look(Mutant mutant, long seeds) {
      String other = "";
      for (long seed = 0; seed < seeds; seed++) {
        String violation = live(mutant.name(), seed);
        // What is broken without the mutant, too, has not found it.
        if (violation.startsWith(mutant.invariant() + "\n") && live("", seed).isEmpty())
          return new Found(
              mutant.name(),
              mutant.what(),
              Optional.of(seed),
              violation.substring(violation.indexOf('\n') + 1));
        if (!violation.isEmpty() && other.isEmpty()) other = "only: " + violation;
      }
      return new Found(mutant.name(), mutant.what(), Optional.empty(), other);
    }
  }

  /** Each mutant, looked for in so many seeds, by the invariant that must name it. */
  public static List<Found> look(long seeds) {
    int engines = Runtime.getRuntime().availableProcessors();
    ConcurrentHashMap<String, Found> found = new ConcurrentHashMap<>();
    IntStream.range(0, engines)
        .parallel()
        .forEach(
            number -> {
              Engine engine = new Engine();
              for (int i = number; i < ALL.size(); i += engines) {
                Mutant mutant = ALL.get(i);
                found.put(mutant.name(), engine.look(mutant, seeds));
              }
            });
    return ALL.stream().map(mutant -> found.get(mutant.name())).toList();
  }

  /** The mutants whose class, method or instruction is not there any more. */
  public static List<String> withoutTarget() {
    MutantLoader loader = new MutantLoader(ALL);
    for (Mutant mutant : ALL)
      try {
        loader.loadClass(mutant.className());
      } catch (ClassNotFoundException gone) {
        continue;
      }
    Set<String> planted = loader.planted();
    List<String> lost = new ArrayList<>();
    for (Mutant mutant : ALL) if (!planted.contains(mutant.name())) lost.add(mutant.toString());
    return lost;
  }
}
