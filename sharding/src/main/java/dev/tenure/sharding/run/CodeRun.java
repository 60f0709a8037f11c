package dev.tenure.sharding.run;

import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.program.Inquiry;
import dev.tenure.sharding.program.ProgramDefinition;
import dev.tenure.sharding.program.ProgramRun;
import dev.tenure.sharding.program.ProgramSource.Finding;
import dev.tenure.sharding.program.StuckReason;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Effect;
import dev.tenure.workflow.kernel.News;
import dev.tenure.workflow.kernel.Replay;
import dev.tenure.workflow.kernel.Ungranted;
import dev.tenure.workflow.kernel.Wishes;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.lifecycle.OperationPhase;
import dev.tenure.workflow.lifecycle.WorkflowPhase;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import java.util.List;
import java.util.Optional;

/**
 * The workflow's code as its owner sees it: whether it is in memory, who has the turn, and the work
 * for which the owner waits.
 */
final class CodeRun {
  private final Host host;
  private final WorkflowId id;
  private final Residency residency;
  private final CodeReports reports;
  private final ProgramLookup programs;

  private ProgramRun program;
  private boolean hasTurn;

  /** The work for which the owner waits for the code; null when it does not wait. */
  private CodeWork work;

  /** Wishes of the code that are not on record yet. */
  private final Ungranted ungranted = new Ungranted();

  CodeRun(Host host, WorkflowId id, Residency residency, CodeReports reports) {
    this.host = host;
    this.id = id;
    this.residency = residency;
    this.reports = reports;
    this.programs = new ProgramLookup(host, reports.self());
  }

  ProgramLookup programs() {
    return programs;
  }

  /** Whether this node has all code that a blocked workflow needs to go on. */
  boolean allIsHere(WorkflowState state) {
    return programs.find(state.start().kind(), host.versions.decided(state))
            instanceof Finding.Found
        && state.openOperations().stream().allMatch(this::isRunnable);
  }

  private boolean isRunnable(Operation operation) {
    return operation.phase() != OperationPhase.IN_FLIGHT
        || !(operation.spec() instanceof OperationSpec.Activity activity)
        || activity.isQueued()
        || host.activities.knows(activity.activity());
  }

  boolean isHere() {
    return program != null;
  }

  /** Whether the report is of the code in memory. Reports of code that was given up are ignored. */
  boolean is(ProgramRun reporting) {
    return program == reporting;
  }

  /**
   * @param type the type that the run is pinned to; the definition may only be compatible with it
   */
  void begin(ProgramDefinition definition, WorkflowType type) {
    program = definition.begin(id, type, reports);
    hasTurn = true;
    residency.watch(program);
  }

  /**
   * Begins the code, and brings it to where the history ends; the answer is as of {@link #advance}.
   */
  Optional<Wishes> replay(
      ProgramDefinition definition, WorkflowType type, Replay history, WorkflowState state) {
    work = new CodeWork.Replaying();
    begin(definition, type);
    Optional<Wishes> answer = program.replay(history.news(state), history);
    if (answer.isPresent()) work = null;
    return answer;
  }

  /**
   * The code is where the history ends. It has drifted when it does not ask for what is recorded.
   */
  Replay.Comparison replayed() {
    Replay.Comparison comparison = program.comparison();
    if (comparison instanceof Replay.Comparison.Same(Wishes more)) ungranted.keep(more);
    return comparison;
  }

  /** Whether the program is here, and all that it asks for is on record. */
  boolean isSettled() {
    return program != null && ungranted.isEmpty();
  }

  /**
   * See {@link ProgramRun#memory}. Only the owner's turn allows it: a program that goes on may know
   * what is not committed.
   */
  Optional<Payload> memory() {
    if (!hasTurn) throw new IllegalStateException("Only an owner that has the turn may ask.");
    return program.memory();
  }

  /**
   * Takes the turn. False while the code has it: its report is on its way, and the owner takes up
   * that first.
   */
  boolean leavesTheTurn() {
    if (program == null || hasTurn) return true;
    hasTurn = program.take();
    return hasTurn;
  }

  /**
   * The code has gone on with a step's result by itself; the owner takes the turn back to decide
   * that.
   */
  void follow() {
    program.follow();
    hasTurn = true;
  }

  /**
   * Everything is committed: starts the steps, and gives the turn away unless the workflow is held.
   */
  void quiet(WorkflowState state, List<Effect.RunStep> steps) {
    if (program == null || !hasTurn) return;
    boolean free = state.phase() == WorkflowPhase.LIVE && ungranted.isEmpty();
    program.give(state.at(), steps, free);
    hasTurn = !free;
  }

  /** The answer, or empty when it is reported later; the owner waits for it until then. */
  Optional<Wishes> advance(CodeWork.Deciding deciding, List<News> news) {
    work = deciding;
    Optional<Wishes> answer = program.advance(news);
    if (answer.isPresent()) work = null;
    return answer;
  }

  /** As {@link #advance}, for a query. */
  Optional<Inquiry.Reply> query(CodeWork.Asking asking) {
    work = asking;
    Optional<Inquiry.Reply> answer = program.query(asking.inquiry());
    if (answer.isPresent()) work = null;
    return answer;
  }

  /**
   * Whether the code has continued as new before it learned of a request to stop in these news.
   * With them it might undo something instead. The continuation is not on record yet.
   */
  boolean continuesWithout(List<News> news) {
    return ungranted.continuesAsNew()
        && news.stream().anyMatch(News.CancelRequested.class::isInstance);
  }

  void stop(OperationId operation, int attempt) {
    if (program != null) program.stop(operation, attempt);
  }

  /** All wishes that the next commit may grant. */
  Wishes take(Command command, WorkflowState state, Wishes wishes) {
    return ungranted.take(command, state, wishes);
  }

  /**
   * Keeps the wishes that one commit did not hold for the next decision. False when there are none.
   */
  boolean keep(Wishes rest) {
    if (program == null || rest.isEmpty()) return false;
    ungranted.keep(rest);
    return true;
  }

  /** Goes on without the query or validator that runs for too long. False when other code runs. */
  boolean giveUpReadOnlyCall(String why) {
    return program.giveUpReadOnlyCall(why);
  }

  Optional<StuckReason> stuckReason(long since) {
    return program.stuckReason(since);
  }

  /** See {@link ProgramRun#ownResult}. */
  Optional<Command> ownResult() {
    return program.ownResult();
  }

  // --- what the owner waits for

  /** The program of a start is being read. */
  void awaitProgram() {
    work = new CodeWork.Reading();
  }

  /** The program of a start was read: the owner waits no more. */
  void wasRead() {
    if (work instanceof CodeWork.Reading) work = null;
  }

  boolean isReplaying() {
    return work instanceof CodeWork.Replaying;
  }

  boolean isAwaited() {
    return work != null;
  }

  /** The work for which the owner waits, if it waits. */
  Optional<CodeWork> work() {
    return Optional.ofNullable(work);
  }

  /** The work that the code has now answered. */
  CodeWork takeWork() {
    CodeWork taken = work;
    work = null;
    if (taken == null)
      throw new IllegalStateException("The code answers, and the owner asked nothing.");
    return taken;
  }

  /** The owner waits no more. Returns the work for which it waited. */
  Optional<CodeWork> stopWaiting() {
    Optional<CodeWork> stopped = work();
    work = null;
    return stopped;
  }

  void giveUp() {
    if (program != null) {
      program.destroy();
      residency.watchNothing();
    }
    program = null;
    hasTurn = false;
    // Code that is replayed to the same point asks for them again.
    ungranted.forget();
  }
}
