package dev.tenure.sharding.run;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.sharding.commit.HistoryWriter;
import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.host.StartVersions;
import dev.tenure.sharding.mailbox.IncomingResults;
import dev.tenure.sharding.mailbox.PendingMessages;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.program.ProgramDefinition;
import dev.tenure.sharding.program.ProgramSource.Finding;
import dev.tenure.sharding.recovery.Suspects;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.kernel.ProgramKind;
import dev.tenure.workflow.kernel.Replay;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.lifecycle.WorkflowPhase;
import dev.tenure.workflow.owner.Next;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Begins a run from its history: brings the code to where the history ends, takes up the messages
 * that an earlier owner did not finish, and hands out again what was in flight.
 */
public final class RunTakeUp {
  /** The kind of an incident: the workflow takes down the nodes that run it. */
  static final String POISON = "poison";

  /** The kind of an incident: the workflow's owners fail, because of a defect of the engine. */
  public static final String OWNER_FAILS = "owner-fails";

  private static final String NO_CODE = "This node does not have its code.";

  private final Host host;
  private final WorkflowId id;
  private final PendingMessages pending;
  private final HistoryWriter history;
  private final IncomingResults results;
  private final CodeRun code;
  private final Residency residency;
  private final ResourceChecks checks;

  /** The repair for which this owner began; null when there is none. */
  private Message.Tell repair;

  /** The program was replayed at once, without a thread. */
  private boolean hasReplayed;

  /** Why the program cannot go on from its memory in the snapshot. */
  private Optional<String> forgotten = Optional.empty();

  RunTakeUp(
      Host host,
      Owner.Self self,
      WorkflowId id,
      Fence tenure,
      PendingMessages pending,
      HistoryWriter history,
      IncomingResults results,
      CodeRun code,
      Residency residency) {
    this.host = host;
    this.id = id;
    this.pending = pending;
    this.history = history;
    this.results = results;
    this.code = code;
    this.residency = residency;
    this.checks = new ResourceChecks(host, id, tenure, self);
  }

  private WorkflowState state() {
    return history.state();
  }

  /**
   * Whether the owner has to wait: other workflows that may have taken nodes down are tried first,
   * the program has to be read, or what activities did is looked up. Who ends the workflow need not
   * wait for the last.
   */
  boolean mustWait() {
    return host.suspects.leave(id) == Suspects.Leave.WAIT
        || mustRead()
        || checks.mustWait(history.activities().unconfirmed(), state(), isRepaired())
            && !pending.awaitsTermination();
  }

  private boolean isRepaired() {
    return state().exists() && pending.beginning().stream().anyMatch(this::needsReplay);
  }

  /** Whether the stored program is not in memory here. */
  private boolean mustRead() {
    return state().exists()
        && !state().phase().isOver()
        && code.programs().mustRead(state().start().kind(), host.versions.decided(state()));
  }

  /** Whether a stored program has to be read before the command can be decided. */
  boolean mustRead(Message.Tell tell) {
    if (tell.command() instanceof Command.StartWorkflow(var start, var policy))
      return code.programs().mustRead(start.kind(), start.type());
    if (!CommandsNeedingReplay.isOf(tell.command(), state())) return false;
    ProgramKind kind = state().start().kind();
    WorkflowType type = CommandsNeedingReplay.type(tell, state());
    return code.programs().mustRead(kind, host.versions.decided(kind, type));
  }

  /** Whether the workflow is blocked, and goes on when this node has the code. */
  boolean waitsForCode() {
    return state().blockReason().isPresent() && state().incident().isEmpty();
  }

  /** Whether the program has to be read again: it may have been stored since the last read. */
  boolean mustReadAgain() {
    code.programs().forget();
    return mustRead();
  }

  /**
   * The history is complete. Brings the code to its end, unless the workflow is held.
   *
   * @param failure why the workflow must stand still, if its owners failed
   */
  Next<JournalEntry> begin(Optional<String> failure) {
    Replay recorded = history.takeReplay();
    Command.Recovered recovered = pending.results.handTo(results, state());
    List<Message.Queued> agenda = new ArrayList<>(pending.beginning());
    Optional<Incident> standsStill = standsStill(failure);
    if (state().exists() && state().phase() != WorkflowPhase.CLOSED) {
      residency.stands(state());
      repair = (Message.Tell) agenda.stream().filter(this::needsReplay).findFirst().orElse(null);
      boolean held = state().incident().isPresent() && repair == null;
      if (!held && standsStill.isEmpty()) takeUp(agenda, recorded, recovered);
    }
    if (forgotten.isPresent()) return new Next.Restart<>(forgotten.get());
    checks.conclude(agenda);
    // What was not looked up is not gone on with: the run ends before anything is handed out.
    boolean ends = checks.areUnderWay();
    if (ends) agenda.addFirst(pending.takeTermination());
    pending.begun(agenda);
    // The incident comes before any command that would begin the code again, or hand out again what
    // was in flight.
    if (standsStill.isPresent()) pending.raise(standsStill.get());
    else if (!ends) checks.raise(pending);
    code.programs().forget();
    return replayedAtOnce();
  }

