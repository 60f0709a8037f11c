package dev.tenure.simulation;

import dev.tenure.persistence.activity.ActivityRecords;
import dev.tenure.persistence.activity.ActivityStatus;
import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.definition.Definitions;
import dev.tenure.persistence.entry.JournalEntryCodec;
import dev.tenure.persistence.incident.Incidents;
import dev.tenure.persistence.journal.JournalRead;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.lease.Lease;
import dev.tenure.persistence.memory.MemoryStorage;
import dev.tenure.persistence.merging.PipelineSaturatedError;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.persistence.recovery.Recoveries;
import dev.tenure.persistence.recovery.Recovery;
import dev.tenure.persistence.signal.Signals;
import dev.tenure.persistence.snapshot.Snapshots;
import dev.tenure.persistence.storage.ForwardingStorage;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.persistence.visibility.WakeUp;
import dev.tenure.persistence.visibility.Workflows;
import dev.tenure.sharding.loop.Loop;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/** The store as one node sees it: at times it does not answer, or the node dies during a call. */
final class SimulatedStorage extends ForwardingStorage {
  private static final Duration LATER = Duration.ofMillis(5);
  private static final int REFUSALS_MAX = 20;
  private static final int QUEUE_LIMIT = 10_000;

  private final String node;
  private final DatabaseLink link;
  private final MemoryStorage memory;
  private final Chance chance;
  private final Flaw flaw;
  private final Checker checker;
  private final Loop loop;
  private final World world;
  private final ReachedLimits reached;
  private final Runnable die;
  private final IntConsumer move;
  private final Consumer<Fence> fenced;
  private final Signals signals;
  private final Snapshots snapshots;
  private final SimulatedTasks tasks;
  private final FlawedRows rows;
  private final Queue<Commit> unstored = new ArrayDeque<>();

  /** So many more commits are refused. */
  private int refusals;

  /**
   * @param die ends the node whose store this is
   * @param move has another node take a shard
   * @param fenced hears of commits that were refused because the node has lost a shard
   */
  SimulatedStorage(
      String node,
      DatabaseLink link,
      MemoryStorage memory,
      Chance chance,
      Flaw flaw,
      Checker checker,
      Loop loop,
      World world,
      ReachedLimits reached,
      Runnable die,
      IntConsumer move,
      Consumer<Fence> fenced) {
    super(memory);
    this.node = node;
    this.link = link;
    this.memory = memory;
    this.chance = chance;
    this.flaw = flaw;
    this.checker = checker;
    this.loop = loop;
    this.world = world;
    this.reached = reached;
    this.die = die;
    this.move = move;
    this.fenced = fenced;
    this.rows = new FlawedRows(flaw, checker);
    this.snapshots = new SimulatedSnapshots(memory, link, chance, flaw, checker, reached);
    this.signals = new SimulatedSignals(memory, link, chance, flaw, checker, reached);
    this.tasks = new SimulatedTasks(memory, link, chance, flaw, loop, die);
  }

  @Override
  public Signals signals() {
    return signals;
  }

  @Override
  public Snapshots snapshots() {
    return snapshots;
  }

  @Override
  public SimulatedTasks tasks() {
    return tasks;
  }

  @Override
  public ActivityRecords activities() {
    return new SimulatedRecords(inner.activities(), link, chance, flaw);
  }

  @Override
  public Payloads payloads() {
    return (id, hash) -> {
      link.require();
      if (chance.strikes(Fault.PAYLOAD_AWAY))
        throw new StorageException.Unavailable("simulated", null);
      return inner.payloads().load(id, hash);
    };
  }

  @Override
  public Workflows workflows() {
    link.require();
    return inner.workflows();
  }

  @Override
  public Incidents incidents() {
    link.require();
    return inner.incidents();
  }

  @Override
  public boolean writeWithoutHistory(WorkflowId id, Fence fence, List<SideRow> rows) {
    link.require();
    return inner.writeWithoutHistory(id, fence, rows);
  }

  @Override
  public List<Long> newestVersions(List<String> persistenceIds) {
    link.require();
    return inner.newestVersions(persistenceIds);
  }

  @Override
  public Recoveries recoveries() {
    link.require();
    return flaw == Flaw.LOSSES_UNCOUNTED ? new Uncounted(inner.recoveries()) : inner.recoveries();
  }

  /** Takes every tenure for one that was given up in order. */
  private record Uncounted(Recoveries inner) implements Recoveries {
    @Override
    public Optional<WakeUp.Point> count(Beginning tenure, WakeUp.Point after, int limit) {
      return Optional.empty();
    }

    @Override
    public List<Recovery> begin(Collection<Beginning> tenures) {
      return inner.begin(tenures);
    }

    @Override
    public int tryTogether(List<Recovery> group, int size) {
      return inner.tryTogether(group, size);
    }

    @Override
    public void outlived(List<Recovery> group) {
      inner.outlived(group);
    }
  }

  @Override
  public List<List<JournalRow>> read(List<JournalRead> reads) {
    link.require();
    if (chance.strikes(Fault.JOURNAL_AWAY))
      throw new StorageException.Unavailable("simulated", null);
    List<List<JournalRow>> pages = super.read(reads);
    for (List<JournalRow> page : pages) reached.readRows(page.size());
    return pages;
  }

