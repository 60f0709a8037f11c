package dev.tenure.simulation;

import com.typesafe.config.ConfigFactory;
import dev.tenure.persistence.embedded.LocalPostgres;
import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.merging.PipelineSettings;
import dev.tenure.persistence.postgres.PostgresSettings;
import dev.tenure.persistence.postgres.PostgresStorage;
import dev.tenure.persistence.storage.CheckpointOwnership;
import dev.tenure.persistence.storage.StoreIdentity;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.cluster.ClusterRuntime;
import dev.tenure.sharding.cluster.ClusterSettings;
import dev.tenure.sharding.host.WorkflowSettings;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.node.WorkflowNode;
import dev.tenure.sharding.workflow.Workflows;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.WorkflowState;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A real node that runs graphs, over a PostgreSQL that outlives it. */
final class GraphNode implements AutoCloseable {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(20);

  final PostgresStorage storage;
  private final ClusterRuntime runtime;
  private final WorkflowNode node;

  GraphNode(LocalPostgres postgres, Graphs graphs) {
    storage =
        PostgresStorage.open(
            PostgresSettings.of(postgres.url(), LocalPostgres.APPLICATION, "")
                .withMigration(LocalPostgres.OWNER, ""));
    ClusterSettings cluster =
        ClusterSettings.node(
                "127.0.0.1", 0, new StoreIdentity(CheckpointOwnership.CAS_REQUIRED, 64))
            .withTimes(Duration.ofMillis(250), Duration.ofSeconds(1))
            .withoutExit();
    runtime =
        ClusterRuntime.start(
            cluster,
            storage,
            PipelineSettings.DEFAULT,
            InstantSource.system(),
            ConfigFactory.empty());
    node =
        WorkflowNode.start(
            runtime,
            WorkflowSettings.of(
                    InstantSource.system(),
                    () -> ThreadLocalRandom.current().nextLong(),
                    () -> UUID.randomUUID().toString())
                .withInterpreters(List.of(graphs)),
            List.of(),
            List.of(ActivityRegistration.of(StepParts.ACTIVITY, (call, text) -> text)));
    await(runtime.up());
  }

  static <T> T await(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(SOON.toMillis(), TimeUnit.MILLISECONDS).join();
  }

  static void until(String what, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > SOON.toNanos())
        throw new AssertionError("not within " + SOON + ": " + what);
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  Workflows workflows() {
    return node.workflows();
  }

  void wake(WorkflowId id) {
    node.transport().tell(id, Message.WakeUp.WAKE_UP);
  }

  List<List<Event>> commits(WorkflowId id) {
    return await(workflows().history(id, 1, 1_000)).stream().map(JournalEntry::events).toList();
  }

  List<Event> events(WorkflowId id) {
    return commits(id).stream().flatMap(List::stream).toList();
  }

  WorkflowState state(WorkflowId id) {
    return Checker.fold(events(id));
  }

  /** Ends without handing anything over, as far as one can within a process. */
  @Override
  public void close() {
    await(runtime.stop());
    storage.close();
  }
}
