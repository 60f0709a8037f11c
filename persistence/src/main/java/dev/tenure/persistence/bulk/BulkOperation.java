package dev.tenure.persistence.bulk;

import java.time.Instant;
import java.util.Optional;

/**
 * An order to many workflows.
 *
 * @param request what is to be done to which workflows, as the client that proposed it wrote it
 * @param counted how many matched then
 * @param progress how far it is
 */
public record BulkOperation(
    String id,
    BulkState state,
    String request,
    Instant createdAt,
    long counted,
    Progress progress) {

  /**
   * @param turn of the node that carries it out: raised when another takes over
   * @param cursor the page that comes next; empty for the first
   * @param unchanged those that stood so before, or had ended meanwhile
   * @param failure what the last of the failed ones said
   */
  public record Progress(
      long turn,
      Optional<String> cursor,
      long applied,
      long unchanged,
      long failed,
      Optional<String> failure) {}
}
