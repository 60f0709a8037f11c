package dev.tenure.persistence.bulk;

import dev.tenure.persistence.bulk.BulkOperation.Progress;
import java.time.Duration;
import java.util.Optional;

/** The bulk operations of a store. */
public interface BulkOperations {
  /** Not confirmed until then, it has to be counted anew. */
  Duration PROPOSAL_LIMIT = Duration.ofMinutes(10);

  /** It can still be looked at for as long again as it could be confirmed. */
  Duration PROPOSAL_KEPT_FOR = PROPOSAL_LIMIT.multipliedBy(2);

  /**
   * @param confirmation the text with which the client confirms it
   */
  void propose(String id, String confirmation, String request, long counted);

  /**
   * Lets it begin; empty when it was not proposed, or too long ago. A confirmation that is sent
   * again finds what it confirmed.
   */
  Optional<BulkOperation> confirm(String confirmation);

  Optional<BulkOperation> find(String id);

  /**
   * One that no node carries out, or whose node has been silent for so long. Two nodes that look at
   * once take two, or one of them none.
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
