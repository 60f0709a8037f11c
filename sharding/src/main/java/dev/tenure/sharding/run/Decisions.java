package dev.tenure.sharding.run;

import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.entry.Snapshot;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.sharding.activity.ActivityCapabilityError;
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
 * An owner's decisions, one at a time: the kernel admits a command, the code goes on with its news,
 * the kernel decides, the owner hands out one commit, and the effects follow when it stands.
 */
final class Decisions {
  private final Host host;
  private final WorkflowId id;
  private final PendingMessages pending;
  private final HistoryWriter history;
  private final CodeRun code;
  private final PendingReplies replies;
  private final EffectRunner effects;
  private final Residency residency;
  private final SnapshotOffers snapshots;
  private final LimitWarnings warnings = new LimitWarnings();

  /** The kind of an incident: a commit would exceed a limit. */
  private static final String TOO_LARGE = "commit-too-large";

  /** The kind of an incident: the storage cannot claim a keyed call. */
  static final String UNCLAIMABLE = "unclaimable-activity";

  /**
   * The id of the run that this owner decides for: the state may already be that of the next run.
   */
  private String runId;

  /** The command of the commit that is under way; null when none is. */
  private Command uncommitted;

  /** The receiver of the answer when the commit that is under way stands. */
  private Optional<ReplyTo> waitsForCommit = Optional.empty();

  /** The start was committed before any of its code ran, because a node was lost recently. */
  private boolean recordedFirst;

  /** The code begins again after the commit that is under way. */
  private boolean beginsAnew;

  Decisions(
      Host host,
      WorkflowId id,
      PendingMessages pending,
      HistoryWriter history,
      CodeRun code,
      PendingReplies replies,
      EffectRunner effects,
      Residency residency) {
    this.host = host;
    this.id = id;
    this.pending = pending;
    this.history = history;
    this.code = code;
    this.replies = replies;
    this.effects = effects;
    this.residency = residency;
    this.snapshots = new SnapshotOffers(host, history, code);
  }

  /** The history before the snapshot's commit is not folded. */
  void restore(Snapshot snapshot) {
    history.restore(snapshot);
    snapshots.restored(snapshot);
  }

  /** Decides on the command, at once or when the code has gone on with it. */
  Next<JournalEntry> on(Command given, Optional<ReplyTo> replyTo) {
    Command command = host.versions.decided(given, history.state());
    if (command instanceof Command.StartWorkflow) host.takeFresh(id);
    Instant now = host.clock.instant();
    return switch (host.kernel.admit(history.state(), command, now)) {
      case Admission.Refused(Reply reply) -> answered(replyTo, reply);
      case Admission.Duplicate(Reply reply) -> answered(replyTo, reply);
      case Admission.Ignored(String reason) -> answered(replyTo, new Reply.AlreadyDone(reason));
      case Admission.Accepted(List<News> news) -> {
        boolean begins = !history.state().exists();
        if (begins && command instanceof Command.StartWorkflow(var start, var policy)) {
          Finding found = code.programs().find(start.kind(), start.type());
          // After a node was lost, the start is committed before its code runs: if the code ends
          // this node, too, the record says which workflow it was.
          recordedFirst =
              found instanceof Finding.Found && host.suspects.isWary(host.nanos.getAsLong());
          if (recordedFirst) yield decide(command, Wishes.UNASKED, now, replyTo);
          switch (found) {
            case Finding.Found(var type, var definition) -> code.begin(definition, start.type());
            case Finding.Absent absent -> pending.addFirst(StartVersions.block(absent));
          }
        }
        if (command instanceof Command.Update update && refuses(update, replyTo))
          yield Next.nothing();
        if (command instanceof Command.Update update)
          replyTo.ifPresent(one -> replies.awaitUpdate(update.updateId(), one));
        if (code.continuesWithout(news)) {
          code.giveUp();
          beginsAnew = true;
        }
        if (!code.isHere()) yield decide(command, Wishes.UNASKED, now, replyTo);
        if (news.isEmpty()) yield decide(command, Wishes.NONE, now, replyTo);
        Optional<Wishes> answer = code.advance(new CodeWork.Deciding(command, now, replyTo), news);
        if (answer.isEmpty()) yield Next.nothing();
        yield decide(command, answer.get(), now, replyTo);
      }
    };
  }

  private Next<JournalEntry> answered(Optional<ReplyTo> replyTo, Reply reply) {
    replyTo.ifPresent(one -> replies.answer(one, reply));
    return Next.nothing();
  }