  private Optional<Incident> standsStill(Optional<String> failure) {
    if (!state().runs()) return Optional.empty();
    if (host.suspects.leave(id) == Suspects.Leave.STAND_STILL) return poison();
    return failure.map(
        why ->
            new Incident.Other(
                OWNER_FAILS,
                why
                    + ". This is a defect of the engine: the log of this node says more. Resolve to"
                    + " try again, or terminate it."));
  }

  /** The commit that raises this incident also ends the count of lost nodes. */
  private Optional<Incident> poison() {
    return host.suspects
        .find(id)
        .map(
            recovery ->
                new Incident.Other(
                    POISON,
                    "%d nodes were lost while it was at work, %d of them while it was tried alone. Its code is not run any more. Mend what ends the process, then resolve, or terminate it."
                        .formatted(recovery.losses(), recovery.alone())));
  }

  /**
   * Takes up first what an earlier owner did not finish, then hands out again what was in flight.
   */
  private void takeUp(List<Message.Queued> agenda, Replay recorded, Command.Recovered recovered) {
    if (!state().phase().isOver()) {
      ProgramKind kind = state().start().kind();
      WorkflowType type = host.versions.decided(kind, CommandsNeedingReplay.type(repair, state()));
      Finding found = code.programs().find(kind, type);
      if (found instanceof Finding.Absent && repair != null) {
        // The workflow stays as it is, because the repair needs the code.
        agenda.removeIf(message -> PendingMessages.refusesRepair(message, NO_CODE));
        repair = null;
        if (state().incident().isEmpty()) takeUp(agenda, recorded, recovered);
        return;
      }
      switch (found) {
        case Finding.Absent absent -> {
          agenda.addFirst(StartVersions.block(absent));
          return;
        }
        case Finding.Found(var itsType, var definition) -> {
          replay(definition, type, recorded);
          if (forgotten.isPresent()) return;
        }
      }
      if (agenda.addAll(StartVersions.pin(repair, state(), type))) return;
    }
    // A repair hands out again by itself. While code is missing the workflow stays blocked: handing
    // out would only count attempts that do not run.
    boolean lacksCode =
        !state().phase().isOver() && state().blockReason().isPresent() && !code.allIsHere(state());
    if (repair == null && !lacksCode) agenda.add(new Message.Own(recovered));
  }

  /**
   * Replays the program. If it cannot go on from its memory in the snapshot, or another version has
   * to, the owner begins again without the snapshot.
   */
  private void replay(ProgramDefinition definition, WorkflowType type, Replay recorded) {
    boolean remembers = recorded.memory().isPresent();
    if (remembers && !type.equals(state().start().type())) {
      forgets("The run goes on with another version.");
      return;
    }
    try {
      hasReplayed = code.replay(definition, type, recorded, state()).isPresent();
    } catch (RuntimeException failure) {
      if (!remembers) throw failure;
      code.giveUp();
      forgets("The program cannot go on from what it remembers: " + failure);
    }
  }

  private void forgets(String why) {
    host.snapshotReader.distrust(id, history.version(), why);
    forgotten = Optional.of(why);
  }

  /**
   * Goes on at once after a replay without threads. Other programs report the end of their replay.
   */
  private Next<JournalEntry> replayedAtOnce() {
    if (!hasReplayed) return Next.nothing();
    hasReplayed = false;
    return replayed();
  }

  /** The code is where the history ends. */
  Next<JournalEntry> replayed() {
    if (code.replayed() instanceof Replay.Comparison.Drifted(Incident.Drift drift)) {
      code.giveUp();
      if (CommandsNeedingReplay.moves(repair)) {
        // The run does not fit the other version. That says nothing about its own version.
        pending.refuseRepairs(drift.message());
        return new Next.Restart<>("It goes on with the version that it had.");
      }
      pending.raise(drift);
    }
    return Next.nothing();
  }

  // --- repairs

  private boolean needsReplay(Message message) {
    return message instanceof Message.Tell(Command command, var replyTo)
        && CommandsNeedingReplay.isOf(command, state());
  }

  /** Whether the code has to begin again before the command can be decided. */
  boolean mustBeginFor(Message.Tell tell) {
    boolean begunFor = tell.equals(repair) && code.isHere();
    // This owner has replayed for its repair: the next incident needs another replay.
    if (begunFor || !CommandsNeedingReplay.isOf(tell.command(), state())) {
      if (tell.equals(repair)) repair = null;
      return false;
    }
    return true;
  }
}
