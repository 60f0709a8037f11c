package dev.tenure.node.command;

import dev.tenure.node.NodeBuilder;
import dev.tenure.node.TenureNode;
import dev.tenure.node.lifetime.Lifetime;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A node that is all its process is for. */
final class RunningNode {
  private static final Logger LOG = LoggerFactory.getLogger(RunningNode.class);

  private final Lifetime lifetime;
  private final TenureNode node;

  private RunningNode(Lifetime lifetime, TenureNode node) {
    this.lifetime = lifetime;
    this.node = node;
  }

  /** Starts the node; on failure, what was started with it before is stopped. */
  static RunningNode start(Lifetime lifetime, NodeBuilder builder) {
    try {
      TenureNode node = lifetime.start(builder::start);
      lifetime.checkedBy(() -> hasLeft(node));
      node.up().thenRun(() -> LOG.info("ready: {}/health/ready", node.http()));
      return new RunningNode(lifetime, node);
    } catch (RuntimeException e) {
      lifetime.stop();
      throw e;
    }
  }

  private static boolean hasLeft(TenureNode node) {
    if (node.hasLeft()) return true;
    LOG.error(
        "the node has stopped without the database: its row and its leases stay there until the"
            + " other nodes see that it is gone");
    return false;
  }

  TenureNode node() {
    return node;
  }

  /**
   * Waits for the node's end. On a signal the process ends while this waits. When the node ends by
   * itself, it does not belong to its cluster any more, and the process fails, so that its
   * supervisor starts it again.
   */
  int untilItEnds() {
    node.terminated().toCompletableFuture().join();
    // The thread that handles the signal ends the process when everything else has been stopped,
    // too.
    if (lifetime.isStopping()) return ExitCodes.STOPPED;
    LOG.error("the node left its cluster without being told to: the process ends");
    lifetime.stop();
    return ExitCodes.FAILED;
  }
}
