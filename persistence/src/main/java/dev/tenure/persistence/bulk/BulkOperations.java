package dev.tenure.persistence.bulk;

import dev.tenure.persistence.bulk.BulkOperation.Progress;
import java.time.Duration;
import java.util.Optional;

/** The bulk operations of a store. */
public interface BulkOperations {
  /**
   * How long a proposal can be confirmed. After that the client proposes again, and the workflows
   * are counted anew.
   */
  Duration PROPOSAL_LIMIT = Duration.ofMinutes(10);

  /** How long a proposal can be read: as long again as it can be confirmed. */
  Duration PROPOSAL_KEPT_FOR = PROPOSAL_LIMIT.multipliedBy(2);

  /**
   * @param confirmation the text with which the client confirms it
   */
  void propose(String id, String confirmation, String request, long counted);

  /**
   * Lets the operation begin; empty when it was not proposed, or too long ago. A client that sends
   * the confirmation again gets the same operation.
   */
  Optional<BulkOperation> confirm(String confirmation);

  Optional<BulkOperation> find(String id);

  /**
   * Takes an operation that no node carries out, or whose node has been silent for that long. Two
   * nodes that call this at once never get the same one.
   */
  Optional<BulkOperation> take(Duration silence);

  /** Says how far it is; false when another node has it now. */
  boolean advance(String id, BulkState state, Progress progress);

  /**
   * Removes proposals that cannot be confirmed any more, and what was finished so long ago, at most
   * so many, and returns how many it removed. What runs stays, however old it is.
   */
  int purge(Duration retention, int limit);
}
