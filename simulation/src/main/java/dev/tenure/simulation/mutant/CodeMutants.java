package dev.tenure.simulation.mutant;

import static dev.tenure.simulation.mutant.Operator.NEGATES_CALL;
import static dev.tenure.simulation.mutant.Operator.RETURNS_AT_ONCE;
import static dev.tenure.simulation.mutant.Operator.SKIPS_CALL;
import static dev.tenure.simulation.mutant.Operator.TAKES_LAST;

import java.util.List;

/** In what runs the workflow's code, and in the kernel. */
final class CodeMutants {
  private static final String BRANCH_SCHEDULER = "sharding.branch.BranchScheduler";
  private static final String WORKFLOW_THREAD = "sharding.branch.WorkflowThread";
  private static final String PENDING_OPERATIONS = "sharding.branch.PendingOperations";
  private static final String PENDING_RESULT = "sharding.branch.PendingResult";
  private static final String SAGA = "sharding.context.SagaRun";
  private static final String LEDGERS = "workflow.kernel.Ledgers";

  static final List<Mutant> ALL =
      List.of(
          new Mutant(
              "WAIT_NOT_REGISTERED",
              "a branch is not woken by what it waits for",
              WORKFLOW_THREAD,
              "awaitDone",
              SKIPS_CALL,
              "addWaiting",
              "I8"),
          new Mutant(
              "OUTCOME_NOT_GIVEN",
              "what came out does not reach the code",
              PENDING_OPERATIONS,
              "complete",
              SKIPS_CALL,
              "complete",
              "I8"),
          new Mutant(
                  "CANCEL_NOT_PASSED_ON",
                  "the code does not hear of a cancellation",
                  BRANCH_SCHEDULER,
                  "apply",
                  SKIPS_CALL,
                  "cancelAll",
                  "I12")
              .often(),
          new Mutant(
                  "CONDITION_ASLEEP",
                  "conditions are not asked again",
                  BRANCH_SCHEDULER,
                  "watch",
                  SKIPS_CALL,
                  "add",
                  "I8")
              .often(),
          new Mutant(
              "VALUE_MADE_ANEW",
              "a replay makes a recorded value anew",
              BRANCH_SCHEDULER,
              "recordedValue",
              RETURNS_AT_ONCE,
              "",
              "I3"),
          new Mutant(
              "BRANCH_NOT_READY",
              "a branch that may go on is not continued",
              PENDING_RESULT,
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
                  "I12")
              .often(),
          new Mutant(
              "DELIVERY_COUNTED",
              "activities and what the engine delivers are taken for each other",
              LEDGERS,
              "on",
              NEGATES_CALL,
              "isObligation",
              "I9"));

  private CodeMutants() {}
}
