package dev.tenure.sharding.workflow;

import com.typesafe.config.ConfigFactory;
import dev.tenure.persistence.storage.CheckpointOwnership;
import dev.tenure.persistence.storage.PostgresStorage;
import dev.tenure.persistence.storage.StoreIdentity;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.cluster.ClusterRuntime;
import dev.tenure.sharding.cluster.ClusterSettings;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowRegistration;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** One node in this process, with a database of its own, that can be started again. */
final class WorkflowNode implements AutoCloseable {
  static final int SHARDS = 8;
  static final Duration SOON = Duration.ofSeconds(20);

  private final TestDatabase database = TestDatabase.migrated();
  private final PostgresStorage storage = PostgresStorage.open(database.settings());
  private final AtomicLong seeds = new AtomicLong();
  private final List<WorkflowRegistration<?>> types;
  private final List<ActivityRegistration<?, ?>> activities;
  private ClusterRuntime runtime;
  Workflows workflows;

  WorkflowNode(List<WorkflowRegistration<?>> types, List<ActivityRegistration<?, ?>> activities) {
    this.types = types;
    this.activities = activities;
    start();
  }

  void start() {
    runtime =
        ClusterRuntime.start(
            ClusterSettings.node(
                    "127.0.0.1", 0, new StoreIdentity(CheckpointOwnership.CAS_REQUIRED, SHARDS))
                .withTimes(Duration.ofMillis(250), Duration.ofSeconds(3))
                .withoutExit(),
            storage,
            ConfigFactory.empty());
    workflows =
        Workflows.on(
            runtime,
            SHARDS,
            WorkflowSettings.of(
                InstantSource.system(), seeds::incrementAndGet, () -> UUID.randomUUID().toString()),
            types,
            activities);
    get(runtime.up());
  }

  void stop() {
    get(runtime.stop());
    workflows.close();
  }

  Answer start(String id, String type, Object input) {
    return get(
        workflows.start(WorkflowId.of(id), new WorkflowType(type, 1), input, Optional.empty()));
  }

  Outcome result(String id) {
    return ((Answer.Ended) get(workflows.result(WorkflowId.of(id)))).outcome();
  }

  Description describe(String id) {
    return ((Answer.Described) get(workflows.describe(WorkflowId.of(id)))).description();
  }

  WorkflowRow row(String id) {
    return storage.workflows().find(WorkflowId.of(id)).orElseThrow();
  }

  static <T> T get(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(SOON.toMillis(), TimeUnit.MILLISECONDS).join();
  }

  @Override
  public void close() {
    stop();
    storage.close();
    database.close();
  }
}
