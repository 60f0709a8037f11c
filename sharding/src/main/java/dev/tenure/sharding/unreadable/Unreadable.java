package dev.tenure.sharding.unreadable;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.incident.IncidentRow;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.persistence.visibility.WorkflowChange;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.mailbox.PendingMessages;
import dev.tenure.sharding.message.Answer;
import dev.tenure.sharding.message.Description;
import dev.tenure.sharding.message.IncomingSignal;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.message.ReplyTo;
import dev.tenure.sharding.wake.WakeScans;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Reply;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.operation.Outcome;
import dev.tenure.workflow.owner.StandIn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands in for the owner of a workflow whose history cannot be read. It can decide nothing about
 * the workflow, so it commits nothing to the journal. It raises an incident, can end the workflow,
 * and reads the history again when the journal was restored. A workflow whose history only a newer
 * engine reads is blocked meanwhile.
 */
public final class Unreadable implements StandIn<Message> {
  /** The actor that carries the stand-in. Called on any thread. */
  public interface Self {
    /** Begins again with the history. */
    void readAgain();

    /** Nothing is left to do in memory. */
    void leave();

    /** The store refused to write under this tenure: the shard may be lost. */
    void fenced();
  }

  private static final Logger log = LoggerFactory.getLogger(Unreadable.class);
  public static final String KIND = WakeScans.UNREADABLE;

  private final Host host;
  private final WorkflowId id;
  private final Fence fence;
  private final PendingMessages pending;
  private final String evidence;
  private final Hindrance hindrance;
  private final Self self;

  /** One terminate is carried out at a time. */
  private final AtomicBoolean ending = new AtomicBoolean();

  /** The status with which the workflow was found closed, or was ended here. */
  private volatile Optional<Answer.Ended> ended = Optional.empty();

  private volatile boolean raised;

  /** Whether the store has a row of the workflow. */
  private enum Existence {
    NOT_KNOWN_YET,
    EXISTS,
    DOES_NOT
  }

  private volatile Existence existence = Existence.NOT_KNOWN_YET;

  public Unreadable(
      Host host, WorkflowId id, Fence fence, PendingMessages pending, String evidence, Self self) {
    this.host = host;
    this.id = id;
    this.fence = fence;
    this.pending = pending;
    this.evidence = evidence;
    this.hindrance = Hindrance.of(evidence);
    this.self = self;
  }

  /** Why the history cannot be read by this engine; empty when the failure may pass. */
  public static Optional<String> damage(Throwable failure) {
    return Hindrance.evidence(failure);
  }

  /** Whether an incident of that kind says that an owner could not read the history. */
  static boolean isKind(String kind) {
    for (Hindrance one : Hindrance.values()) if (one.kind.equals(kind)) return true;
    return false;
  }

