package dev.tenure.persistence.bulk;

import java.time.Instant;
import java.util.Optional;

/**
 * An order to many workflows.
 *
 * @param request what is to be done to which workflows, as the client that proposed it wrote it
 * @param counted how many workflows matched when it was proposed
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
   * @param turn raised when another node takes the operation over; a node with an older turn cannot
   *     write
   * @param cursor the page that comes next; empty for the first
   * @param unchanged workflows that were in the wanted state before, or had ended meanwhile
   * @param failure the message of the last failure
   */
  public record Progress(
      long turn,
      Optional<String> cursor,
      long applied,
      long unchanged,
      long failed,
      Optional<String> failure) {}
}
