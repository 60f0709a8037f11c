package dev.tenure.sharding.deployment;

import dev.tenure.persistence.membership.DeployedCode;
import dev.tenure.workflow.WorkflowType;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which shards go to other nodes because workflows in them wait for code that their owner's node
 * does not have.
 *
 * <p>A shard only moves to a node that can do all that its node can, and more. So no move blocks
 * another workflow, and no shard goes to and fro.
 */
final class ShardMoves {
  private ShardMoves() {}

  /**
   * @param code what the nodes have
   * @param placed the shards of each node that may have shards
   * @param blocked where workflows wait for code
   * @param max how many move at once
   * @return where each of them goes
   */
  static Map<Integer, String> decide(
      ClusterCode code,
      Map<String, ? extends Collection<Integer>> placed,
      Collection<Deployments.Blocked> blocked,
      int max) {
    Map<Integer, String> owners = new HashMap<>();
    Map<String, Integer> counts = new HashMap<>();
    placed.forEach(
        (node, shards) -> {
          counts.put(node, shards.size());
          shards.forEach(shard -> owners.put(shard, node));
        });
    Map<Integer, String> moves = new LinkedHashMap<>();
    int most = most(owners.size(), placed.size());
    for (Deployments.Blocked one : blocked) {
      String owner = owners.get(one.shard());
      if (owner == null || moves.containsKey(one.shard()) || moves.size() >= max) continue;
      Optional<String> better = better(code, owner, one.type(), placed.keySet(), counts, most);
      if (better.isEmpty()) continue;
      moves.put(one.shard(), better.get());
      counts.merge(better.get(), 1, Integer::sum);
      counts.merge(owner, -1, Integer::sum);
    }
    return moves;
  }

  /** A single new node must not be given the work of all the others. */
  private static int most(int shards, int nodes) {
    return nodes == 0 ? 0 : Math.ceilDiv(2 * shards, nodes);
  }

  private static Optional<String> better(
      ClusterCode code,
      String owner,
      WorkflowType type,
      Set<String> candidates,
      Map<String, Integer> counts,
      int most) {
    DeployedCode old = code.nodes().get(owner);
    if (old == null) return Optional.empty();
    return candidates.stream()
        .filter(node -> !node.equals(owner) && counts.get(node) < most)
        .filter(node -> helps(code, code.nodes().get(node), old, type))
        .min(Comparator.comparing(counts::get));
  }

  private static boolean helps(
      ClusterCode code, DeployedCode other, DeployedCode old, WorkflowType type) {
    if (other == null || !other.doesAllOf(old)) return false;
    // No node deployed it, so it is a stored program, which every node can read. What is missing is
    // // its interpreter or an activity.
    if (code.nodes().values().stream().noneMatch(node -> node.has(type.name())))
      return other.kinds().size() > old.kinds().size()
          || other.activities().size() > old.activities().size();
    boolean isHere = can(old, type);
    // The owner's node has the workflow, so it is an activity that is missing; the row of the
    // workflow does not say which.
    return isHere
        ? other.activities().size() > old.activities().size() && can(other, type)
        : can(other, type);
  }

  private static boolean can(DeployedCode code, WorkflowType type) {
    return type.isDecided() ? code.runs(type.name(), type.version()) : code.has(type.name());
  }
}
