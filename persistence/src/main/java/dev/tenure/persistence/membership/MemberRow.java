package dev.tenure.persistence.membership;

import dev.tenure.persistence.lease.Holder;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A node that announced itself, as it is stored.
 *
 * @param generation the cluster it belongs to; nothing while it looks for one
 * @param beats how often it gave a sign of life: a row that does not change is a node that does not
 * @param code what it can run; nothing until it has said so
 */
public record MemberRow(
    Holder node,
    OptionalLong generation,
    long beats,
    Instant startedAt,
    Instant heartbeatAt,
    Optional<DeployedCode> code) {
  /** A node that has not said what it can run. */
  public MemberRow(
      Holder node, OptionalLong generation, long beats, Instant startedAt, Instant heartbeatAt) {
    this(node, generation, beats, startedAt, heartbeatAt, Optional.empty());
  }
}