  /** Whether the store did not answer, so that nothing is known of the history. */
  public static boolean mayPass(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause())
      if (cause instanceof StorageException) return true;
    return false;
  }

  /** Raises the incident, unless the workflow is closed. Tried again with each wake-up. */
  public void raise() {
    host.suspects.forgetUnreadable(id);
    if (raised || ended.isPresent()) return;
    host.reading(this::raiseNow)
        .whenComplete(
            (done, failure) -> {
              if (failure == null) return;
              log.warn("the incident of workflow {} is not stored yet: {}", id, failure.toString());
              host.wakeLater(id);
            });
  }

  private boolean raiseNow() {
    Optional<WorkflowRow> row = host.storage.workflows().find(id);
    existence = row.isPresent() ? Existence.EXISTS : Existence.DOES_NOT;
    if (row.isEmpty()) {
      leaveSoon();
      return false;
    }
    if (row.get().closedAt().isPresent()) {
      hasEnded(ended(row.get().status()));
      return false;
    }
    List<SideRow> rows = new ArrayList<>();
    rows.add(
        new SideRow.IncidentRaised(
            IncidentRow.of(
                id,
                row.get().runId(),
                row.get().type(),
                fence.shard(),
                0,
                host.clock.instant(),
                hindrance.kind,
                Optional.empty(),
                evidence)));
    rows.add(
        new SideRow.WorkflowChanged(
            WorkflowChange.rests(id, hindrance.status, Optional.empty(), Long.MAX_VALUE)));
    raised = writeNow(rows);
    return raised;
  }

  private void hasEnded(Answer.Ended how) {
    ended = Optional.of(how);
    leaveSoon();
  }

  /** Leaves memory, but not while clients ask: each request would take the workflow up again. */
  private void leaveSoon() {
    host.timers.after(host.settings.restLimit(), self::leave);
  }

  /** The history may say how the workflow ended; its row only says that it did. */
  private Answer.Ended ended(Status status) {
    return new Answer.Ended(
        status, new Outcome.Terminated("Its history cannot be read: " + evidence));
  }

  @Override
  public void on(Message message) {
    if (message instanceof Message.WakeUp) raise();
    if (message instanceof Message.Stored) pending.stored();
    if (message instanceof Message.Signalled(IncomingSignal signal)) signal.toInbox();
    if (!(message instanceof Message.Asked asked)) return;
    if (existence != Existence.EXISTS) {
      asked.replyTo().tell(new Answer.Again("Whether workflow " + id + " exists is looked up."));
      // There is no such workflow: only a start has failed, and the next start may succeed.
      if (existence == Existence.DOES_NOT) self.readAgain();
      return;
    }
    if (asked instanceof Message.AwaitEnd) {
      // Clients get no answer until it has ended: they ask again.
      ended.ifPresent(asked.replyTo()::tell);
      return;
    }
    // Neither a parent nor the sender of a message waits for it any more.
    if (ended.isPresent() && asked instanceof Message.Tell) sayEnded(asked.replyTo());
    else if (asked instanceof Message.Tell(Command.Terminate terminate, ReplyTo replyTo))
      end(terminate, replyTo);
    else if (asked instanceof Message.Tell(Command.ResolveIncident resolve, ReplyTo replyTo))
      resolve(replyTo);
    else if (asked instanceof Message.Describe && hindrance == Hindrance.NEEDS_NEWER_ENGINE)
      describe(asked.replyTo());
    else asked.replyTo().tell(new Answer.NotNow(hindrance.refusal(evidence)));
  }

  /** What the rows say; the history would say more. */
  private void describe(ReplyTo replyTo) {
    host.reading(
            () -> {
              Optional<WorkflowRow> row = host.storage.workflows().find(id);
              long newest = host.storage.newestVersions(List.of(Host.persistenceId(id))).getFirst();
              return row.<Answer>map(
                      known -> new Answer.Described(Description.of(known, newest, evidence)))
                  .orElseGet(Answer.Unknown::new);
            })
        .whenComplete(
            (answer, failure) ->
                replyTo.tell(failure == null ? answer : new Answer.Again(failure.toString())));
  }

  private void sayEnded(ReplyTo replyTo) {
    Answer.Ended how = ended.orElseThrow();
    replyTo.tell(new Answer.Said(new Reply.AlreadyEnded(how.status(), how.outcome())));
  }

  /** Commits the end to the journal where that is possible; seals the journal otherwise. */
  private void end(Command.Terminate terminate, ReplyTo replyTo) {
    if (!ending.compareAndSet(false, true)) {
      replyTo.tell(new Answer.Again("It is being terminated."));
      return;
    }
    TerminationWithoutOwner termination =
        new TerminationWithoutOwner(host, id, fence, self::fenced);
    host.reading(() -> termination.commit(terminate))
        .thenCompose(
            answer -> {
              if (answer.isEmpty()) return endWithoutHistory(termination);
              if (answer.get().equals(TerminationWithoutOwner.DONE)) self.readAgain();
              return CompletableFuture.completedStage(answer.get());
            })
        .whenComplete(
            (answer, failure) -> {
              ending.set(false);
              replyTo.tell(failure == null ? answer : new Answer.Again(failure.toString()));
            });
  }

  /**
   * The parent and the children are told first. When the node dies in between, the client
   * terminates the workflow again, and they are told again.
   */
  private CompletionStage<Answer> endWithoutHistory(TerminationWithoutOwner termination) {
    Answer.Ended how = ended(Status.TERMINATED);
    return host.reading(() -> host.storage.workflows().find(id).flatMap(WorkflowRow::parent))
        .thenCompose(
            parent ->
                parent.isEmpty()
                    ? CompletableFuture.completedStage(Optional.<Answer>empty())
                    : new ParentOfUnreadable(host, id).tell(parent.get(), how.outcome()))
        .thenCompose(
            refusal ->
                refusal.isPresent()
                    ? CompletableFuture.completedStage(refusal)
                    : new ChildrenOfUnreadable(host, id).tell())
        .thenCompose(
            refusal ->
                refusal.isPresent()
                    ? CompletableFuture.completedStage(refusal.get())
                    : host.reading(
                        () -> {
                          Answer answer = termination.seal();
                          if (answer.equals(TerminationWithoutOwner.DONE)) hasEnded(how);
                          return answer;
                        }));
  }

  private void resolve(ReplyTo replyTo) {
    List<SideRow> rows = new ArrayList<>();
    rows.add(new SideRow.IncidentClosed(id));
    rows.add(
        new SideRow.WorkflowChanged(
            WorkflowChange.rests(id, Status.RUNNING, Optional.of(host.clock.instant()), 0)));
    answer(replyTo, write(rows), self::readAgain);
  }

  private CompletionStage<Boolean> write(List<SideRow> rows) {
    return host.reading(() -> writeNow(rows));
  }

  private boolean writeNow(List<SideRow> rows) {
    boolean stands = host.storage.writeWithoutHistory(id, fence, rows);
    if (!stands) self.fenced();
    return stands;
  }

  private static void answer(ReplyTo replyTo, CompletionStage<Boolean> written, Runnable then) {
    written.whenComplete(
        (stands, failure) -> {
          if (failure != null) replyTo.tell(new Answer.Again(failure.toString()));
          else if (!stands) replyTo.tell(new Answer.Again("The owner has changed."));
          else {
            then.run();
            replyTo.tell(new Answer.Said(new Reply.Done()));
          }
        });
  }
}
