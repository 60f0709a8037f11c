package dev.tenure.sharding.run;

import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.entry.Snapshot;
import dev.tenure.persistence.payload.MissingPayloadError;
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
import dev.tenure.sharding.owner.Next;
import dev.tenure.sharding.payload.CodeFault;
import dev.tenure.sharding.program.Holdup;
import dev.tenure.sharding.program.Inquiry;
import dev.tenure.sharding.program.ProgramFault;
import dev.tenure.sharding.program.ProgramSource.Finding;
import dev.tenure.sharding.program.Runaway;
import dev.tenure.sharding.program.StepEnd;
import dev.tenure.sharding.unreadable.Unreadable;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
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

  /** What the code is at work for; null when nothing is waited for. */
  private CodeWork job;

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

  void awaits(CodeWork wanted) {
    job = wanted;
  }

  /** What the owner waited for with a start was read. */
  void wasRead() {
    if (job instanceof CodeWork.Reading) job = null;
  }

  boolean awaitsCode() {
    return job != null;
  }

  /** What the code has come back with. */
  CodeWork takeJob() {
    CodeWork taken = job;
    job = null;
    if (taken == null) throw new IllegalStateException("The code answers what nobody asked.");
    return taken;
  }

  /** The message that the code is at work for and that nothing was committed of. */
  Optional<Message.Queued> undecided() {
    return job instanceof CodeWork.Deciding deciding
        ? Optional.of(deciding.message())
        : Optional.empty();
  }

  /** Decides on it, at once or when the code has gone on with it. */
  Next on(Command given, Optional<ReplyTo> asker) {
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
        if (command instanceof Command.Update update && refuses(update, asker)) yield Next.NOTHING;
        if (command instanceof Command.Update update)
          asker.ifPresent(one -> askers.awaitUpdate(update.updateId(), one));
        if (!code.isHere()) yield decide(command, Wishes.UNASKED, now, asker);
        if (news.isEmpty()) yield decide(command, Wishes.NONE, now, asker);
        job = new CodeWork.Deciding(command, now, asker);
        Optional<Wishes> answer = code.advance(news);
        if (answer.isEmpty()) yield Next.NOTHING;
        job = null;
        yield decide(command, answer.get(), now, asker);
      }
    };
  }

  private Next answered(Optional<ReplyTo> asker, Reply reply) {
    asker.ifPresent(one -> askers.answer(one, reply));
    return Next.NOTHING;
  }

  /** A step came out, and the code has gone on: both are decided together, as it assumed. */
  Next ahead(StepEnd end) {
    code.follow();
    StepEnd.Ahead ahead = end.ahead().orElseThrow();
    Command command = new Command.AttemptEnded(end.operation(), end.attempt(), end.outcome());
    boolean asAssumed =
        host.kernel.admit(chronicle.state(), command, ahead.at())
                instanceof Admission.Accepted(var news)
            && news.equals(List.of(new News.Completed(ahead.at(), end.operation(), end.outcome())));
    if (!asAssumed) {
      pending.addFirst(new Message.Own(command));
      return new Next.Restart("The code went on with what is not admitted.");
    }
    return decide(command, ahead.wishes(), ahead.at(), Optional.empty());
  }

  Next decide(CodeWork.Deciding deciding, Wishes wishes) {
    return decide(deciding.command(), wishes, deciding.now(), deciding.replyTo());
  }

  private Next decide(Command command, Wishes wishes, Instant now, Optional<ReplyTo> asker) {
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
      return Next.NOTHING;
    }
    JournalEntry.Encoded encoded = portion.encoded();
    Optional<String> tooLarge = portion.whyTooLarge();
    if (tooLarge.isPresent())
      return asked.isEmpty()
          ? tooLargeByItself(asker, tooLarge.get())
          : tooLarge(new CodeWork.Deciding(command, now, asker), tooLarge.get());
    boolean more = code.keep(portion.rest());
    JournalEntry entry = chronicle.next(encoded, decision.returned(), more, now, signal(asker));
    committing = asker;
    return new Next.Commit(
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
            return Next.CARRY_OVER;
          }
          if (more) pending.grantMore();
          // Before the code may go on: what it learns then is not committed.
          snapshots.stands(encoded.bytes());
          quiet(toRun);
          return Next.NOTHING;
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

  /** What the code asks for is too much: it is given up, and the command decided without it. */
  private Next tooLarge(CodeWork.Deciding deciding, String why) {
    code.giveUp();
    // A start stands, whatever its code is worth.
    boolean starts = deciding.command() instanceof Command.StartWorkflow;
    if (!starts) pending.addFirst(deciding.message());
    pending.raise(new Incident.Other(TOO_LARGE, why));
    return starts ? decide(deciding, Wishes.UNASKED) : Next.NOTHING;
  }

  /**
   * It is not done, and a person is told. Results and signals never come to this: what is too much
   * for one commit is not taken from {@link IncomingResults} together.
   */
  private Next tooLargeByItself(Optional<ReplyTo> asker, String why) {
    pending.raise(new Incident.Other(TOO_LARGE, why));
    asker.ifPresent(one -> one.tell(new Answer.NotNow(why)));
    return Next.NOTHING;
  }

  /** Keeps the results of attempts that nothing was committed of for the next owner. */
  void passOn(IncomingResults results) {
    if (runId == null && !chronicle.state().exists()) return;
    List<Command> all = new ArrayList<>();
    if (uncommitted != null) all.add(uncommitted);
    all.addAll(results.rest());
    pending.results.ends(runId != null ? runId : chronicle.state().start().runId(), all);
  }

  /** The code cannot go on, for a reason of which it knows nothing. */
  Next broken(Throwable why) {
    if (why instanceof StorageException) {
      beginsAgain();
      return new Next.Pause("A large value cannot be read now: " + why.getMessage());
    }
    return codeFails(
        switch (why) {
          case ProgramFault fault -> fault.incident();
          case MissingPayloadError missing ->
              new Incident.Other(Unreadable.KIND, missing.getMessage() + " Then resolve.");
          default ->
              new Incident.Other(
                  CodeFault.BROKEN_CODE, why + ". Deploy code that is whole, then resolve.");
        });
  }

  /** The code is given up, and what it did not finish is recorded after an incident says so. */
  Next codeFails(Incident incident) {
    CodeWork failed = job;
    job = null;
    code.ownResult().ifPresent(own -> pending.addFirst(new Message.Own(own)));
    code.giveUp();
    if (failed instanceof CodeWork.Asking(var inquiry, var asker))
      asker.tell(new Answer.NotNow(incident.message()));
    // A start stands, whatever its code is worth.
    boolean starts =
        failed instanceof CodeWork.Deciding deciding
            && deciding.command() instanceof Command.StartWorkflow;
    if (failed instanceof CodeWork.Deciding deciding && !starts)
      pending.addFirst(deciding.message());
    pending.raise(incident);
    return starts ? decide((CodeWork.Deciding) failed, Wishes.UNASKED) : Next.NOTHING;
  }

  /** The code has been running for longer than it may. */
  Next overdue(long since) {
    Optional<Holdup> holdup = code.holdup(since);
    if (holdup.isEmpty()) return Next.NOTHING;
    return switch (holdup.get()) {
      case Holdup.InCode(Runaway runaway, String where) -> {
        String why =
            "it ran for more than %s between two calls of the context, %s"
                .formatted(host.settings.codeLimit(), where);
        Next next = Next.NOTHING;
        // One who only asks is told so; the workflow itself goes on.
        if (code.giveUpLooking(why)) noteRunaway(runaway);
        else next = codeFails(new Incident.Stuck(why));
        runaway.abandon();
        yield next;
      }
      case Holdup.InStep(String step) -> {
        // A step that nobody wants keeps the thread: the code goes on, on another one.
        beginsAgain();
        yield new Next.Restart("Step " + step + " does not give its thread back.");
      }
    };
  }

  /** What the code is at work for is what the owner begins with when it has begun anew. */
  private void beginsAgain() {
    code.ownResult().ifPresent(own -> pending.beginWith(new Message.Own(own)));
    undecided().ifPresent(pending::beginWith);
  }

  private void noteRunaway(Runaway runaway) {
    WorkflowType type = chronicle.state().start().type();
    if (job instanceof CodeWork.Asking(Inquiry inquiry, ReplyTo asker))
      host.runaways.add(type, inquiry.name(), runaway);
    if (job instanceof CodeWork.Deciding deciding
        && deciding.command() instanceof Command.Update update)
      host.runaways.addValidator(type, update.name(), runaway);
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
    switch (job) {
      case null -> {}
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
