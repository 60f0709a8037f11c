package dev.tenure.node;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.tenure.http.gateway.GatewaySettings;
import dev.tenure.http.workflow.Engine;
import dev.tenure.node.catalog.Catalog;
import dev.tenure.node.config.Endpoint;
import dev.tenure.node.config.NodeConfig;
import dev.tenure.node.health.ClusterChecks;
import dev.tenure.node.health.HealthAnswers;
import dev.tenure.node.health.Readiness;
import dev.tenure.node.health.StorageProbe;
import dev.tenure.node.http.FrontDoor;
import dev.tenure.node.lifetime.Ports;
import dev.tenure.persistence.loss.LossReport;
import dev.tenure.persistence.merging.PipelineSettings;
import dev.tenure.persistence.postgres.PostgresStorage;
import dev.tenure.persistence.storage.Durability;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StoreIdentity;
import dev.tenure.sharding.client.WorkflowClient;
import dev.tenure.sharding.cluster.ClusterRuntime;
import dev.tenure.sharding.cluster.ClusterSettings;
import dev.tenure.sharding.node.WorkflowNode;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.sharding.retention.Janitor;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.Done;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node inside this process: its database, its place in the cluster, the workflows it runs, its
 * health answers. Describe one with {@link #builder}, start it, and close it to hand its shards
 * over and leave.
 */
public final class TenureNode implements AutoCloseable {
  /** All phases of a hand-over together end within this, or the close fails. */
  public static final Duration STOP_LIMIT = Duration.ofSeconds(90);

  private static final Duration HTTP_START_LIMIT = Duration.ofSeconds(20);
  private static final Logger LOG = LoggerFactory.getLogger(TenureNode.class);

  private final Storage storage;
  private final ClusterRuntime runtime;
  private final Catalog catalog;
  private final WorkflowClient workflows;
  private final URI http;

  private TenureNode(
      Storage storage,
      ClusterRuntime runtime,
      Catalog catalog,
      WorkflowClient workflows,
      URI http) {
    this.storage = storage;
    this.runtime = runtime;
    this.catalog = catalog;
    this.workflows = workflows;
    this.http = http;
  }

  /** Describes a node with workflows of one's own. */
  public static NodeBuilder builder() {
    return new NodeBuilder();
  }

  /** Starts a node that has no code of workflows: it starts and signals those of other nodes. */
  public static TenureNode start(NodeConfig config) {
    return start(config, Catalog.EMPTY, PayloadCodec.standard());
  }

  /**
   * Starts a node. When this returns, the storage was found fit, the health answers are there and
   * the node looks for its cluster; {@link #up} tells when it is in. When it throws, nothing is
   * left running.
   */
  static TenureNode start(NodeConfig config, Catalog catalog, PayloadCodec payloads) {
    config.remarks().forEach(LOG::warn);
    LOG.info("runs {}", catalog);
    Ports.requireFree("tenure.http", config.http());
    Ports.requireFree("tenure.node", new Endpoint(config.bindHost(), config.node().port()));
    GatewaySettings door = FrontDoor.settings(config);
    Storage storage = PostgresStorage.open(config.database());
    try {
      ClusterRuntime runtime =
          ClusterRuntime.start(
              cluster(config),
              storage,
              pipeline(config),
              InstantSource.system(),
              actorSystem(config));
      return running(config, door, catalog, payloads, storage, runtime);
    } catch (RuntimeException e) {
      storage.close();
      throw e;
    }
  }

  private static TenureNode running(
      NodeConfig config,
      GatewaySettings door,
      Catalog catalog,
      PayloadCodec payloads,
      Storage storage,
      ClusterRuntime runtime) {
    try {
      WorkflowNode workflows =
          WorkflowNode.start(
              runtime,
              EngineSettings.of(config, catalog, payloads, runtime.clock()),
              catalog.workflows(),
              EngineSettings.activities(catalog, config.workflows()));
      Janitor janitor = new Janitor(storage, EngineSettings.retention(config), runtime::leads);
      runtime.terminated().whenComplete((done, failure) -> janitor.close());
      WorkflowClient client = new WorkflowClient(workflows.workflows(), payloads);
      return new TenureNode(
          storage,
          runtime,
          catalog,
          client,
          http(door, config.httpAccess().readEvery(), storage, runtime, workflows));
    } catch (RuntimeException e) {
      within(STOP_LIMIT, runtime.stop());
      throw e;
    }
  }

  private static URI http(
      GatewaySettings settings,
      Duration readEvery,
      Storage storage,
      ClusterRuntime runtime,
      WorkflowNode workflows) {
    List<Readiness.Check> checks = new ArrayList<>(ClusterChecks.of(runtime));
    checks.add(new Readiness.Check("storage", new StorageProbe(storage)::objection));
    Engine engine =
        Engine.of(workflows.workflows(), storage, workflows.tasks(), workflows.workflows()::newId);
    return within(
        HTTP_START_LIMIT,
        FrontDoor.open(
            runtime.system(),
            settings,
            readEvery,
            engine,
            new HealthAnswers(
                new Readiness(checks),
                runtime.clock()::machineAhead,
                () -> runtime.losses().stream().map(TenureNode::shown).toList())));
  }

  private static String shown(LossReport report) {
    return report.at() + ": " + report.text();
  }

  private static ClusterSettings cluster(NodeConfig config) {
    return ClusterSettings.node(
            config.node().host(),
            config.node().port(),
            new StoreIdentity(config.ownership(), config.shards()))
        .withBindHost(config.bindHost())
        .withDurability(Durability.accepting(config.storage().acceptedFindings()))
        // The application that embeds a node decides when the process ends.
        .withoutExit();
  }

  static PipelineSettings pipeline(NodeConfig config) {
    return new PipelineSettings(
        config.commit().connections(),
        config.commit().batch(),
        PipelineSettings.DEFAULT.batchBytesLimit(),
        config.commit().queue(),
        PipelineSettings.DEFAULT.resolveLimit(),
        config.commit().spreadAbove());
  }

  static Config actorSystem(NodeConfig config) {
    Map<String, Object> settings = new HashMap<>();
    settings.put("tenure.shard-lease.time-to-live", config.lease().timeToLive());
    settings.put("tenure.shard-lease.renew-every", config.lease().beat());
    // The defaults name environment variables, those of passwords among them. An actor system's
    // configuration is read and printed by many: these sections are not to be in it.
    settings.put("tenure.storage", null);
    settings.put("tenure.http", null);
    return ConfigFactory.parseMap(settings, "the node's settings").withFallback(config.other());
  }

  /** Where the API and the health answers are. */
  public URI http() {
    return http;
  }

  /** Starts workflows and finds them, on whichever node they run. */
  public WorkflowClient workflows() {
    return workflows;
  }

  /** The workflows and activities whose code this node has. */
  public Catalog catalog() {
    return catalog;
  }

  /** Completed when this node is a full member of a cluster; failed when it stopped before. */
  public CompletionStage<Done> up() {
    return runtime.up();
  }

  /** Completed when the node has ended: closed, or because it does not belong to its cluster. */
  public CompletionStage<Done> terminated() {
    return runtime.terminated();
  }

  /**
   * Of a node that has ended: whether its row in the database is gone. If not, the other nodes take
   * it out when they see that this one is gone.
   */
  public boolean hasLeft() {
    return runtime.hasLeft();
  }

  /** The cluster runtime, for applications that shard actors of their own. */
  public ClusterRuntime runtime() {
    return runtime;
  }

  /** Hands the shards over, leaves the cluster, and returns when all of it is done. */
  @Override
  public void close() {
    try {
      within(STOP_LIMIT, runtime.stop());
    } finally {
      storage.close();
    }
  }

  private static <T> T within(Duration limit, CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS).join();
  }
}
