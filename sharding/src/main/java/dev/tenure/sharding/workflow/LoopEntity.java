package dev.tenure.sharding.workflow;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitId;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.journal.JournalRead;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.persistence.shard.ShardOf;
import dev.tenure.persistence.step.Step;
import dev.tenure.persistence.step.StepCodec;
import dev.tenure.persistence.step.StepSerializer;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;

/**
 * What {@link WorkflowEntity} is on a node with actors, on a {@link LoopNode}: it recovers, hands
 * its owner one message at a time, commits, and begins again when a commit does not stand.
 */
final class LoopEntity implements Owner.Self {
  private enum Phase {
    RECOVERING,
    READY,
    COMMITTING,
    PAUSING,
    GONE
  }

  private static final StepSerializer SERIALIZER = new StepSerializer(Payloads.NONE);
  private static final int PAGE_ROWS = 1_000;
  private static final Duration PAUSE_FIRST = Duration.ofMillis(20);

  private final LoopNode node;
  private final WorkflowId id;
  private final int shard;
  private final Carry carry = new Carry();
  private final Queue<Message> mailbox = new ArrayDeque<>();
  private Owner owner;
  private String writer = "";
  private Phase phase = Phase.RECOVERING;
  private Duration pause = PAUSE_FIRST;
  private boolean turnComes;
  private boolean leaves;

  LoopEntity(LoopNode node, WorkflowId id) {
    this.node = node;
    this.id = id;
    this.shard = ShardOf.workflow(id.value(), node.shards);
  }

  WorkflowId id() {
    return id;
  }

  int shard() {
    return shard;
  }

  // --- its mailbox

  void arrived(Message message) {
    if (message instanceof Message.Asked asked && !carry.arrives())
      asked.replyTo().tell(new Answer.Busy(WorkflowSettings.WAITING_MAX));
    else tell(message);
  }

  @Override
  public synchronized void tell(Message message) {
    mailbox.add(message);
    if (message instanceof Message.Overdue) node.tellsOverdue();
    takesTurn();
  }

  @Override
  public void passivate() {
    if (leaves) return;
    leaves = true;
    carry.leaves();
    tell(Message.Stop.STOP);
  }

  private synchronized void takesTurn() {
    if (phase != Phase.READY || turnComes || mailbox.isEmpty()) return;
    turnComes = true;
    node.soon(id + " takes " + mailbox.peek().getClass().getSimpleName(), this::turn);
  }

  private synchronized Optional<Message> next() {
    turnComes = false;
    return phase == Phase.READY ? Optional.ofNullable(mailbox.poll()) : Optional.empty();
  }

  private void turn() {
    next().ifPresent(message -> guarded(() -> follow(owner.on(message))));
    takesTurn();
  }

  private void guarded(Runnable work) {
    try {
      work.run();
    } catch (StartAnewException anew) {
      owner.end("The owner starts again.");
      begin();
    } catch (NotCommittedException | StorageException later) {
      pause(later.getMessage());
    } catch (RuntimeException defect) {
      node.around.defect(id, defect);
      pause("The owner failed: " + defect);
    }
  }

  private void follow(Next next) {
    switch (next) {
      case Next.Nothing nothing -> {}
      case Next.Commit(Step step, Runnable then) -> commit(step, then);
      case Next.Stop stop -> stop();
    }
  }

  // --- beginning

  /** Begins from the history, under the tenure that the node has now. */
  void begin() {
    Optional<Long> epoch = node.epochOf(shard);
    if (epoch.isEmpty()) {
      phase = Phase.GONE;
      node.gone(this);
      return;
    }
    boolean fresh = node.host.takeFresh(id);
    writer = node.host.ids.get();
    owner = new Owner(node.host, this, id, new Fence(shard, epoch.get()), fresh, carry);
    phase = Phase.RECOVERING;
    Owner recovering = owner;
    node.soon(
        id + " recovers",
        () -> {
          if (owner == recovering && phase == Phase.RECOVERING) recover(fresh);
        });
  }

  private void recover(boolean fresh) {
    try {
      for (long from = 1; !fresh; ) {
        JournalRead read =
            new JournalRead(Host.persistenceId(id), from, Long.MAX_VALUE, PAGE_ROWS, from == 1);
        List<JournalRow> rows = node.storage.read(List.of(read)).getFirst();
        for (JournalRow row : rows)
          owner.recover(StepCodec.decode(row.payload(), node.storage.payloads()));
        if (rows.size() < PAGE_ROWS) break;
        from = rows.getLast().version() + 1;
      }
    } catch (StorageException e) {
      pause("Its history cannot be read: " + e.getMessage());
      return;
    }
    phase = Phase.READY;
    // Only a message starts what is taken for new: there is nothing else to go on with.
    if (fresh) takesTurn();
    else tell(Message.GoOn.GO_ON);
  }

  private void pause(String why) {
    owner.end(why);
    if (phase == Phase.GONE) return;
    phase = Phase.PAUSING;
    node.after(
        pause,
        id + " begins again",
        () -> {
          if (phase == Phase.PAUSING) begin();
        });
    Duration twice = pause.multipliedBy(2);
    Duration max = node.host.settings.recoveryPauseMax();
    pause = twice.compareTo(max) > 0 ? max : twice;
  }

  // --- committing

  private void commit(Step step, Runnable then) {
    phase = Phase.COMMITTING;
    Commit commit =
        new Commit(
            new CommitId(Host.persistenceId(id), step.head().version(), writer),
            step.fence(),
            StepSerializer.IDENTIFIER,
            SERIALIZER.manifest(step),
            SERIALIZER.toBinary(step),
            node.host.clock.millis(),
            step.sideRows());
    Owner committing = owner;
    // Whatever becomes of the owner, the commit is under way.
    node.soon(
        id + " commits " + step.head().version(),
        () -> {
          CommitResult result = store(commit);
          if (owner == committing && phase == Phase.COMMITTING) committed(result, then);
        });
  }

  private CommitResult store(Commit commit) {
    try {
      return node.storage.commit(List.of(commit)).getFirst();
    } catch (StorageException e) {
      return new CommitResult.Unknown(commit.id(), e);
    }
  }

  private void committed(CommitResult result, Runnable then) {
    switch (result) {
      case CommitResult.Committed done -> {
        phase = Phase.READY;
        pause = PAUSE_FIRST;
        guarded(then);
        takesTurn();
      }
      case CommitResult.Fenced fenced -> pause("The commit was refused: " + fenced);
      case CommitResult.Conflict conflict -> pause("The commit was refused: " + conflict);
      case CommitResult.Unknown unknown -> pause("Whether it was committed is not known yet.");
    }
  }

  // --- leaving

  /** What has arrived since it asked to go is for its successor. */
  void stop() {
    phase = Phase.GONE;
    owner.end("The owner has stopped.");
    node.gone(this);
    if (!leaves || node.loop.isMuted()) return;
    for (Message left : mailbox)
      if (left instanceof Message.Turn && !(left instanceof Message.Idle)) node.arrived(id, left);
  }
}