  /**
   * A step has ended, and the code has gone on with its result: decides both together, if the
   * kernel admits the result as the code assumed.
   */
  Next<JournalEntry> ahead(StepEnd end) {
    code.follow();
    StepEnd.Ahead ahead = end.ahead().orElseThrow();
    Command command = new Command.AttemptEnded(end.operation(), end.attempt(), end.outcome());
    boolean asAssumed =
        host.kernel.admit(history.state(), command, ahead.at())
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
      Command command, Wishes wishes, Instant now, Optional<ReplyTo> replyTo) {
    // If the owner fails from here on, the command is for the next owner.
    if (runId == null && history.state().exists()) runId = history.state().start().runId();
    uncommitted = command;
    Wishes asked = host.routes.routed(code.take(command, history.state(), wishes));
    Optional<Incident> refused = unclaimable(asked);
    if (refused.isPresent())
      return decideWithoutCode(new CodeWork.Deciding(command, now, replyTo), refused.get());
    CommitPortion portion = portion(command, asked, now);
    Decision decision = portion.decision();
    if (decision.events().isEmpty()) {
      uncommitted = null;
      follow(decision, replyTo);
      // The granted wishes need no commit: the operations that they give up may have ended. The
      // other wishes may need one.
      if (code.keep(portion.rest()) && !decision.waits()) pending.grantMore();
      return Next.nothing();
    }
    JournalEntry.Encoded encoded = portion.encoded();
    Optional<String> tooLarge = portion.whyTooLarge();
    if (tooLarge.isPresent())
      return asked.isEmpty()
          ? tooLargeByItself(replyTo, tooLarge.get())
          : decideWithoutCode(
              new CodeWork.Deciding(command, now, replyTo),
              new Incident.Other(TOO_LARGE, tooLarge.get()));
    // The kernel has refused what comes before the rest, so the rest is not what the code asked
    // for.
    boolean more = !refuses(decision) && code.keep(portion.rest());
    JournalEntry entry =
        history.next(encoded, decision.effects(), decision.returned(), more, now, signal(replyTo));
    waitsForCommit = replyTo;
    host.failpoints.hit("commit.before");
    return new Next.Commit<>(
        entry,
        isProgress(decision),
        () -> {
          uncommitted = null;
          pending.results.stands();
          boolean renews = recordedFirst || isRenewal(decision);
          residency.stands(history.state(), !renews && !more && pending.isEmpty());
          history.stands();
          host.failpoints.hit("commit.stands");
          effects.stands(decision.events());
          List<Effect.RunStep> toRun = follow(decision, replyTo);
          waitsForCommit = Optional.empty();
          warnings.look(history.state());
          if (renews) {
            history.followsRun(entry);
            return Next.carryOver();
          }
          if (beginsAnew)
            return new Next.Restart<>(
                "The code must learn of the cancellation before it continues as new.");
          if (more && !decision.waits()) pending.grantMore();
          // Before the code goes on, because the news that it gets then are not committed yet.
          snapshots.stands(encoded.bytes());
          quiet(toRun);
          return Next.nothing();
        });
  }

  /** A keyed call is claimed, or not made at all: where none can be claimed, none is asked for. */
  private Optional<Incident> unclaimable(Wishes asked) {
    return asked
        .keyedCall()
        .filter(name -> !host.storage.capabilities().conditionalBatch())
        .map(name -> new ActivityCapabilityError(name, host.storage.getClass().getSimpleName()))
        .map(why -> new Incident.Other(UNCLAIMABLE, why.getMessage()));
  }

  /** The signal that the commit takes, if it takes one. */
  private static Optional<IncomingSignal> signal(Optional<ReplyTo> replyTo) {
    return replyTo.filter(IncomingSignal.class::isInstance).map(IncomingSignal.class::cast);
  }

  /** Each owner that fails leaves redeliveries behind, so they are no progress. */
  private static boolean isProgress(Decision decision) {
    return !decision.events().stream().allMatch(Event.Redelivered.class::isInstance);
  }

  private CommitPortion portion(Command command, Wishes asked, Instant now) {
    try {
      return CommitPortion.of(
          asked,
          CommitPortion.wishesMin(command),
          host.limits,
          granted -> host.kernel.decide(history.state(), command, granted, now),
          history::encode);
    } catch (StorageException away) {
      // A large value that this commit has to write again cannot be read now: the next owner
      // decides this.
      uncommitted = command;
      throw away;
    }
  }

  private static boolean refuses(Decision decision) {
    for (Event event : decision.events())
      if (event instanceof Event.IncidentRaised(var at, var incident)
          && incident instanceof Incident.InvalidWish) return true;
    return false;
  }

