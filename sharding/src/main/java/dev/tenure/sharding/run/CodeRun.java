package dev.tenure.sharding.run;

import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.program.Holdup;
import dev.tenure.sharding.program.Inquiry;
import dev.tenure.sharding.program.ProgramDefinition;
import dev.tenure.sharding.program.ProgramRun;
import dev.tenure.sharding.program.ProgramSource.Finding;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Effect;
import dev.tenure.workflow.kernel.News;
import dev.tenure.workflow.kernel.Replay;
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
 * The workflow's code in its owner's hands: whether it is here, who has the turn, and what the
 * owner waits for it with.
 */
final class CodeRun {
  private final Host host;
  private final WorkflowId id;
  private final Residency rest;
  private final CodeReports reports;
  private final ProgramLookup programs;

  private ProgramRun program;
  private boolean hasTurn;

  /** What the owner waits for the code with; null when it waits for nothing. */
  private CodeWork work;

  /**
   * What the code asks for and the record does not have yet: it is newer than the code before it,
   * or one commit did not hold it all. Granted with the next decision.
   */
  private Wishes ungranted = Wishes.NONE;

  CodeRun(Host host, WorkflowId id, Residency rest, CodeReports reports) {
    this.host = host;
    this.id = id;
    this.rest = rest;
    this.reports = reports;
    this.programs = new ProgramLookup(host, reports.self());
  }

  ProgramLookup programs() {
    return programs;
  }

  /** Whether all code is here that a blocked workflow needs to go on. */
  boolean allIsHere(WorkflowState state) {
    return programs.find(state.start().kind(), host.versions.decided(state))
            instanceof Finding.Found
        && state.openOperations().stream().allMatch(this::isRunnable);
  }

  private boolean isRunnable(Operation operation) {
    return operation.phase() != OperationPhase.IN_FLIGHT
        || !(operation.spec() instanceof OperationSpec.Activity activity)
        || host.activities.knows(activity.activity());
  }

  boolean isHere() {
    return program != null;
  }

  /** Reports of code that was given up are of no interest. */
  boolean is(ProgramRun reporting) {
    return program == reporting;
  }

  /**
   * @param type what the run is pinned to, which the definition may only be compatible with
   */
  void begin(ProgramDefinition definition, WorkflowType type) {
    program = definition.begin(id, type, reports);
    hasTurn = true;
    rest.watch(program);
  }

  /** Begins, and is brought to where the history ends; the answer is as of {@link #advance}. */
  Optional<Wishes> replay(
      ProgramDefinition definition, WorkflowType type, Replay history, WorkflowState state) {
    work = new CodeWork.Replaying();
    begin(definition, type);
    Optional<Wishes> answer = program.replay(history.news(state), history);
    if (answer.isPresent()) work = null;
    return answer;
  }

  /** The code is where the history ends; a drift is what the history has and the code does not. */
  Replay.Comparison replayed() {
    Replay.Comparison comparison = program.comparison();
    if (comparison instanceof Replay.Comparison.Same(Wishes more)) ungranted = more;
    return comparison;
  }

  /** Whether the program is here, and all that it asks for is on record. */
  boolean isSettled() {
    return program != null && ungranted.isEmpty();
  }

  /** See {@link ProgramRun#memory}. A program that goes on may know what is not committed. */
  Optional<Payload> memory() {
    if (!hasTurn) throw new IllegalStateException("Only who has the turn may ask.");
    return program.memory();
  }

  /** False while the code is ahead: its report is on its way, and everything else comes after. */
  boolean leavesTheTurn() {
    if (program == null || hasTurn) return true;
    hasTurn = program.take();
    return hasTurn;
  }

  /** The code has gone on with a step's result by itself, and waits for that to be decided. */
  void follow() {
    program.follow();
    hasTurn = true;
  }

  /** Everything is committed: the code may go on with the steps, and be ahead when all is well. */
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

  /** As {@link #advance}, for what only looks. */
  Optional<Inquiry.Reply> query(CodeWork.Asking asking) {
    work = asking;
    Optional<Inquiry.Reply> answer = program.query(asking.inquiry());
    if (answer.isPresent()) work = null;
    return answer;
  }

  void stop(OperationId operation, int attempt) {
    if (program != null) program.stop(operation, attempt);
  }

  /**
   * All that it asks for and was not granted yet. What a paused workflow asks for beyond its record
   * waits until it is resumed: a pause holds also what other code asks for anew. The kernel is told
   * that more follows, or a graph that asked for all its children would count as one without any.
   */
  Wishes take(Command command, WorkflowState state, Wishes wishes) {
    if (state.pauseReason().isPresent() && !(command instanceof Command.Resume))
      return ungranted.isEmpty() ? wishes : new Wishes(wishes.wishes(), true);
    Wishes all = ungranted.then(wishes);
    ungranted = Wishes.NONE;
    return all;
  }

  /**
   * What one commit did not hold of it: the next decision grants it. False when that is nothing.
   */
  boolean keep(Wishes rest) {
    if (program == null || rest.isEmpty()) return false;
    ungranted = ungranted.then(rest);
    return true;
  }

  /** Goes on without the query or validator that does not come back, when it is one. */
  boolean giveUpLooking(String why) {
    return program.giveUpLooking(why);
  }

  Optional<Holdup> holdup(long since) {
    return program.holdup(since);
  }

  /** The result of the step that the code went on with, when it did not come back from there. */
  Optional<Command> ownResult() {
    return program.ownResult();
  }

  // --- what the owner waits for

  /** The program of a start is being read. */
  void awaitProgram() {
    work = new CodeWork.Reading();
  }

  /** What the owner waited for with a start was read. */
  void wasRead() {
    if (work instanceof CodeWork.Reading) work = null;
  }

  boolean isAwaited() {
    return work != null;
  }

  /** What the owner waits for, if it waits. */
  Optional<CodeWork> work() {
    return Optional.ofNullable(work);
  }

  /** What the code has come back with. */
  CodeWork takeWork() {
    CodeWork taken = work;
    work = null;
    if (taken == null) throw new IllegalStateException("The code answers what nobody asked.");
    return taken;
  }

  /** What the owner waited for, if it did: it waits no more. */
  Optional<CodeWork> stopWaiting() {
    Optional<CodeWork> stopped = work();
    work = null;
    return stopped;
  }

  void giveUp() {
    if (program != null) {
      program.destroy();
      rest.watchNothing();
    }
    program = null;
    hasTurn = false;
    // Code that is brought to the same point asks for it again.
    ungranted = Wishes.NONE;
  }
}
