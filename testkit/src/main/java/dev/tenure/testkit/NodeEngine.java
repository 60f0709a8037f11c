package dev.tenure.testkit;

import com.typesafe.config.ConfigFactory;
import dev.tenure.persistence.merging.PipelineSettings;
import dev.tenure.persistence.postgres.PostgresStorage;
import dev.tenure.persistence.storage.CheckpointOwnership;
import dev.tenure.persistence.storage.StoreIdentity;
import dev.tenure.sharding.branch.ExecutionGate;
import dev.tenure.sharding.client.WorkflowClient;
import dev.tenure.sharding.cluster.ClusterRuntime;
import dev.tenure.sharding.cluster.ClusterSettings;
import dev.tenure.sharding.host.WorkflowSettings;
import dev.tenure.sharding.node.WorkflowNode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.opentest4j.TestAbortedException;

/** A node as it runs in production, over a database of the test's own. */
final class NodeEngine extends AbstractEngine {
  private static final StoreIdentity IDENTITY =
      new StoreIdentity(CheckpointOwnership.CAS_REQUIRED, 16);
  private static final Duration UP_LIMIT = Duration.ofSeconds(60);
  private static final Duration RECOVERY_PAUSE = Duration.ofMillis(50);

  private final ScratchDatabase database;
  private final CrashingStorage storage;
  private final ClusterRuntime runtime;
  private final WorkflowClient client;

  private NodeEngine(ScratchDatabase database, Plan plan) {
    super(plan);
    this.database = database;
    // An owner that never hears of its commit begins again from the database, as after a crash.
    this.storage = new CrashingStorage(PostgresStorage.open(database.settings()), () -> {});
    this.runtime =
        ClusterRuntime.start(
            ClusterSettings.node("127.0.0.1", 0, IDENTITY)
                .withTimes(Duration.ofMillis(250), Duration.ofSeconds(1))
                .withoutExit(),
            storage,
            PipelineSettings.DEFAULT,
            InstantSource.system(),
            ConfigFactory.empty());
    WorkflowSettings settings =
        WorkflowSettings.of(
                runtime.clock(),
                () -> ThreadLocalRandom.current().nextLong(),
                () -> UUID.randomUUID().toString())
            .withRecoveryPause(RECOVERY_PAUSE)
            .withCodec(codec)
            .withInterceptors(plan.interceptors);
    WorkflowNode node =
        WorkflowNode.start(
            runtime,
            settings,
            plan.workflows,
            plan.activities(fakes),
            fakes.over(ExecutionGate.FREE));
    this.client = new WorkflowClient(node.workflows(), plan.codec());
    runtime.up().toCompletableFuture().orTimeout(UP_LIMIT.toMillis(), TimeUnit.MILLISECONDS).join();
  }

  static NodeEngine start(Plan plan) {
    ScratchDatabase database = ScratchDatabase.create();
    try {
      return new NodeEngine(database, plan);
    } catch (RuntimeException failed) {
      database.close();
      throw failed;
    }
  }

  @Override
  public WorkflowClient workflows() {
    return client;
  }

  @Override
  public Instant now() {
    return runtime.clock().instant();
  }

  @Override
  public void pass(Duration span) {
    throw new TestAbortedException("A node's clock cannot be turned: this runs only in memory.");
  }

  @Override
  public void soon(Runnable task) {
    Thread.startVirtualThread(task);
  }

  @Override
  CrashingStorage storage() {
    return storage;
  }

  @Override
  public Engine kind() {
    return Engine.NODE;
  }

  @Override
  public void close() {
    try {
      runtime.stop().toCompletableFuture().join();
      storage.close();
    } finally {
      database.close();
    }
  }
}
