package dev.tenure.sharding.run;

import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.entry.Snapshot;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.sharding.commit.CommitPortion;
import dev.tenure.sharding.commit.HistoryWriter;
import dev.tenure.sharding.effect.EffectRunner;
import dev.tenure.sharding.effect.PendingReplies;
import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.host.StartVersions;
import dev.tenure.sharding.mailbox.IncomingResults;
import dev.tenure.sharding.mailbox.PendingMessages;
import dev.tenure.sharding.message.Answer;
import dev.tenure.sharding.message.IncomingSignal;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.message.ReplyTo;
import dev.tenure.sharding.program.ProgramSource.Finding;
import dev.tenure.sharding.program.StepEnd;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Admission;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Decision;
import dev.tenure.workflow.kernel.Effect;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Fork;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.kernel.News;
import dev.tenure.workflow.kernel.Reply;
import dev.tenure.workflow.kernel.Wishes;
import dev.tenure.workflow.owner.Next;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An owner's decisions, one at a time: a command is admitted, the code goes on with its news, the
 * kernel decides, one commit is handed out, and what follows happens when that stands.
 */
final class Decisions {
  private final Host host;
  private final WorkflowId id;
  private final PendingMessages pending;
  private final HistoryWriter chronicle;
  private final CodeRun code;
  private final PendingReplies askers;
  private final EffectRunner aftermath;
  private final Residency rest;
  private final SnapshotOffers snapshots;
  private final LimitWarnings cautions = new LimitWarnings();

  /** The kind of an incident: what is to be committed exceeds a limit. */
  private static final String TOO_LARGE = "commit-too-large";

  /** Of the run that this owner decides for: the state may be that of the next one. */
  private String runId;

  /** What the commit that is under way is of; null when none is. */
  private Command uncommitted;

  /** Who is answered when the commit stands that is under way. */
  private Optional<ReplyTo> committing = Optional.empty();

  /** The start was committed before any of its code ran, because a node was lost recently. */
  private boolean recordedFirst;

  Decisions(
      Host host,
      WorkflowId id,
      PendingMessages pending,
      HistoryWriter chronicle,
      CodeRun code,
      PendingReplies askers,
      EffectRunner aftermath,
      Residency rest) {
    this.host = host;
    this.id = id;
    this.pending = pending;
    this.chronicle = chronicle;
    this.code = code;
    this.askers = askers;
    this.aftermath = aftermath;
    this.rest = rest;
    this.snapshots = new SnapshotOffers(host, chronicle, code);
  }

  /** The history before the snapshot's commit is not folded. */
  void restore(Snapshot snapshot) {
    chronicle.restore(snapshot);
    snapshots.restored(snapshot);
  }

  /** Decides on it, at once or when the code has gone on with it. */
  Next<JournalEntry> on(Command given, Optional<ReplyTo> asker) {
    Command command = host.versions.decided(given, chronicle.state());
    if (command instanceof Command.StartWorkflow) host.takeFresh(id);
    Instant now = host.clock.instant();
    return switch (host.kernel.admit(chronicle.state(), command, now)) {
      case Admission.Refused(Reply reply) -> answered(asker, reply);
      case Admission.Duplicate(Reply reply) -> answered(asker, reply);
      case Admission.Ignored(String reason) -> answered(asker, new Reply.AlreadyDone(reason));
      case Admission.Accepted(List<News> news) -> {
        boolean begins = !chronicle.state().exists();
        if (begins && command instanceof Command.StartWorkflow(var start, var policy)) {
          Finding found = code.programs().find(start.kind(), start.type());
          // Where nodes were lost lately, it is on record before its code can end this one, too.
          recordedFirst =
              found instanceof Finding.Found && host.suspects.isWary(host.nanos.getAsLong());
          if (recordedFirst) yield decide(command, Wishes.UNASKED, now, asker);
          switch (found) {
            case Finding.Found(var definition) -> code.begin(definition, start.type());
            case Finding.Absent absent -> pending.addFirst(StartVersions.block(absent));
          }
        }
        if (command instanceof Command.Update update && refuses(update, asker))
          yield Next.nothing();
        if (command instanceof Command.Update update)
          asker.ifPresent(one -> askers.awaitUpdate(update.updateId(), one));
        if (!code.isHere()) yield decide(command, Wishes.UNASKED, now, asker);
        if (news.isEmpty()) yield decide(command, Wishes.NONE, now, asker);
        Optional<Wishes> answer = code.advance(new CodeWork.Deciding(command, now, asker), news);
        if (answer.isEmpty()) yield Next.nothing();
        yield decide(command, answer.get(), now, asker);
      }
    };
  }

