package dev.tenure.persistence.membership;

import dev.tenure.persistence.format.FormatFloor;
import dev.tenure.persistence.lease.Holder;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.function.Function;

/**
 * The nodes that announced themselves, and which cluster may run on this store. Founding, being
 * taken in and being removed happen one after the other, under a lock of the store; times are the
 * store's. All methods block and throw {@link dev.tenure.persistence.storage.StorageException} when
 * the store cannot be reached.
 */
public interface Members {
  /**
   * Announces a node that looks for a cluster, lets it decide from what is stored, and returns its
   * decision. A founding is durable, and every older cluster is superseded, when this returns.
   *
   * @param decision called once, under the lock; see {@link Formation#decide}
   * @throws dev.tenure.persistence.format.EngineTooOldError when the floor has risen above what
   *     this engine reads; then it is not announced
   */
  Formation seek(Holder self, Function<Roster, Formation> decision);

  /** Records that the node was taken into the cluster of this generation, if that is the newest. */
  Standing joined(Holder self, long generation);

  /**
   * A member's sign of life.
   *
   * @param clockAhead by how much the clock of its machine is ahead of the store's, for people
   */
  Standing beat(Holder self, long generation, Duration clockAhead);

  /** The members of the newest cluster, and how often each has given a sign of life. */
  Map<Holder, Long> beats();

  /**
   * Takes nodes out that a member saw removed from its cluster. A member that was itself taken out
   * removes no other, so of two halves that removed each other only one remains.
   */
  Standing forget(Holder self, long generation, Collection<Holder> removed);

  /** Records what code the node has, in its own row, if it has one and it is this process's. */
  void deploys(Holder self, DeployedCode code);

  /**
   * Raises the floor to the level that this engine writes, if every announced node reads it, and
   * returns the floor. A node that announces itself meanwhile is counted, or is refused.
   */
  FormatFloor raiseFloor();

  /** Takes the node's own row out, if it is still this process's. */
  void leave(Holder self);

  /** All announced nodes, as they are stored. */
  Roster roster();
}
