package dev.tenure.simulation;

import dev.tenure.persistence.entry.Snapshot;
import dev.tenure.persistence.memory.MemoryStorage;
import dev.tenure.persistence.snapshot.Snapshots;
import dev.tenure.persistence.snapshot.StoredSnapshot;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.workflow.WorkflowId;
import java.util.Optional;

/** The snapshots as one node sees them: lost, damaged, or away. */
final class SimulatedSnapshots implements Snapshots {
  private final MemoryStorage memory;
  private final DatabaseLink link;
  private final Chance chance;
  private final Flaw flaw;
  private final Checker checker;
  private final ReachedLimits reached;

  SimulatedSnapshots(
      MemoryStorage memory,
      DatabaseLink link,
      Chance chance,
      Flaw flaw,
      Checker checker,
      ReachedLimits reached) {
    this.memory = memory;
    this.link = link;
    this.chance = chance;
    this.flaw = flaw;
    this.checker = checker;
    this.reached = reached;
  }

  @Override
  public boolean keep(StoredSnapshot snapshot) {
    link.require();
    if (chance.strikes(Fault.SNAPSHOT_AWAY)) throw away();
    StoredSnapshot kept = planted(snapshot);
    if (chance.strikes(Fault.SNAPSHOT_DAMAGED)) kept.content()[kept.content().length / 2] ^= 1;
    boolean newer = memory.snapshots().keep(kept);
    if (newer) {
      checker.kept(kept);
      reached.keptSnapshot();
    }
    return newer;
  }

  /** With the state of the one before it, as if it was taken too early. */
  private StoredSnapshot planted(StoredSnapshot snapshot) {
    if (flaw != Flaw.SNAPSHOT_BEHIND
        || !(read(Optional.of(snapshot)).orElse(null) instanceof Snapshot now)
        || !(read(memory.snapshots().find(snapshot.id())).orElse(null) instanceof Snapshot before))
      return snapshot;
    return new Snapshot(now.id(), now.head(), now.link(), before.state(), now.memory()).encode();
  }

  private Optional<Snapshot> read(Optional<StoredSnapshot> stored) {
    return stored.flatMap(
        one ->
            Snapshot.decode(one, memory.payloads()) instanceof Snapshot.Reading.Read(Snapshot read)
                ? Optional.of(read)
                : Optional.empty());
  }

  @Override
  public Optional<StoredSnapshot> find(WorkflowId id) {
    link.require();
    if (chance.strikes(Fault.SNAPSHOT_AWAY)) throw away();
    return memory.snapshots().find(id);
  }

  @Override
  public Purged purge(Place after, int limit) {
    return memory.snapshots().purge(after, limit);
  }

  private static StorageException away() {
    return new StorageException.Unavailable("simulated", null);
  }
}
