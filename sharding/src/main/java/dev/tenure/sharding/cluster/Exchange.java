package dev.tenure.sharding.cluster;

import dev.tenure.persistence.format.EngineBuild;
import dev.tenure.persistence.format.FormatFloor;
import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.membership.DeployedCode;
import dev.tenure.persistence.membership.Members;
import dev.tenure.persistence.membership.Roster;
import dev.tenure.sharding.deployment.Deployments;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the others, through the store, what code this node has, and learns what they have and read.
 * That changes only with the members, because a node keeps its code for as long as it lives. Used
 * by one thread.
 */
final class Exchange {
  private static final Logger log = LoggerFactory.getLogger(Exchange.class);

  /** A node may have been restarted at its address between two beats. */
  private static final int LOOK_BEATS = 15;

  private final Members members;
  private final Holder self;
  private final EngineBuild engine;
  private final Deployments deployments;

  private Optional<DeployedCode> announced = Optional.empty();

  /** The first exchange looks in any case. */
  private int beatsSinceLook = LOOK_BEATS;

  Exchange(Members members, Holder self, EngineBuild engine, Deployments deployments) {
    this.members = members;
    this.self = self;
    this.engine = engine;
    this.deployments = deployments;
  }

  /** The next exchange reads the rows of the members in any case. */
  void looksNext() {
    beatsSinceLook = LOOK_BEATS;
  }

  void tell() {
    Optional<DeployedCode> own = deployments.own();
    if (own.isEmpty() || own.equals(announced)) return;
    members.deploys(self, own.get());
    announced = own;
  }

  /**
   * Called with every beat of a member.
   *
   * @param living the nodes that the cluster sees; empty when that is not known
   */
  void make(Set<Holder> living) {
    tell();
    Set<String> nodes = new HashSet<>();
    for (Holder one : living) nodes.add(one.node());
    if (nodes.equals(deployments.cluster().nodes().keySet()) && ++beatsSinceLook < LOOK_BEATS)
      return;
    beatsSinceLook = 0;
    Roster roster = members.roster();
    deployments.seen(
        roster.members().stream()
            // The row of a node that died unseen by all who live may stay.
            .filter(row -> living.isEmpty() || living.contains(row.node()))
            .toList());
    raiseFloor(roster);
  }

  /**
   * By any node that is about to write a newer level: the statement raises the floor only if all
   * nodes read the level, and several nodes that try it at once raise it once.
   */
  private void raiseFloor(Roster roster) {
    int wanted = engine.writes();
    if (roster.floor().level() >= wanted || !roster.allRead(wanted)) return;
    FormatFloor floor = members.raiseFloor();
    if (floor.level() >= wanted)
      log.info(
          "all nodes read formats up to level {}: from now on an engine that does not is refused",
          floor.level());
  }
}
