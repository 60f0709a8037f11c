package dev.tenure.persistence.membership;

import dev.tenure.persistence.format.EngineBuild;
import dev.tenure.persistence.lease.Holder;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A node that announced itself, as it is stored.
 *
 * @param generation the cluster it belongs to; nothing while it looks for one
 * @param beats how often it gave a sign of life: a row that does not change is a node that does not
 * @param code what it can run; nothing until it has said so
 * @param engine its release; empty for one from before releases were announced
 * @param reads the newest level of formats that it reads
 * @param clockAhead by how much the clock of its machine is ahead of the store's; nothing until it
 *     has said so
 */
public record MemberRow(
    Holder node,
    OptionalLong generation,
    long beats,
    Instant startedAt,
    Instant heartbeatAt,
    Optional<DeployedCode> code,
    String engine,
    int reads,
    Optional<Duration> clockAhead) {
  /** A node of this build that has not said what it can run. */
  public MemberRow(
      Holder node, OptionalLong generation, long beats, Instant startedAt, Instant heartbeatAt) {
    this(
        node,
        generation,
        beats,
        startedAt,
        heartbeatAt,
        Optional.empty(),
        EngineBuild.CURRENT.version(),
        EngineBuild.CURRENT.reads(),
        Optional.empty());
  }
}
