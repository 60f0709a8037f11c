package dev.tenure.sharding.loop;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.InvalidCommitError;
import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.entry.JournalEntryCodec;
import dev.tenure.persistence.entry.Snapshot;
import dev.tenure.persistence.journal.JournalRead;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.merging.PipelineSaturatedError;
import dev.tenure.persistence.shard.ShardOf;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.sharding.commit.EntryCommit;
import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.host.OwnerLimits;
import dev.tenure.sharding.mailbox.PendingMessages;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.node.WorkflowEntity;
import dev.tenure.sharding.run.Owner;
import dev.tenure.sharding.unreadable.Unreadable;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.owner.OwnerLoop;
import dev.tenure.workflow.owner.OwnerPort;
import dev.tenure.workflow.owner.OwnerState;
import dev.tenure.workflow.owner.StandIn;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;

/** Runs one {@link OwnerLoop} on a {@link LoopNode}, as {@link WorkflowEntity} does on a node. */
final class LoopEntity implements OwnerPort<Message, JournalEntry, Snapshot>, Owner.Self {
  private final LoopNode node;
  private final WorkflowId id;
  private final int shard;
  private final PendingMessages pending;
  private final OwnerLoop<Message, JournalEntry, Snapshot> loop;
  private final Queue<Message> mailbox = new ArrayDeque<>();
  private Fence fence;
  private boolean turnComes;
  private boolean awaitsLastCommit;

  LoopEntity(LoopNode node, WorkflowId id) {
    this.node = node;
    this.id = id;
    this.shard = ShardOf.workflow(id.value(), node.shards);
    this.pending =
        new PendingMessages(node.host.limits, message -> node.host.transport.tell(id, message));
    this.loop = new OwnerLoop<>(this, pending, node.host.settings.recoveryPauseMax());
  }

  WorkflowId id() {
    return id;
  }

  int shard() {
    return shard;
  }

  void begin() {
    loop.begin();
  }

  // --- its mailbox

  /** A loop reads histories one by one. */
  @Override
  public void historyIsDone() {}

  @Override
  public void tell(Message message) {
    // Its owner has no limit for a read: without an answer it waits for a late one.
    if (message instanceof Message.ProgramRead)
      answers("its program", () -> put(message), () -> put(message));
    else put(message);
  }

  private synchronized void put(Message message) {
    mailbox.add(message);
    if (message instanceof Message.Overdue) node.tellsOverdue();
    takesTurn();
  }

  private synchronized void takesTurn() {
    if (turnComes || mailbox.isEmpty()) return;
    turnComes = true;
    node.soon(id + " takes " + mailbox.peek().getClass().getSimpleName(), this::turn);
  }

  private synchronized Message next() {
    turnComes = false;
    return mailbox.remove();
  }

  private void turn() {
    Message message = next();
    if (message instanceof Message.Stop) loop.stop();
    else loop.on(message);
    takesTurn();
  }

  // --- what the loop needs

  @Override
  public Optional<TakenUp<Message, JournalEntry, Snapshot>> takeUp(Optional<String> failure) {
    Optional<Fence> held = node.fenceOf(shard);
    if (held.isEmpty()) return Optional.empty();
    node.around.takenUp(node, id);
    fence = held.get();
    boolean fresh = node.host.takeFresh(id);
    return Optional.of(
        new TakenUp<>(new Owner(node.host, this, id, fence, fresh, pending, failure), fresh));
  }

  @Override
  public void readHistory(long number) {
    readFrom(1, number, "recovers");
  }

  /** Each page is a task of its own, so other tasks may run between two pages. */
  private void readFrom(long version, long number, String what) {
    node.soon(
        id + " " + what,
        () -> {
          if (loop.awaits(number)) read(version, number);
        });
  }

  private void read(long from, long number) {
    boolean first = from == 1;
    OwnerLimits limits = node.host.limits;
    int max = first ? limits.rowsBeforeSnapshot() : limits.rowsPerPage();
    JournalRead page = new JournalRead(Host.persistenceId(id), from, Long.MAX_VALUE, max, first);
    try {
      List<JournalRow> rows = node.storage.read(List.of(page)).getFirst();
      answers("the history", () -> arrived(number, page, rows), () -> nothingRead(number));
    } catch (RuntimeException e) {
      loop.historyFailed(number, e);
    }
  }

  private void arrived(long number, JournalRead page, List<JournalRow> rows) {
    if (!loop.awaits(number)) return;
    try {
      for (JournalRow row : rows)
        loop.entryRead(number, JournalEntryCodec.decode(row, node.storage));
    } catch (RuntimeException e) {
      loop.historyFailed(number, e);
      return;
    }
    if (rows.size() < page.maxRows()) loop.historyRead(number);
    else if (page.newestRun()) lookForSnapshot(rows.getLast().version(), number);
    else readFrom(rows.getLast().version() + 1, number, "recovers");
  }