  private Next<JournalEntry> answered(Optional<ReplyTo> asker, Reply reply) {
    asker.ifPresent(one -> askers.answer(one, reply));
    return Next.nothing();
  }

  /** A step came out, and the code has gone on: both are decided together, as it assumed. */
  Next<JournalEntry> ahead(StepEnd end) {
    code.follow();
    StepEnd.Ahead ahead = end.ahead().orElseThrow();
    Command command = new Command.AttemptEnded(end.operation(), end.attempt(), end.outcome());
    boolean asAssumed =
        host.kernel.admit(chronicle.state(), command, ahead.at())
                instanceof Admission.Accepted(var news)
            && news.equals(List.of(new News.Completed(ahead.at(), end.operation(), end.outcome())));
    if (!asAssumed) {
      pending.addFirst(new Message.Own(command));
      return new Next.Restart<>("The code went on with what is not admitted.");
    }
    return decide(command, ahead.wishes(), ahead.at(), Optional.empty());
  }

  Next<JournalEntry> decide(CodeWork.Deciding deciding, Wishes wishes) {
    return decide(deciding.command(), wishes, deciding.now(), deciding.replyTo());
  }

  private Next<JournalEntry> decide(
      Command command, Wishes wishes, Instant now, Optional<ReplyTo> asker) {
    // If the owner fails here, what came in is for the next one.
    if (runId == null && chronicle.state().exists()) runId = chronicle.state().start().runId();
    uncommitted = command;
    Wishes asked = code.take(command, chronicle.state(), wishes);
    CommitPortion portion = portion(command, asked, now);
    Decision decision = portion.decision();
    if (decision.events().isEmpty()) {
      uncommitted = null;
      follow(decision, asker);
      // So much of it needs no commit: what it gives up may have come out. The rest may need one.
      if (code.keep(portion.rest())) pending.grantMore();
      return Next.nothing();
    }
    JournalEntry.Encoded encoded = portion.encoded();
    Optional<String> tooLarge = portion.whyTooLarge();
    if (tooLarge.isPresent())
      return asked.isEmpty()
          ? tooLargeByItself(asker, tooLarge.get())
          : decideWithoutCode(
              new CodeWork.Deciding(command, now, asker),
              new Incident.Other(TOO_LARGE, tooLarge.get()));
    boolean more = code.keep(portion.rest());
    JournalEntry entry = chronicle.next(encoded, decision.returned(), more, now, signal(asker));
    committing = asker;
    return new Next.Commit<>(
        entry,
        isProgress(decision),
        () -> {
          uncommitted = null;
          pending.results.stands();
          boolean renews = recordedFirst || isRenewal(decision);
          rest.stands(chronicle.state(), !renews && !more && pending.isEmpty());
          chronicle.stands();
          List<Effect.RunStep> toRun = follow(decision, asker);
          committing = Optional.empty();
          cautions.look(chronicle.state());
          if (renews) {
            chronicle.followsRun(entry);
            return Next.carryOver();
          }
          if (more) pending.grantMore();
          // Before the code may go on: what it learns then is not committed.
          snapshots.stands(encoded.bytes());
          quiet(toRun);
          return Next.nothing();
        });
  }

  /** The signal that the commit takes, when it is of one. */
  private static Optional<IncomingSignal> signal(Optional<ReplyTo> asker) {
    return asker.filter(IncomingSignal.class::isInstance).map(IncomingSignal.class::cast);
  }

  /** That work was handed out again is what each owner that fails leaves behind. */
  private static boolean isProgress(Decision decision) {
    return !decision.events().stream().allMatch(Event.Redelivered.class::isInstance);
  }

  private CommitPortion portion(Command command, Wishes asked, Instant now) {
    try {
      return CommitPortion.of(
          asked,
          CommitPortion.wishesMin(command),
          host.limits,
          granted -> host.kernel.decide(chronicle.state(), command, granted, now),
          chronicle::encode);
    } catch (StorageException away) {
      // A large value that is to be written again cannot be read: the next owner decides this.
      uncommitted = command;
      throw away;
    }
  }