  @Override
  public Definitions definitions() {
    return new SimulatedDefinitions(super.definitions(), link, chance);
  }

  @Override
  public List<CommitResult> commit(List<Commit> batch) {
    return batch.stream().map(this::commit).toList();
  }

  private CommitResult commit(Commit commit) {
    requireRoom(commit);
    Optional<String> poison = poison(commit);
    if (poison.isPresent()) {
      if (chance.isCalm()) world.died(poison.get());
      die.run();
      return unknown(commit);
    }
    if (link.isCut()) return unknown(commit);
    boolean lost = chance.strikes(Fault.COMMIT_LOST);
    // Nothing is stored, and the owner gets no answer.
    if (lost && chance.strikes(Fault.NODE_DIES_OF_A_COMMIT)) die.run();
    if (lost || settles(commit) && chance.strikes(Fault.OUTCOME_LOST))
      return flaw == Flaw.UNKNOWN_TAKEN_FOR_STORED
          ? new CommitResult.Committed(commit.id().version())
          : unknown(commit);
    boolean fenced = settles(commit) && chance.strikes(Fault.OUTCOME_FENCED);
    if (fenced || isProvenByItsRecord(commit) && world.outside().takesLastMove())
      move.accept(commit.fence().shard());
    if (flaw == Flaw.ACKNOWLEDGED_BEFORE_STORED) {
      unstored.add(commit);
      loop.after(LATER, "the store stores", this::storeNow);
      return new CommitResult.Committed(commit.id().version());
    }
    CommitResult result = store(rows.planted(commit));
    if (result instanceof CommitResult.Committed && chance.strikes(Fault.COMMIT_UNHEARD)) {
      if (chance.strikes(Fault.NODE_DIES_OF_A_COMMIT)) die.run();
      return unknown(commit);
    }
    return result;
  }

  private static boolean settles(Commit commit) {
    return commit.sideRows().stream().anyMatch(SideRow.ActivitySettled.class::isInstance);
  }

  /** Whether a keyed call came out well, and nothing but its record could say so. */
  private static boolean isProvenByItsRecord(Commit commit) {
    return commit.sideRows().stream()
        .anyMatch(
            row ->
                row instanceof SideRow.ActivitySettled settled
                    && settled.status() == ActivityStatus.COMPLETED
                    && KeyedParts.Kind.of(settled.key().activity())
                        .filter(KeyedParts.Kind::isProvenByItsRecord)
                        .isPresent());
  }

  /** As a node's merging queue refuses commits when the database is slower than the load. */
  private void requireRoom(Commit commit) {
    if (chance.isCalm()) refusals = 0;
    if (refusals == 0 && chance.strikes(Fault.PIPELINE_FULL))
      refusals = 1 + chance.below("full", REFUSALS_MAX);
    if (refusals == 0) return;
    refusals--;
    checker.unheard(commit, node);
    throw new PipelineSaturatedError(QUEUE_LIMIT);
  }

  /** The workflow of the commit, when its step that takes nodes down has just run. */
  private Optional<String> poison(Commit commit) {
    String workflow = Checker.workflow(commit);
    boolean itRan =
        JournalEntryCodec.decode(commit.payload()).events().stream()
            .anyMatch(
                event ->
                    (event instanceof Event.Completed || event instanceof Event.AttemptFailed)
                        && ((Event.OfOperation) event).operation().name().equals(World.POISON));
    return itRan && world.kills(workflow) ? Optional.of(workflow) : Optional.empty();
  }

  private CommitResult unknown(Commit commit) {
    checker.unheard(commit, node);
    return new CommitResult.Unknown(
        commit.id(), new StorageException.OutcomeUnknown("simulated", null));
  }

  private void storeNow() {
    for (Commit one = unstored.poll(); one != null; one = unstored.poll()) store(one);
  }

  private CommitResult store(Commit commit) {
    if (flaw == Flaw.SIGNAL_TAKEN_TWICE)
      for (SideRow row : commit.sideRows())
        if (row instanceof SideRow.SignalTaken taken)
          memory.loseAnswers(taken.workflow().value(), taken.signal().id());
    CommitResult result = memory.commit(List.of(commit)).getFirst();
    if (flaw == Flaw.FENCE_IGNORED && result instanceof CommitResult.Fenced fenced) {
      int shard = commit.fence().shard();
      long holder = memory.leases().find(shard).flatMap(Lease::holder).orElseThrow().incarnation();
      Fence forged = new Fence(shard, fenced.currentEpoch(), holder);
      result =
          memory.commit(List.of(FlawedRows.with(commit, forged, commit.sideRows()))).getFirst();
    }
    boolean isThere =
        memory.newestVersions(List.of(commit.id().persistenceId())).getFirst()
            >= commit.id().version();
    boolean overwrites =
        flaw == Flaw.VERSION_UNCHECKED && isThere && !(result instanceof CommitResult.Committed);
    boolean forgiven = flaw == Flaw.STALE_OWNER_GOES_ON && result instanceof CommitResult.Fenced;
    if (result instanceof CommitResult.Fenced) fenced.accept(commit.fence());
    if (result instanceof CommitResult.Committed || overwrites) checker.stored(commit, node);
    else checker.unheard(commit, node);
    return overwrites || forgiven ? new CommitResult.Committed(commit.id().version()) : result;
  }
}
