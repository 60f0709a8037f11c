package dev.tenure.http.cluster;

import static dev.tenure.http.access.Scope.OPERATOR;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tenure.http.api.Answer;
import dev.tenure.http.api.Operation;
import dev.tenure.http.schema.Schema;
import dev.tenure.http.schema.Schema.Flag;
import dev.tenure.http.schema.Schema.ListOf;
import dev.tenure.http.schema.Schema.Text;
import dev.tenure.http.schema.Schema.Whole;
import dev.tenure.http.schema.Shape;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.membership.MemberRow;
import dev.tenure.persistence.membership.Members;
import dev.tenure.persistence.membership.Roster;
import dev.tenure.persistence.storage.Storage;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.ClusterEvent.CurrentClusterState;
import org.apache.pekko.cluster.Member;

/** Which nodes there are, and which node has which shard. */
public final class ClusterRoutes {
  private static final int NODES_MAX = 10_000;
  private static final Schema WORD = new Text("text", 0, 1_024);
  private static final Schema COUNT = new Whole(0, Long.MAX_VALUE);
  private static final Schema OFFSET = new Whole(-(1L << 53), 1L << 53);

  private static final Schema NODES =
      Shape.named("Nodes")
          .required(
              "nodes",
              new ListOf(
                  Shape.named("Node")
                      .required("node", WORD, "Its address among the nodes.")
                      .required("status", WORD, "As the cluster sees it: up, leaving, ….")
                      .required("reachable", new Flag(), "From the node that answers.")
                      .required("leader", new Flag(), "")
                      .required("self", new Flag(), "Whether it is the node that answers.")
                      .required("shards", COUNT, "How many it has, by the leases.")
                      .optional(
                          "engine",
                          WORD,
                          "Its release; absent while its row in the database is not there.")
                      .optional("reads", COUNT, "The newest level of stored formats that it reads.")
                      .optional(
                          "clockAheadMs",
                          OFFSET,
                          "By how much the clock of its machine is ahead of the database's, as it"
                              + " said with its last beat; negative when it is behind.")
                      .schema(),
                  NODES_MAX),
              "")
          .required(
              "formatFloor", COUNT, "The level of stored formats that every engine must read.")
          .schema();

  private static final Schema SHARDS =
      Shape.named("Shards")
          .required(
              "shards",
              new ListOf(
                  Shape.named("ShardTenure")
                      .required("shard", COUNT, "")
                      .required("epoch", COUNT, "Raised whenever it changes hands.")
                      .optional("node", WORD, "The node that has it; absent when none does.")
                      .schema(),
                  NODES_MAX),
              "Those that were ever taken.")
          .schema();

  private final Cluster cluster;
  private final Leases leases;
  private final Members members;

  public ClusterRoutes(ActorSystem<?> system, Storage storage) {
    this.cluster = Cluster.get(system);
    this.leases = storage.leases();
    this.members = storage.members();
  }

  public List<Operation> all() {
    return List.of(
        Operation.get("cluster.nodes", "/api/v1/nodes", "The nodes of the cluster")
            .scopes(OPERATOR)
            .replies(200, "", NODES)
            .handledBy(
                call ->
                    CompletableFuture.supplyAsync(
                        () -> Answer.ok(nodes()), task -> Thread.ofVirtual().start(task))),
        Operation.get("cluster.shards", "/api/v1/shards", "Which node has which shard")
            .scopes(OPERATOR)
            .replies(200, "", SHARDS)
            .handledBy(
                call ->
                    CompletableFuture.supplyAsync(
                        () -> Answer.ok(shards()), task -> Thread.ofVirtual().start(task))));
  }

  private ObjectNode nodes() {
    Map<String, Long> held =
        leases.holdings().stream()
            .filter(row -> row.node().isPresent())
            .collect(Collectors.groupingBy(row -> row.node().get(), Collectors.counting()));
    Roster roster = members.roster();
    Map<String, MemberRow> rows =
        roster.rows().stream()
            .collect(Collectors.toMap(row -> row.node().node(), Function.identity()));
    CurrentClusterState state = cluster.state();
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    ArrayNode all = node.putArray("nodes");
    StreamSupport.stream(state.getMembers().spliterator(), false)
        .map(member -> of(member, state, held, rows))
        .forEach(all::add);
    node.put("formatFloor", roster.floor().level());
    return node;
  }

  private ObjectNode of(
      Member member,
      CurrentClusterState state,
      Map<String, Long> held,
      Map<String, MemberRow> rows) {
    String holder = member.address().hostPort();
    ObjectNode node =
        JsonNodeFactory.instance
            .objectNode()
            .put("node", shown(holder))
            .put("status", member.status().toString().toLowerCase(java.util.Locale.ROOT))
            .put("reachable", !state.getUnreachable().contains(member))
            .put("leader", member.address().equals(state.getLeader()))
            .put("self", member.uniqueAddress().equals(cluster.selfUniqueAddress()))
            .put("shards", held.getOrDefault(holder, 0L));
    MemberRow row = rows.get(holder);
    if (row == null) return node;
    node.put("engine", row.engine()).put("reads", row.reads());
    row.clockAhead().ifPresent(ahead -> node.put("clockAheadMs", ahead.toMillis()));
    return node;
  }

  /** Every node's system has the same name: only the host and the port tell them apart. */
  private static String shown(String holder) {
    return holder.substring(holder.indexOf('@') + 1);
  }

  private ObjectNode shards() {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    ArrayNode all = node.putArray("shards");
    for (Leases.Holding row : leases.holdings()) {
      ObjectNode shard = all.addObject().put("shard", row.shard()).put("epoch", row.epoch());
      row.node().ifPresent(holder -> shard.put("node", shown(holder)));
    }
    return node;
  }
}