  private void lookForSnapshot(long readTo, long number) {
    node.soon(
        id + " looks for a snapshot",
        () -> {
          if (!loop.awaits(number)) return;
          Optional<Snapshot> found =
              node.host.snapshotReader.find(id, Host.persistenceId(id), readTo);
          // Without an answer the owner reads the history as if there were no snapshot.
          answers(
              "a snapshot",
              () -> looked(readTo, found, number),
              () -> looked(readTo, Optional.empty(), number));
        });
  }

  private void looked(long readTo, Optional<Snapshot> found, long number) {
    if (!loop.awaits(number)) return;
    if (found.isEmpty()) readFrom(readTo + 1, number, "recovers");
    else {
      loop.snapshotRead(number, found.get());
      readFrom(found.get().readOn(readTo), number, "recovers with a snapshot");
    }
  }

  private void nothingRead(long number) {
    if (!loop.awaits(number)) return;
    node.host.wakeLater(id);
    loop.journalSilent(number);
  }

  private void answers(String what, Runnable answer, Runnable silence) {
    node.answers(id + " hears of " + what, answer, silence);
  }

  @Override
  public void write(JournalEntry entry, long number) {
    String what = id + " commits " + entry.head().version();
    Commit commit;
    try {
      commit = commit(entry);
    } catch (InvalidCommitError invalid) {
      node.soon(what, () -> loop.commitInvalid(number, invalid));
      return;
    }
    // The commit is under way even if the owner ends now.
    node.soon(what, () -> store(commit, number));
  }

  private Commit commit(JournalEntry entry) {
    return EntryCommit.of(entry, entry.sideRows());
  }

  private void store(Commit commit, long number) {
    CommitResult result;
    try {
      result = store(commit);
    } catch (PipelineSaturatedError full) {
      loop.commitRefused(number, full.toString());
      return;
    }
    answers("its commit", () -> answer(number, result), () -> loop.journalSilent(number));
  }

  private CommitResult store(Commit commit) {
    try {
      return node.storage.commit(List.of(commit)).getFirst();
    } catch (StorageException e) {
      return new CommitResult.Unknown(commit.id(), e);
    }
  }

  private void answer(long number, CommitResult result) {
    switch (result) {
      case CommitResult.Committed done -> loop.commitStands(number);
      case CommitResult.Fenced fenced -> loop.commitRefused(number, fenced.toString());
      case CommitResult.Conflict conflict -> loop.commitRefused(number, conflict.toString());
      case CommitResult.SignalNotTaken signal -> loop.commitRefused(number, signal.toString());
      case CommitResult.Unknown unknown -> loop.commitUncertain(number);
    }
  }

  @Override
  public void pause(Duration pause, long number) {
    node.after(pause, id + " begins again", () -> loop.pauseOver(number));
  }

  @Override
  public Optional<String> damage(Throwable failure) {
    return Unreadable.damage(failure);
  }

  @Override
  public boolean mayPass(Throwable failure) {
    return Unreadable.mayPass(failure);
  }

  @Override
  public StandIn<Message> standIn(String evidence, long number) {
    Unreadable.Self me =
        new Unreadable.Self() {
          @Override
          public void readAgain() {
            node.soon(id + " is read again", () -> loop.restored(number));
          }

          @Override
          public void leave() {
            node.soon(id + " is not needed", () -> loop.unneeded(number));
          }

          /** Who runs the node of a loop decides what it holds. */
          @Override
          public void fenced() {}
        };
    Unreadable workflow = new Unreadable(node.host, id, fence, pending, evidence, me);
    workflow.raise();
    return workflow;
  }

  @Override
  public void failed(RuntimeException failure) {
    node.around.defect(id, failure);
  }

  // --- leaving

  @Override
  public void leave() {
    pending.asksToGo();
    tell(Message.Stop.STOP);
  }

  @Override
  public void letGo() {
    tell(Message.Stop.STOP);
  }

  @Override
  public void ended() {
    node.around.ended(id, pending.asked());
    node.gone(this);
  }

  /** The tenure is over: another node holds the shard, or this one does anew. */
  void stop() {
    loop.stop();
    awaitsLastCommit = loop.state() == OwnerState.STOPPING;
  }

  /** Whether its tenure is over, and its owner still waits for a commit, or has just ended so. */
  boolean awaitsLastCommit() {
    return awaitsLastCommit;
  }

  /** The node has died. */
  void killed() {
    loop.killed();
  }
}
