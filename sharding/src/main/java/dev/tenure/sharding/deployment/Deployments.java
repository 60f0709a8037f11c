package dev.tenure.sharding.deployment;

import dev.tenure.persistence.membership.DeployedCode;
import dev.tenure.persistence.membership.MemberRow;
import dev.tenure.workflow.WorkflowType;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this node knows of the code of all nodes: read by owners at every start, written by the
 * thread that reads the members' rows.
 */
public final class Deployments {
  private static final Logger log = LoggerFactory.getLogger(Deployments.class);

  /**
   * At least one workflow of the shard waits for code.
   *
   * @param type of the workflow; it may be an activity of it whose code is missing
   */
  public record Blocked(int shard, WorkflowType type) {}

  private final String self;
  private volatile Optional<DeployedCode> own = Optional.empty();
  private volatile ClusterCode cluster;
  private volatile Set<Blocked> blocked = Set.of();
  private volatile Supplier<CompletionStage<Void>> exchange =
      () -> CompletableFuture.completedFuture(null);

  /**
   * @param self the address of this node
   */
  public Deployments(String self) {
    this.self = self;
    this.cluster = new ClusterCode(self, new TreeMap<>());
  }

  /**
   * Sets the task that stores which code this node has and reads which code the others have. It is
   * also called between two beats.
   *
   * @param exchange returns a stage that is completed when both have been tried
   */
  public void exchangedBy(Supplier<CompletionStage<Void>> exchange) {
    this.exchange = exchange;
  }

  /** Notes which code this node has; called once, before the node owns a shard. */
  public void announce(DeployedCode code) {
    synchronized (this) {
      own = Optional.of(code);
      SortedMap<String, DeployedCode> nodes = new TreeMap<>(cluster.nodes());
      nodes.put(self, code);
      cluster = new ClusterCode(self, nodes);
    }
    exchange.get();
  }

  /**
   * The code of the nodes that serve, read anew if one of these nodes is not among them: it may
   * have joined since the last beat. Such a node may have said nothing yet even then.
   */
  CompletionStage<ClusterCode> clusterWith(Set<String> nodes) {
    if (cluster.nodes().keySet().containsAll(nodes))
      return CompletableFuture.completedFuture(cluster);
    return exchange.get().thenApply(done -> cluster);
  }

  /** What this node has, once it was announced. */
  public Optional<DeployedCode> own() {
    return own;
  }

  /**
   * The members have changed, or may have.
   *
   * @param serving the rows of those that serve the cluster
   */
  public synchronized void seen(Collection<MemberRow> serving) {
    SortedMap<String, DeployedCode> nodes = new TreeMap<>();
    for (MemberRow row : serving) row.code().ifPresent(code -> nodes.put(row.node().node(), code));
    own.ifPresent(code -> nodes.put(self, code));
    if (nodes.equals(cluster.nodes())) return;
    ClusterCode before = cluster;
    cluster = new ClusterCode(self, nodes);
    own.ifPresent(code -> tell(code, before));
  }

  /** Logs which node holds up a new version, for the operator who waits for it. */
  private void tell(DeployedCode code, ClusterCode before) {
    code.workflows()
        .forEach(
            (type, versions) -> {
              OptionalInt starts = cluster.versionOfStart(type);
              if (starts.equals(before.versionOfStart(type))) return;
              int newest = versions.registered().last();
              if (starts.getAsInt() < newest)
                log.info(
                    "starts of {} get version {} until every node that has {} can run version {}:"
                        + " {}",
                    type,
                    starts.getAsInt(),
                    type,
                    newest,
                    cluster.whereIs(new WorkflowType(type, newest)));
              else log.info("starts of {} get version {}", type, starts.getAsInt());
            });
  }

  /** The code of the nodes that serve. */
  public ClusterCode cluster() {
    return cluster;
  }

  /** Which shards have workflows that wait for code, as of the last look. */
  public void blocked(Set<Blocked> now) {
    blocked = Set.copyOf(now);
  }

  Set<Blocked> blocked() {
    return blocked;
  }
}
