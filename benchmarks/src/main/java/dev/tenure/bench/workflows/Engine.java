package dev.tenure.bench.workflows;

import com.typesafe.config.ConfigFactory;
import dev.tenure.bench.measure.BenchServer;
import dev.tenure.bench.measure.Options;
import dev.tenure.persistence.embedded.LocalPostgres;
import dev.tenure.persistence.pekko.StorageExtension;
import dev.tenure.persistence.postgres.PostgresSettings;
import dev.tenure.persistence.postgres.PostgresStorage;
import dev.tenure.persistence.shard.ShardOf;
import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.persistence.storage.CheckpointOwnership;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StoreIdentity;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.cluster.ClusterRuntime;
import dev.tenure.sharding.cluster.ClusterSettings;
import dev.tenure.sharding.host.UniqueIds;
import dev.tenure.sharding.host.WorkflowSettings;
import dev.tenure.sharding.lease.Tenures;
import dev.tenure.sharding.node.WorkflowNode;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.sharding.task.TaskDesk;
import dev.tenure.sharding.workflow.StartRequest;
import dev.tenure.sharding.workflow.StartResult;
import dev.tenure.sharding.workflow.Workflows;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowRegistration;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.apache.pekko.actor.typed.ActorSystem;

/** One node in this process, with the usual settings but for what a benchmark says. */
public final class Engine implements AutoCloseable {
  /** A workflow or a phase that takes longer has failed. */
  public static final Duration LIMIT = Duration.ofMinutes(3);

  public static final String DATABASE = "engine";
  static final int SHARDS = 128;
  static final int ANY_PORT = 0;

  /** Longer than two rounds of the cluster's rebalancing. */
  private static final Duration STEADY = Duration.ofSeconds(8);

  private static final PayloadCodec CODEC = PayloadCodec.standard();

  /** Empty when the node is not the one that measures. */
  private final Optional<BenchServer> server;

  private final Storage storage;
  private final ClusterRuntime runtime;
  private final WorkflowNode node;

  private Engine(
      Optional<BenchServer> server,
      Storage storage,
      int port,
      Options options,
      UnaryOperator<WorkflowSettings> settings,
      List<WorkflowRegistration<?>> types,
      List<ActivityRegistration<?, ?>> activities) {
    this.server = server;
    this.storage = storage;
    ClusterSettings cluster =
        ClusterSettings.node(
                "127.0.0.1", port, new StoreIdentity(CheckpointOwnership.CAS_REQUIRED, SHARDS))
            .withoutExit();
    this.runtime =
        ClusterRuntime.start(
            cluster,
            storage,
            options.pipeline(),
            InstantSource.system(),
            ConfigFactory.parseString("pekko.loglevel = WARNING"));
    this.node =
        WorkflowNode.start(
            runtime,
            settings.apply(
                WorkflowSettings.of(
                    runtime.clock(),
                    () -> ThreadLocalRandom.current().nextLong(),
                    new UniqueIds(runtime.clock()))),
            types,
            activities);
    within(runtime.up());
  }

  public static Engine start(
      BenchServer server, Options options, WorkflowRegistration<?>... types) {
    return start(server, options, usual -> usual, types);
  }

  static Engine start(
      BenchServer server,
      Options options,
      UnaryOperator<WorkflowSettings> settings,
      WorkflowRegistration<?>... types) {
    prepare(server);
    return new Engine(
        Optional.of(server),
        open(url(server), options),
        ANY_PORT,
        options,
        settings,
        List.of(types),
        List.of());
  }

  /** A node that runs activities, too. */
  public static Engine start(
      BenchServer server,
      Options options,
      List<WorkflowRegistration<?>> types,
      List<ActivityRegistration<?, ?>> activities) {
    prepare(server);
    return new Engine(
        Optional.of(server),
        open(url(server), options),
        ANY_PORT,
        options,
        usual -> usual,
        types,
        activities);
  }

  /** Makes the database that nodes can join. */
  public static void prepare(BenchServer server) {
    server.postgres().createDatabase(DATABASE);
  }

  public static String url(BenchServer server) {
    return server.postgres().url(DATABASE);
  }

  /** A node at this port, on a database that others use or used before. */
  static Engine join(
      BenchServer server, int port, Options options, WorkflowRegistration<?>... types) {
    return new Engine(
        Optional.of(server),
        open(url(server), options),
        port,
        options,
        usual -> usual,
        List.of(types),
        List.of());
  }