  private static boolean isRenewal(Decision decision) {
    for (Event event : decision.events())
      if (Fork.followsRun(event) || event instanceof Event.Forked) return true;
    return false;
  }

  /** What follows, once it stands; returns what the code is to run. */
  private List<Effect.RunStep> follow(Decision decision, Optional<ReplyTo> asker) {
    List<Effect.RunStep> toRun = List.of();
    for (Effect effect : decision.effects()) {
      aftermath.perform(effect, chronicle.state());
      if (effect instanceof Effect.RunStep run) {
        if (toRun.isEmpty()) toRun = new ArrayList<>(1);
        toRun.add(run);
      }
      if (effect instanceof Effect.StopAttempt stop) code.stop(stop.operation(), stop.attempt());
    }
    aftermath.release(chronicle.state());
    // Whoever sent an update waits for its answer already, not for a receipt.
    if (decision.reply() instanceof Reply.UpdateAnswered(String updateId, var outcome))
      askers.updated(updateId, outcome);
    else if (!(decision.reply() instanceof Reply.UpdatePending))
      asker.ifPresent(one -> askers.answer(one, decision.reply()));
    if (chronicle.state().exists() && chronicle.state().phase().isOver()) code.giveUp();
    return toRun;
  }

  /**
   * The code is given up, as it cannot go on or asks for too much. What it was at work for is
   * decided after the incident; only a start stands at once, whatever its code is worth.
   */
  Next<JournalEntry> decideWithoutCode(CodeWork.Deciding deciding, Incident incident) {
    code.giveUp();
    boolean starts = deciding.command() instanceof Command.StartWorkflow;
    if (!starts) pending.addFirst(deciding.message());
    pending.raise(incident);
    return starts ? decide(deciding, Wishes.UNASKED) : Next.nothing();
  }

  /**
   * It is not done, and a person is told. Results and signals never come to this: what is too much
   * for one commit is not taken from {@link IncomingResults} together.
   */
  private Next<JournalEntry> tooLargeByItself(Optional<ReplyTo> asker, String why) {
    pending.raise(new Incident.Other(TOO_LARGE, why));
    asker.ifPresent(one -> one.tell(new Answer.NotNow(why)));
    return Next.nothing();
  }

  /** Keeps the results of attempts that nothing was committed of for the next owner. */
  void passOn(IncomingResults results) {
    if (runId == null && !chronicle.state().exists()) return;
    List<Command> all = new ArrayList<>();
    if (uncommitted != null) all.add(uncommitted);
    all.addAll(results.rest());
    pending.results.ends(runId != null ? runId : chronicle.state().start().runId(), all);
  }

  /** Whether the update cannot be checked now; whoever sent it is told. */
  private boolean refuses(Command.Update update, Optional<ReplyTo> asker) {
    if (!host.runaways.isValidating(chronicle.state().start().type(), update.name())) return false;
    asker.ifPresent(
        one ->
            one.tell(
                new Answer.NotNow(
                    "The validator of update %s was given up before, and still runs on a thread of this node."
                        .formatted(update.name()))));
    return true;
  }

  /** Everything is committed; the code may go on. */
  void quiet(List<Effect.RunStep> steps) {
    code.quiet(chronicle.state(), steps);
    rest.quiet(chronicle.state(), !pending.isEmpty(), !askers.isEmpty());
  }

  boolean isWanted() {
    return !askers.isEmpty() || !pending.isEmpty();
  }

  /** What was asked for cannot be stored, so to ask for it again would be in vain. */
  void cannotCommit(RuntimeException why) {
    committing.ifPresent(asker -> asker.tell(FailureAnswer.of(why)));
    committing = Optional.empty();
  }

  /** Tells those who wait that the next owner knows. */
  void end(String why) {
    Answer again = new Answer.Again(why);
    if (signal(committing).isPresent()) pending.leaveSignals();
    committing.ifPresent(asker -> asker.tell(again));
    code.work().ifPresent(work -> givesUp(work, again));
  }

  private void givesUp(CodeWork work, Answer again) {
    switch (work) {
      case CodeWork.Asking(var inquiry, var asker) -> asker.tell(again);
      case CodeWork.Replaying replay -> {}
      case CodeWork.Reading reading -> {}
      case CodeWork.Deciding deciding -> {
        // What is carried over is answered by the next owner.
        if (!pending.beginsWith(deciding.message()))
          deciding.replyTo().ifPresent(asker -> asker.tell(again));
      }
    }
  }
}
