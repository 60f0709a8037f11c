package dev.tenure.sharding.run;

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
 * How an owner begins with a history: the code is brought to where the history ends, what an
 * earlier owner could not end comes first, and what was in flight is handed out again.
 */
public final class RunTakeUp {
  /** The kind of an incident: it takes the nodes down that run it. */
  static final String POISON = "poison";

  /** The kind of an incident: its owner fails, for a reason that lies in the engine. */
  public static final String OWNER_FAILS = "owner-fails";

  private static final String NO_CODE = "This node does not have its code.";

  private final Host host;
  private final WorkflowId id;
  private final PendingMessages pending;
  private final HistoryWriter chronicle;
  private final IncomingResults results;
  private final CodeRun code;
  private final Residency rest;

  /** What it began for, to resolve an incident or to move to another version; null otherwise. */
  private Message.Tell mending;

  /** The program needed no thread to be brought to where the history ends. */
  private boolean hasReplayed;

  /** Why the program does not go on from what it remembers. */
  private Optional<String> forgotten = Optional.empty();

  RunTakeUp(
      Host host,
      WorkflowId id,
      PendingMessages pending,
      HistoryWriter chronicle,
      IncomingResults results,
      CodeRun code,
      Residency rest) {
    this.host = host;
    this.id = id;
    this.pending = pending;
    this.chronicle = chronicle;
    this.results = results;
    this.code = code;
    this.rest = rest;
  }

  private WorkflowState state() {
    return chronicle.state();
  }

  /** It was at work when nodes were lost, and others are tried before it. */
  boolean mustWait() {
    return host.suspects.leave(id) == Suspects.Leave.WAIT || mustRead();
  }

  /** Its program is stored, and not in memory here. */
  private boolean mustRead() {
    return state().exists()
        && !state().phase().isOver()
        && code.programs().mustRead(state().start().kind(), host.versions.decided(state()));
  }

  /** Whether a stored program has to be read before this can be decided. */
  boolean mustRead(Message.Tell tell) {
    if (tell.command() instanceof Command.StartWorkflow(var start, var policy))
      return code.programs().mustRead(start.kind(), start.type());
    if (!CommandsNeedingReplay.isOf(tell.command(), state())) return false;
    ProgramKind kind = state().start().kind();
    WorkflowType type = CommandsNeedingReplay.type(tell, state());
    return code.programs().mustRead(kind, host.versions.decided(kind, type));
  }

  /** Whether it is blocked, and goes on when all that it lacks is here. */
  boolean waitsForCode() {
    return state().blockReason().isPresent() && state().incident().isEmpty();
  }

  /** It may have been stored since it was last read for. */
  boolean mustReadAgain() {
    code.programs().forget();
    return mustRead();
  }

  /**
   * The history is complete. The code is brought to its end, unless the workflow is held.
   *
   * @param failure why the workflow must stand still, because its owners failed
   */
  Next<JournalEntry> begin(Optional<String> failure) {
    Replay history = chronicle.takeReplay();
    Command.Recovered recovered = pending.results.handTo(results, state());
    List<Message.Queued> agenda = new ArrayList<>(pending.beginning());
    Optional<Incident> standsStill = standsStill(failure);
    if (state().exists() && state().phase() != WorkflowPhase.CLOSED) {
      rest.stands(state());
      mending = (Message.Tell) agenda.stream().filter(this::mends).findFirst().orElse(null);
      boolean held = state().incident().isPresent() && mending == null;
      if (!held && standsStill.isEmpty()) takeUp(agenda, history, recovered);
    }
    if (forgotten.isPresent()) return new Next.Restart<>(forgotten.get());
    pending.begun(agenda);
    // Before whatever would have its code begin again.
    standsStill.ifPresent(pending::raise);
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

  /** The commit that raises it is also where counting the lost nodes ends. */
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

  /** What an earlier owner could not end comes first; then goes out what was in flight. */
  private void takeUp(List<Message.Queued> agenda, Replay history, Command.Recovered recovered) {
    if (!state().phase().isOver()) {
      ProgramKind kind = state().start().kind();
      WorkflowType type = host.versions.decided(kind, CommandsNeedingReplay.type(mending, state()));
      Finding found = code.programs().find(kind, type);
      if (found instanceof Finding.Absent && mending != null) {
        // It stays as it is: what would mend it needs the code.
        agenda.removeIf(message -> PendingMessages.refusesRepair(message, NO_CODE));
        mending = null;
        if (state().incident().isEmpty()) takeUp(agenda, history, recovered);
        return;
      }
      switch (found) {
        case Finding.Absent absent -> {
          agenda.addFirst(StartVersions.block(absent));
          return;
        }
        case Finding.Found(var definition) -> {
          replay(definition, type, history);
          if (forgotten.isPresent()) return;
        }
      }
      if (agenda.addAll(StartVersions.pin(mending, state(), type))) return;
    }
    // What mends hands out again by itself. What still lacks code stays blocked: to hand it out
    // would only count attempts that nobody makes.
    boolean lacksCode =
        !state().phase().isOver() && state().blockReason().isPresent() && !code.allIsHere(state());
    if (mending == null && !lacksCode) agenda.add(new Message.Own(recovered));
  }

  /**
   * What a program remembers is of its own making. Where it cannot go on from that, or another
   * version is to, the owner begins again without.
   */
  private void replay(ProgramDefinition definition, WorkflowType type, Replay history) {
    boolean remembers = history.memory().isPresent();
    if (remembers && !type.equals(state().start().type())) {
      forgets("The run goes on with another version.");
      return;
    }
    try {
      hasReplayed = code.replay(definition, type, history, state()).isPresent();
    } catch (RuntimeException failure) {
      if (!remembers) throw failure;
      code.giveUp();
      forgets("The program cannot go on from what it remembers: " + failure);
    }
  }

  private void forgets(String why) {
    host.snapshotReader.distrust(id, chronicle.version(), why);
    forgotten = Optional.of(why);
  }

  /** Most programs report it when their threads have come there; others are there by now. */
  private Next<JournalEntry> replayedAtOnce() {
    if (!hasReplayed) return Next.nothing();
    hasReplayed = false;
    return replayed();
  }

  /** The code is where the history ends. */
  Next<JournalEntry> replayed() {
    if (code.replayed() instanceof Replay.Comparison.Drifted(Incident.Drift drift)) {
      code.giveUp();
      if (CommandsNeedingReplay.moves(mending)) {
        // It does not fit there, which says nothing about where it is.
        pending.refuseRepairs(drift.message());
        return new Next.Restart<>("It goes on with the version that it had.");
      }
      pending.raise(drift);
    }
    return Next.nothing();
  }

  // --- mending

  private boolean mends(Message message) {
    return message instanceof Message.Tell(Command command, var asker)
        && CommandsNeedingReplay.isOf(command, state());
  }

  /** Whether the code has to begin again before this can be decided. */
  boolean mustBeginFor(Message.Tell tell) {
    boolean begunFor = tell.equals(mending) && code.isHere();
    // The next incident of this run of the code needs a new one, too.
    if (begunFor || !CommandsNeedingReplay.isOf(tell.command(), state())) {
      if (tell.equals(mending)) mending = null;
      return false;
    }
    return true;
  }
}
