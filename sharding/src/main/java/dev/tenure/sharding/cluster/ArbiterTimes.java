package dev.tenure.sharding.cluster;

import com.typesafe.config.Config;
import java.time.Duration;

/**
 * How long a node looks on before it takes another one out of the cluster.
 *
 * @param suspectAfter a row that stands still for this long is worth a look at its node's address
 * @param silentAfter a node whose row stands still for this long is taken out, wherever it is
 * @param unreachableAfter for how long a node must be out of reach
 * @param minorityWaits how much longer the smaller side of a cut waits, so that the larger one wins
 * @param connectLimit of one attempt to connect to a suspect
 * @param connectPause between two attempts
 */
record ArbiterTimes(
    Duration suspectAfter,
    Duration silentAfter,
    Duration unreachableAfter,
    Duration minorityWaits,
    Duration connectLimit,
    Duration connectPause) {
  static final String CONFIG = "tenure.arbiter";

  /** Nodes that beat rarely are given this many beats. */
  private static final int SUSPECT_BEATS = 2;

  private static final int SILENT_BEATS = 9;
  private static final int GAPS_IN_SILENCE = 3;

  static ArbiterTimes of(Config config, Duration beatEvery) {
    return new ArbiterTimes(
        longer(config.getDuration("suspect-after"), beatEvery.multipliedBy(SUSPECT_BEATS)),
        longer(config.getDuration("silent-after"), beatEvery.multipliedBy(SILENT_BEATS)),
        config.getDuration("unreachable-after"),
        config.getDuration("minority-waits"),
        config.getDuration("connect-limit"),
        config.getDuration("connect-pause"));
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) >= 0 ? one : other;
  }

  /** A node that could not look for longer than this has to watch anew. */
  Duration longestGap() {
    return silentAfter.dividedBy(GAPS_IN_SILENCE);
  }

  /** A node without a beat for this long does nothing on behalf of the cluster. */
  Duration quietAfter() {
    return silentAfter.dividedBy(GAPS_IN_SILENCE);
  }
}