  /** A node that another process measures. */
  public static Engine join(
      String url, int port, Options options, WorkflowRegistration<?>... types) {
    return new Engine(
        Optional.empty(),
        open(url, options),
        port,
        options,
        usual -> usual,
        List.of(types),
        List.of());
  }

  private static Storage open(String url, Options options) {
    return PostgresStorage.open(
        options.database(
            PostgresSettings.of(url, LocalPostgres.APPLICATION, "")
                .withMigration(LocalPostgres.OWNER, "")));
  }

  /** How many shards the node holds. */
  int shards() {
    return Tenures.of(runtime.system()).held();
  }

  /** Whether the node holds the shard of this workflow. */
  boolean owns(String id) {
    return Tenures.of(runtime.system()).epochOf(ShardOf.workflow(id, SHARDS)).isPresent();
  }

  /** Shards have stopped moving between the nodes. */
  void awaitSteadyShards() {
    int[] seen = {-1};
    long[] since = {0};
    until(
        () -> {
          int now = shards();
          if (now != seen[0]) since[0] = System.nanoTime();
          seen[0] = now;
          return now > 0 && System.nanoTime() - since[0] > STEADY.toNanos();
        },
        "the shards stay where they are");
  }

  public BenchServer server() {
    return server.orElseThrow();
  }

  public Workflows workflows() {
    return node.workflows();
  }

  public TaskDesk tasks() {
    return node.tasks();
  }

  public ActorSystem<?> system() {
    return runtime.system();
  }

  public Storage storage() {
    return storage;
  }

  /** How many workflows are in memory. */
  int resident() {
    return node.resident();
  }

  public long transactions() {
    return StorageExtension.of(runtime.system()).commits().transactions();
  }

  /** How many commits the journal has. */
  public long commits() {
    return server().number(DATABASE, "SELECT count(*) FROM event_journal");
  }

  public long unfinished() {
    return server().number(DATABASE, "SELECT count(*) FROM workflow");
  }

  /** Forgets all workflows, none of which may be running. */
  public void clear() {
    until(() -> resident() == 0, "the workflows leave memory");
    server()
        .execute(
            DATABASE,
            "TRUNCATE event_journal, workflow, workflow_closed, workflow_search, signal_inbox,"
                + " signal_response, activity_record, task");
    server().checkpoint();
  }

  public static Payload json(Object value) {
    return CODEC.write(value, value.getClass(), "the benchmark's value");
  }

  public CompletionStage<StartResult.Started> start(String id, String type, Payload input) {
    return workflows()
        .start(StartRequest.of(id, type, input))
        .thenApply(
            result -> {
              if (result instanceof StartResult.Started started) return started;
              throw new IllegalStateException(id + " was not started: " + result);
            });
  }

  /** Completed when the signal is durable. */
  public CompletionStage<?> signal(String id, String name, Payload payload) {
    return workflows()
        .signal(WorkflowId.of(id), name, payload, Optional.empty())
        .thenApply(
            result -> {
              if (result instanceof SignalResult.Accepted) return result;
              throw new IllegalStateException("not accepted: " + result);
            });
  }

  /** Completed when it is recorded that the workflow has completed. */
  public CompletionStage<Void> completion(String id) {
    return workflows()
        .result(WorkflowId.of(id), LIMIT)
        .thenAccept(
            ended -> {
              if (ended.isEmpty() || ended.get().status() != Status.COMPLETED)
                throw new IllegalStateException(id + " did not complete: " + ended);
            });
  }

  public static <T> T within(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(LIMIT.toMillis(), TimeUnit.MILLISECONDS).join();
  }

  public static void withinAll(List<? extends CompletionStage<?>> stages) {
    within(
        CompletableFuture.allOf(
            stages.stream()
                .map(CompletionStage::toCompletableFuture)
                .toArray(CompletableFuture[]::new)));
  }

  public static void until(BooleanSupplier condition, String what) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline)
        throw new IllegalStateException("not within " + LIMIT + ": " + what);
      try {
        TimeUnit.MILLISECONDS.sleep(20);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while waiting: " + what, e);
      }
    }
  }

  @Override
  public void close() {
    within(runtime.stop());
    storage.close();
  }
}