  private static boolean isRenewal(Decision decision) {
    for (Event event : decision.events())
      if (Fork.followsRun(event) || event instanceof Event.Forked) return true;
    return false;
  }

  /**
   * Performs the effects once the commit stands, and answers. Returns the steps that the code has
   * to run.
   */
  private List<Effect.RunStep> follow(Decision decision, Optional<ReplyTo> replyTo) {
    List<Effect.RunStep> toRun = List.of();
    for (Effect effect : decision.effects()) {
      effects.perform(effect, history.state());
      if (effect instanceof Effect.RunStep run) {
        if (toRun.isEmpty()) toRun = new ArrayList<>(1);
        toRun.add(run);
      }
      if (effect instanceof Effect.StopAttempt stop) code.stop(stop.operation(), stop.attempt());
    }
    effects.release(history.state());
    // The sender of an update waits for the update's answer, not for a receipt.
    if (decision.reply() instanceof Reply.UpdateAnswered(String updateId, var outcome))
      replies.updated(updateId, outcome);
    else if (!(decision.reply() instanceof Reply.UpdatePending))
      replyTo.ifPresent(one -> replies.answer(one, decision.reply()));
    if (history.state().exists() && history.state().phase().isOver()) code.giveUp();
    return toRun;
  }

  /**
   * Gives up the code, because it cannot go on or asks for too much, and raises the incident. The
   * command that the code was working on is decided after that. A start is committed at once,
   * without its code.
   */
  Next<JournalEntry> decideWithoutCode(CodeWork.Deciding deciding, Incident incident) {
    code.giveUp();
    boolean starts = deciding.command() instanceof Command.StartWorkflow;
    if (!starts) pending.addFirst(deciding.message());
    pending.raise(incident);
    return starts ? decide(deciding, Wishes.UNASKED) : Next.nothing();
  }

  /**
   * Refuses the command, and raises an incident. Results and signals never get here: {@link
   * IncomingResults} takes no more of them than one commit holds.
   */
  private Next<JournalEntry> tooLargeByItself(Optional<ReplyTo> replyTo, String why) {
    pending.raise(new Incident.Other(TOO_LARGE, why));
    replyTo.ifPresent(one -> one.tell(new Answer.NotNow(why)));
    return Next.nothing();
  }

  /** Keeps the results of attempts that were not committed for the next owner. */
  void passOn(IncomingResults results) {
    if (runId == null && !history.state().exists()) return;
    List<Command> all = new ArrayList<>();
    if (uncommitted != null) all.add(uncommitted);
    all.addAll(results.rest());
    pending.results.ends(runId != null ? runId : history.state().start().runId(), all);
  }

  /** Whether the update cannot be checked now; tells its sender if so. */
  private boolean refuses(Command.Update update, Optional<ReplyTo> replyTo) {
    if (!host.runaways.isValidating(history.state().start().type(), update.name())) return false;
    replyTo.ifPresent(
        one ->
            one.tell(
                new Answer.NotNow(
                    "The validator of update %s was given up before, and still runs on a thread of this node."
                        .formatted(update.name()))));
    return true;
  }

  /** Everything is committed; the code may go on. */
  void quiet(List<Effect.RunStep> steps) {
    code.quiet(history.state(), steps);
    residency.quiet(history.state(), !pending.isEmpty(), !replies.isEmpty());
  }

  boolean isWanted() {
    return !replies.isEmpty() || !pending.isEmpty();
  }

  /** Tells the sender that the commit cannot be stored, so that it does not ask again. */
  void cannotCommit(RuntimeException why) {
    waitsForCommit.ifPresent(replyTo -> replyTo.tell(FailureAnswer.of(why)));
    waitsForCommit = Optional.empty();
  }

  /** Tells the clients that wait to ask the next owner. */
  void end(String why) {
    Answer again = new Answer.Again(why);
    if (signal(waitsForCommit).isPresent()) pending.leaveSignals();
    waitsForCommit.ifPresent(replyTo -> replyTo.tell(again));
    code.work().ifPresent(work -> givesUp(work, again));
  }

  private void givesUp(CodeWork work, Answer again) {
    switch (work) {
      case CodeWork.Asking(var inquiry, var replyTo) -> replyTo.tell(again);
      case CodeWork.Replaying replay -> {}
      case CodeWork.Reading reading -> {}
      case CodeWork.Deciding deciding -> {
        // The next owner answers the messages that it begins with.
        if (!pending.beginsWith(deciding.message()))
          deciding.replyTo().ifPresent(replyTo -> replyTo.tell(again));
      }
    }
  }
}
